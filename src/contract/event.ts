/** `/events`: the log for people: query and response. */
import { Type } from "typebox";
import { JOB_STATES } from "../model/index.ts";
import type { ArchiveView } from "./archive.ts";
import { instant, instantGiven, next, orNull, ref, type Shape, strict } from "./fields.ts";

/** `/events` */
export const eventsQuery = Type.Object(
  {
    job: Type.Optional(
      Type.String({ maxLength: 64, description: "a job, by its id or the beginning of one" }),
    ),
    since: Type.Optional(instantGiven),
    until: Type.Optional(instantGiven),
    site: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "only events of this site and of the jobs there",
      }),
    ),
    exitCode: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: "only attempts that ended with this exit code" }),
    ),
    order: Type.Optional(
      Type.Enum(["newest", "oldest"], { description: "order of the events; absent: newest first" }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "100 where absent" })),
    cursor: Type.Optional(
      Type.String({
        pattern: "^\\d{1,15}$",
        description: "continue after the event with this number: `next` or `head` of an earlier page",
      }),
    ),
  },
  strict,
);

/** An event of the log. */
export const eventSchema = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: "Its number in the log" }),
    at: instant,
    kind: Type.String({ description: "Such as jobAccepted; kinds are only ever added" }),
    job: orNull(Type.String({ description: "The job that the event concerns" })),
    site: orNull(Type.String()),
    by: orNull(Type.String({ description: "Author of the request; null: the broker or a site" })),
    state: orNull(
      Type.Enum([...JOB_STATES], {
        description: "State of the job after the event; null if it is unchanged",
      }),
    ),
    text: Type.String({ description: "One sentence" }),
    facts: orNull(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "The complete event in the log; null for callers who may not see the log",
      }),
    ),
  },
  { ...strict, description: "An event of the log" },
);

/** One page of events. */
export const eventListSchema = Type.Object(
  {
    items: Type.Array(ref<EventView>("Event")),
    next,
    head: Type.Integer({ minimum: 0, description: "Number of the last event when the page was read" }),
    archives: Type.Array(ref<ArchiveView>("Archive"), {
      description:
        "Archives, oldest first, that contain older events of the requested period; those events are " +
        "not in `items`",
    }),
  },
  {
    ...strict,
    description: "One page of events; it may be shorter than requested, or empty, and still have a `next`",
  },
);

/** An event of the log. */
export type EventView = Shape<typeof eventSchema>;
/** Filter of a list of events; all conditions must hold. */
export type EventFilter = Shape<typeof eventsQuery>;
/** One page of events. */
export type EventList = Shape<typeof eventListSchema>;
