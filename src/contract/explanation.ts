/** Explanations of waiting jobs, and the queue of a cluster. */
import { Type } from "typebox";
import type { ClusterExplanation } from "../engine/index.ts";
import { DISCIPLINES, type Explanation, type HiddenPart } from "../model/index.ts";
import type { FactsView } from "./facts.ts";
import { as, count, instant, open, orNull, type Shape, strict } from "./fields.ts";

const cause = Type.Object(
  { kind: Type.String() },
  { ...open, description: "One cause, with its facts beside `kind`" },
);

/** Explanation of a job's state, as data and in sentences. */
export const whySchema = as<WhyView>(
  Type.Object(
    {
      job: Type.String(),
      state: Type.String(),
      causes: Type.Array(cause),
      predictedStartAt: orNull(instant),
      method: orNull(Type.Enum(["schedule"])),
      helpfulChanges: Type.Array(cause),
      lines: Type.Array(Type.String(), { description: "The same in sentences" }),
    },
    { ...strict, description: "Why a job is in its current state" },
  ),
);

/** Explanation of a waiting job of a cluster. */
export const siteWhySchema = as<SiteWhyView>(
  Type.Object(
    {
      site: Type.String(),
      siteJob: Type.String(),
      at: Type.String({ format: "date-time", description: "Instant of the observation" }),
      state: orNull(Type.String()),
      stateText: Type.String({ description: "The state, in the batch system's own term" }),
      blockers: Type.Array(cause),
      openPartitions: Type.Array(Type.String()),
      system: Type.Object({ reason: orNull(Type.String()), agreement: Type.String() }, strict),
      unknown: Type.Array(Type.Object({ what: Type.String(), why: Type.String() }, strict)),
      prediction: orNull(
        Type.Object(
          {
            startAt: orNull(instant),
            method: Type.Enum(["schedule"]),
          },
          { ...open, description: "Predicted start, with its basis" },
        ),
      ),
      changes: Type.Array(Type.Object({}, { ...open }), {
        description: "The smallest changes that would let it start sooner, each with that start",
      }),
      lines: Type.Array(Type.String(), { description: "The same in sentences" }),
    },
    { ...strict, description: "Why a job of a cluster waits" },
  ),
);

/** The queue of a cluster as a workload. */
export const siteQueueSchema = Type.Object(
  {
    site: Type.String(),
    at: Type.String({ format: "date-time", description: "Instant of the observation" }),
    discipline: Type.Enum([...DISCIPLINES]),
    running: count,
    waiting: count,
    leftOut: Type.Object({ forTheirOwn: count, tooWide: count, inReservations: count }, strict),
    unknown: Type.Array(as<HiddenPart>(Type.Object({ what: Type.String(), why: Type.String() }, strict))),
    lines: Type.Array(Type.String(), { description: "Lines of a workload file, without line terminators" }),
  },
  { ...strict, description: "The queue of a cluster as a workload" },
);

/** An explanation as data and in words. */
export interface WhyView extends FactsView<Explanation> {
  /** The explanation in sentences, in the order in which to print them. */
  readonly lines: readonly string[];
}
/** An explanation of a cluster's job as data and in words. */
export interface SiteWhyView extends FactsView<ClusterExplanation> {
  readonly site: string;
  readonly lines: readonly string[];
}
/** The queue of a cluster as the lines of a workload file. */
export type SiteQueueView = Shape<typeof siteQueueSchema>;
