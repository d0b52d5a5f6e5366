/** Jobs and their files: requests and responses. */
import { Type } from "typebox";
import {
  JOB_SORT_WORDS,
  JOB_STAGES,
  JOB_STATES,
  JOB_TIMES,
  type JobSortWord,
  REPLICA_ENDS,
  REPLICA_STATES,
  RUN_STATES,
} from "../model/index.ts";
import { jobName, matchingFields } from "./description.ts";
import {
  as,
  count,
  cursor,
  instant,
  limit,
  next,
  orNull,
  part,
  procMs,
  ref,
  type Shape,
  shortId,
  strict,
  su,
} from "./fields.ts";

/** `/jobs/:id` */
export const jobParameters = Type.Object({ id: shortId });

/** `/jobs/:id/files/:name` */
export const fileParameters = Type.Object({
  ...jobParameters.properties,
  name: Type.String({
    pattern: "^(?!(?:[^/]*/)*\\.\\.?(?:/|$))[^/\\u0000]+(?:/[^/\\u0000]+)*$",
    maxLength: 4096,
    description: "the path of a file in the job's directory; a `/` in it is written `%2F`",
  }),
});

/** A day or an instant: a day alone is one of UTC; a time needs its zone to be the same for every reader. */
const dayOrInstant = (jobs: string) =>
  Type.String({
    pattern: "^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d))?$",
    description: `a day or an instant as in 2026-11-20 or 2026-11-20T08:30:00Z; ${jobs}`,
  });

/** Conditions on jobs, for lists and reports. */
export const jobConditions = {
  state: Type.Optional(
    Type.Array(Type.Enum([...JOB_STATES]), { maxItems: 20, description: "May be given several times" }),
  ),
  owner: Type.Optional(Type.String()),
  consumer: Type.Optional(Type.String({ description: "The consumer path or anything below it" })),
  site: Type.Optional(Type.String()),
  name: Type.Optional(jobName),
  tag: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
      maxItems: 20,
      description: "A tag that they have, `key=value`, or `key` with any value; may be given several times",
    }),
  ),
  since: Type.Optional(dayOrInstant("only jobs since then")),
  until: Type.Optional(dayOrInstant("only jobs before then")),
};

/** `/jobs` */
export const listQuery = Type.Object(
  {
    ...jobConditions,
    time: Type.Optional(
      Type.Enum([...JOB_TIMES], {
        description: "The instant to which since and until apply; absent: submitted",
      }),
    ),
    sort: Type.Optional(
      as<JobSortWord>(
        Type.Enum([...JOB_SORT_WORDS], {
          description:
            "Column to sort by; a leading hyphen sorts in descending order. Text is sorted by code " +
            "points, and jobs without a value come first. Absent: -submitted, newest first",
        }),
      ),
    ),
    exitCode: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: "Jobs that ended with this exit code" }),
    ),
    array: Type.Optional(
      Type.String({ ...shortId, description: "Jobs of this array or DAG; `none`: jobs that are of none" }),
    ),
    limit,
    cursor,
  },
  strict,
);

/** `/jobs/:id/files/:name` */
export const readQuery = Type.Object(
  {
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "Offset of the first byte" }),
    ),
    follow: Type.Optional(
      Type.Boolean({ description: "Follow the file until the job has ended and all of it is sent" }),
    ),
  },
  strict,
);

/** The header of a POST that creates. */
export const idempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      pattern: "^[!-~]{1,255}$",
      description: "1 to 255 visible ASCII characters; the same key with the same body submits once",
    }),
  ),
});

/** Virtual reservation of a job. */
const virtualReservationJob = Type.Object(
  {
    startAt: instant,
    durationSec: Type.Number(),
    submitAt: instant,
    probability: part,
    besides: orNull(
      Type.String({
        description:
          "Id of the priced reservation made together with it; the more expensive of the two is " +
          "cancelled",
      }),
    ),
    idleSu: su,
    idleProcMs: procMs,
  },
  {
    ...strict,
    description: "Virtual reservation: when the job was submitted, and when its program is to start",
  },
);

