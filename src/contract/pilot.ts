/** `/pilots`: jobs in a cluster's queue that run jobs of Stint. */
import { Type } from "typebox";
import { count, instant, orNull, ref, type Shape, strict } from "./fields.ts";

/** `/pilots/:id` */
export const pilotParameters = Type.Object({
  id: Type.String({
    pattern: "^[A-Za-z0-9.-]{1,128}$",
    description: "Id of a pilot, which is that of its job",
  }),
});

/** `GET /pilots` */
export const pilotQuery = Type.Object(
  { site: Type.Optional(Type.String({ minLength: 1, maxLength: 63, description: "Pilots of this site" })) },
  strict,
);

/** A pilot. */
export const pilotSchema = Type.Object(
  {
    id: Type.String({ description: "Id of the pilot, which is that of its job" }),
    site: Type.String(),
    state: Type.Enum(["WAITING", "RUNNING", "DRAINING", "ENDED"], {
      description: "WAITING: in the cluster's queue; DRAINING: it accepts no more jobs",
    }),
    procs: count,
    memoryBytes: Type.Integer({ minimum: 0, description: "0: not known until it runs" }),
    gpus: count,
    procsBusy: Type.Integer({ minimum: 0, description: "Processors of the jobs that it runs" }),
    claimed: orNull(
      Type.Object(
        { procs: count, memoryBytes: count, gpus: count },
        {
          ...strict,
          description: "Processors that it received, if more than requested; the excess is not used",
        },
      ),
    ),
    node: orNull(Type.String(), {
      description: "null: not known yet, or hidden by a site that publishes aggregates",
    }),
    submittedAt: instant,
    openedAt: orNull(instant),
    until: orNull(Type.String({ format: "date-time", description: "End of its time limit" })),
    endedAt: orNull(instant),
    drained: orNull(Type.Enum(["idle", "signal", "request"], { description: "Why it accepts no more jobs" })),
    taken: Type.Integer({ minimum: 0, description: "Number of jobs assigned to it so far" }),
    jobs: Type.Array(Type.String(), {
      description:
        "Jobs that it runs, or is about to run; at a site that publishes aggregates, your own jobs only",
    }),
  },
  { ...strict, description: "A pilot: a job in a cluster's queue that runs jobs of Stint" },
);

/** Pilots, as a list. */
export const pilotListSchema = Type.Object(
  { items: Type.Array(ref<PilotView>("Pilot")) },
  { ...strict, description: "Pilots that are queued or running, or that ended within the last day" },
);

/** A pilot. */
export type PilotView = Shape<typeof pilotSchema>;
/** Which pilots to list. */
export type PilotQuery = Shape<typeof pilotQuery>;
