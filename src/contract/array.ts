/** Arrays of jobs: requests and responses. */
import { Type } from "typebox";
import { RUN_STATES } from "../model/index.ts";
import { count, cursor, instant, limit, next, orNull, ref, type Shape, shortId, strict } from "./fields.ts";
import { jobConditions } from "./job.ts";

/** `/arrays/:id` */
export const arrayParameters = Type.Object({ id: shortId });

const { site: _, ...conditions } = jobConditions;

/** `/arrays` */
export const arraysQuery = Type.Object({ ...conditions, limit, cursor }, strict);

const states = Object.fromEntries(RUN_STATES.map((state) => [state, count])) as Readonly<
  Record<(typeof RUN_STATES)[number], typeof count>
>;

/** Results of a search so far. */
const searchView = Type.Object(
  {
    method: Type.Enum(["annealing", "random", "exec"]),
    goal: Type.Enum(["minimize", "maximize"]),
    evaluations: Type.Integer({ minimum: 1, description: "Maximum number of points to evaluate" }),
    evaluated: Type.Integer({ minimum: 0, description: "Points whose job has ended" }),
    failed: Type.Integer({ minimum: 0, description: "Evaluations without a value, because the job failed" }),
    best: orNull(
      Type.Object(
        {
          index: Type.Integer({ minimum: 0, description: "Index of its job" }),
          values: Type.Record(Type.String(), Type.String()),
          value: Type.Number(),
        },
        strict,
      ),
    ),
    end: orNull(
      Type.Object(
        {
          reason: Type.Enum(["evaluated", "chosen", "cancelled", "objectiveMissing", "programFailed"]),
          text: Type.String(),
        },
        { ...strict, description: "Reason why it ended; null while it is active" },
      ),
    ),
  },
  { ...strict, description: "Results of a search so far" },
);

/** Scouts of a sweep, and what they propose. */
const scoutsView = Type.Object(
  {
    jobs: Type.Integer({ minimum: 1 }),
    ended: count,
    succeeded: Type.Integer({ minimum: 0, description: "Those with exit code 0; only these are measured" }),
    longestSec: Type.Number({ minimum: 0, description: "Longest run of those that succeeded" }),
    peakMemoryBytes: orNull(count),
    outcome: orNull(
      Type.Enum(["waiting", "kept", "used"], {
        description:
          "`waiting`: the other jobs wait for a decision; `kept`: they run as described; `used`: with the " +
          "proposal; null while scouts run",
      }),
    ),
    proposal: Type.Optional(
      Type.Object(
        {
          wallTimeSec: Type.Optional(Type.Number({ minimum: 0 })),
          memoryBytes: Type.Optional(count),
        },
        { ...strict, description: "Time limit and memory for the other jobs; absent: none to propose" },
      ),
    ),
  },
  { ...strict, description: "Jobs of a sweep that run before the others" },
);

/** `/arrays/:id/scouts` */
export const scoutDecisionBody = Type.Object(
  {
    use: Type.Boolean({
      description: "true: the proposal is applied to jobs without a site; false: they run as described",
    }),
  },
  strict,
);

/** An array of jobs; `null` where there is nothing (yet). */
export const arraySchema = Type.Object(
  {
    id: Type.String({ description: "Its jobs are `ID-INDEX`" }),
    array: Type.String({ description: "Indexes as they were submitted, as in `0-99%10`" }),
    size: Type.Integer({
      minimum: 0,
      description: "Number of its jobs; for an active search the maximum",
    }),
    atMost: orNull(
      Type.Integer({
        minimum: 1,
        description: "Maximum number of its jobs that run at once; null: no limit",
      }),
    ),
    states: Type.Object(states, { ...strict, description: "Number of its jobs in each state" }),
    timeLeftSec: Type.Optional(
      Type.Number({ minimum: 0, description: "Estimated from the run times of its jobs so far" }),
    ),
    sweep: Type.Optional(
      Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
        description: "For a sweep: the number of values of each parameter",
      }),
    ),
    search: Type.Optional(searchView),
    scouts: Type.Optional(scoutsView),
    failed: Type.Integer({ minimum: 0, description: "Number of DONE jobs whose program failed" }),
    name: orNull(Type.String({ description: "Name given by its user" })),
    consumer: Type.String(),
    owner: Type.String(),
    executable: Type.String(),
    arguments: Type.Array(Type.String()),
    procs: Type.Integer({ minimum: 1, description: "Processors of each job" }),
    memoryBytes: orNull(count),
    wallTimeSec: orNull(Type.Number({ description: "The time limit of each job; null: the site's default" })),
    site: orNull(
      Type.String({ description: "The site that its jobs must run at; null: chosen by the broker" }),
    ),
    after: Type.Array(Type.String({ description: "Job or array that had to end first: `ok:ID`, …" })),
    userTags: Type.Record(Type.String(), Type.String()),
    submittedAt: instant,
    endedAt: orNull(instant),
    changed: Type.Optional(
      Type.Integer({ minimum: 0, description: "For an action: number of jobs to which it was applied" }),
    ),
  },
  { ...strict, description: "An array of jobs" },
);

/** One page of arrays, newest first. */
export const arrayListSchema = Type.Object(
  { items: Type.Array(ref<ArrayView>("JobArray")), next },
  { ...strict, description: "One page of arrays, newest first" },
);

/** An array of jobs for people and scripts. */
export type ArrayView = Shape<typeof arraySchema>;
/** Decision on the proposal of scouts for the other jobs. */
export type ScoutDecision = Shape<typeof scoutDecisionBody>;
/** Filter of a list of arrays; all conditions must hold. */
export type ArrayFilter = Shape<typeof arraysQuery>;
/** One page of arrays, newest first. */
export type ArrayList = Shape<typeof arrayListSchema>;