/** A job for people and scripts; `null` where there is nothing (yet). */
export const jobSchema = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum([...JOB_STATES]),
    result: orNull(
      Type.Enum(["ok", "failed", "imitated"], {
        description: "`imitated`: the site only simulates jobs, and no program ran",
      }),
    ),
    exitCode: orNull(Type.Integer()),
    signal: orNull(Type.String()),
    timeLimit: Type.Boolean({ description: "True if it reached its time limit" }),
    site: orNull(Type.String()),
    queue: Type.Optional(
      Type.String({ description: "Queue or partition requested at the site; absent: the site chooses" }),
    ),
    reservation: orNull(Type.String({ description: "Reservation in which it runs" })),
    ticket: Type.Optional(Type.String({ description: "Ticket that it was accepted under, `vo/id`" })),
    virtual: orNull(virtualReservationJob),
    siteJob: orNull(
      Type.String({
        description: "Id of the current attempt in the site's own queue; null at a site of type managed",
      }),
    ),
    pilot: Type.Optional(Type.String({ description: "The pilot that runs it, or ran it last" })),
    attempt: count,
    array: Type.Optional(
      Type.Object(
        { id: Type.String(), index: count },
        { ...strict, description: "Array to which the job belongs, and its index in it" },
      ),
    ),
    node: Type.Optional(
      Type.Object(
        { dag: Type.String(), name: Type.String() },
        { ...strict, description: "DAG node for which the job runs" },
      ),
    ),
    name: orNull(Type.String({ description: "Name given by its user" })),
    consumer: Type.String(),
    owner: Type.String(),
    executable: Type.String(),
    arguments: Type.Array(Type.String()),
    procs: Type.Integer({ minimum: 1 }),
    memoryBytes: orNull(count),
    gpus: orNull(count),
    gpuDevices: orNull(
      Type.Array(count, { description: "Its GPUs at a managed site, by their numbers there; null: none" }),
    ),
    wallTimeSec: orNull(Type.Number({ description: "The requested time limit; null: the site's default" })),
    delayCostSuPerHour: orNull(
      Type.Integer({
        description: "Declared cost of delaying the job by an hour; null: one SU per processor",
      }),
    ),
    after: Type.Array(Type.String({ description: "Job that had to end first: `ok:ID`, …" })),
    waitsFor: Type.Array(
      Type.String({ description: "Job of `after` that has to end before this one can start" }),
    ),
    ...matchingFields,
    pendingChange: Type.Optional(
      Type.Object(
        {
          procs: Type.Optional(count),
          memoryBytes: Type.Optional(count),
          wallTimeSec: Type.Optional(Type.Number()),
          site: Type.Optional(orNull(Type.String({ description: "Null: chosen by the broker" }))),
        },
        {
          ...strict,
          description:
            "Requested change that takes effect when the job has left the queue of its cluster; it is " +
            "dropped if the job starts there first",
        },
      ),
    ),
    replicaStates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            site: Type.String(),
            state: Type.Enum([...REPLICA_STATES], {
              description:
                "`GRANTED`: the job starts, or started, there; `NOT_BEGUN`: the job will not start there",
            }),
            holder: orNull(
              Type.String({ description: "Job of the broker that holds the place in a cluster's queue" }),
            ),
            queuedAt: instant,
            endedAt: orNull(instant),
            why: Type.Optional(
              Type.Enum([...REPLICA_ENDS], { description: "Why the job did not begin there" }),
            ),
          },
          strict,
        ),
        { description: "Sites in whose queues the job waits, or waited, at the same time, oldest first" },
      ),
    ),
    larger: Type.Optional(
      Type.Array(
        Type.Object(
          { of: Type.Enum(["memory", "time"]), from: orNull(Type.Number()), to: Type.Number() },
          {
            ...strict,
            description: "Request before and after: bytes of memory, or seconds of time limit",
          },
        ),
        {
          description:
            "Retries with more memory or time, oldest first; `from` is null if nothing had been requested",
        },
      ),
    ),
    userTags: Type.Record(Type.String(), Type.String()),
    interactive: Type.Optional(Type.Boolean({ description: "It has a terminal" })),
    stdInput: orNull(Type.String({ description: "File of its input sandbox that is its standard input" })),
    workingDirectory: orNull(Type.String({ description: "Null: the job's own directory" })),
    stdOutput: Type.String(),
    stdError: Type.String(),
    outputSandbox: Type.Array(Type.String()),
    submittedAt: instant,
    startedAt: orNull(instant),
    endedAt: orNull(instant),
    ranSec: Type.Number({ minimum: 0, description: "Run time of earlier runs, without the current one" }),
    runningSince: orNull(instant),
    cpuSec: orNull(Type.Number()),
    failedStage: Type.Optional(
      Type.Enum([...JOB_STAGES], {
        description: "Stage that failed, or during which the job was ended, if known",
      }),
    ),
    peakMemoryBytes: Type.Optional(Type.Integer({ description: "Greatest resident memory seen" })),
    readBytes: Type.Optional(Type.Integer({ description: "Read from storage" })),
    writtenBytes: Type.Optional(Type.Integer({ description: "Written to storage" })),
    prologue: Type.Optional(Type.String()),
    epilogue: Type.Optional(Type.String()),
    signalBefore: Type.Optional(Type.String()),
    endState: Type.Optional(
      Type.Enum([...RUN_STATES], {
        description: "State in which the job ended; set once it was cleared or purged",
      }),
    ),
    filesRemovedAt: Type.Optional(instant),
    purgedAt: Type.Optional(instant),
    chargedSu: Type.Optional({
      ...su,
      description: "SU charged for its last run; in the answer to GET /jobs/:id, once it was charged",
    }),
    chargedProcMs: Type.Optional(procMs),
    reason: orNull(
      Type.String({ description: "Why the job was aborted, or cancelled although nobody requested it" }),
    ),
  },
  { ...strict, description: "A job" },
);

/** One page of jobs, newest first. */
export const jobListSchema = Type.Object(
  { items: Type.Array(ref<JobView>("Job")), next },
  { ...strict, description: "One page of jobs, newest first" },
);

/** Result of a submission. */
export const idsSchema = Type.Object(
  {
    ids: Type.Array(Type.String(), { description: "In the order of the descriptions" }),
    notes: Type.Optional(
      Type.Array(Type.String(), { description: "Parts of the request that have no effect at this broker" }),
    ),
  },
  { ...strict, description: "Ids of what was submitted, and notes on it" },
);

/** Files of a job at its site. */
export const fileListSchema = Type.Object(
  { items: Type.Array(Type.Object({ name: Type.String(), sizeBytes: count }, strict)) },
  { ...strict, description: "Files of a job at its site" },
);

/** A job for people and scripts. */
export type JobView = Shape<typeof jobSchema>;
/** Virtual reservation of a job. */
export type VirtualReservationJobView = Shape<typeof virtualReservationJob>;
/** Conditions on jobs; all must hold. */
export type JobConditions = Partial<Pick<JobFilter, keyof typeof jobConditions>>;
/** Filter of a list of jobs; all conditions must hold. */
export type JobFilter = Shape<typeof listQuery>;
/** One page of jobs, newest first. */
export type JobList = Shape<typeof jobListSchema>;
/** A file of a job at its site. */
export type FileView = Shape<typeof fileListSchema>["items"][number];
/** Ids in the order of the descriptions, and notes on them. */
export type Ids = Shape<typeof idsSchema>;
