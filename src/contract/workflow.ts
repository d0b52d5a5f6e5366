/** Workflows that are executed: requests and responses. */
import { Type } from "typebox";
import { inputFile, userTags, virtualOrganisation } from "./description.ts";
import {
  consumerPath,
  count,
  instant,
  instantGiven,
  lengthSec,
  orNull,
  type Shape,
  siteName,
  sizeFields,
  strict,
  su,
} from "./fields.ts";

const MOST_TASKS = 100_000;
const MOST_RESERVATIONS = 1000;
const number = Type.Integer({ minimum: 0, maximum: MOST_TASKS });
const fromBegin = lengthSec("From the beginning of the plan");
const text = Type.String({ maxLength: 32_768 });
const exitCode = Type.Integer({ minimum: 0, maximum: 255 });
const mostRunning = { minimum: 1, maximum: MOST_TASKS };

const program = {
  executable: Type.String({ minLength: 1, maxLength: 4096 }),
  arguments: Type.Optional(Type.Array(text, { maxItems: 10_000 })),
  environment: Type.Optional(
    Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), text, {
      description: "Added to the environment of its site",
    }),
  ),
};

const MOST_FILES = 100_000;
/** Path of a file in the directory of a task. */
const innerPath = Type.String({ minLength: 1, maxLength: 1000, pattern: "^[^\\p{Cc}]*$" });
const innerPaths = (description: string) =>
  Type.Optional(Type.Array(innerPath, { maxItems: MOST_FILES, description }));

const task = Type.Object(
  {
    id: Type.String({ pattern: "^\\S{1,200}$" }),
    ...sizeFields,
    procs: Type.Optional(sizeFields.procs),
    runtimeSec: lengthSec("Its runtime, as far as it is known"),
    parents: Type.Optional(
      Type.Array(number, { maxItems: MOST_TASKS, description: "Numbers of tasks of the list, from 0" }),
    ),
    ...program,
    inputs: innerPaths("Files in its directory when it begins: outputs of its parents, or of `files`"),
    outputs: Type.Optional(
      Type.Array(
        Type.Union([innerPath, Type.Object({ name: innerPath, path: innerPath }, strict)], {
          description: "Path in the directory of the task, if it differs from the name in the workflow",
        }),
        {
          maxItems: MOST_FILES,
          description: "Files that the task writes to its directory; those that no task reads are results",
        },
      ),
    ),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: "Number of retries; absent: that of the workflow",
      }),
    ),
    unlessExit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 255, description: "Exit code after which it is not retried" }),
    ),
    abortOn: Type.Optional(
      Type.Object(
        { exitCode, result: exitCode },
        {
          ...strict,
          description:
            "Exit code of this task that ends the workflow: running tasks are killed, waiting ones do not " +
            "run; the workflow is DONE if the result is 0, else FAILED",
        },
      ),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: -1e6,
        maximum: 1e6,
        description: "Of the tasks that can start, those with a larger priority start first",
      }),
    ),
    category: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Name of a limit in `maxRunningOf`" }),
    ),
    isFinal: Type.Optional(
      Type.Literal(true, {
        description:
          "True for the task that starts when all others have ended or will not run, and decides the result",
      }),
    ),
    startSec: Type.Optional(fromBegin),
    endSec: Type.Optional(fromBegin),
    reservation: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MOST_RESERVATIONS,
        description: "Index of the reservation in which it runs, from 0",
      }),
    ),
  },
  { ...strict, description: "A task, with its place in the plan" },
);

/** `POST /workflows` */
export const workflowRequestSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: "^[^\\p{Cc}]*$" }),
    tasks: Type.Array(task, { minItems: 1, maxItems: MOST_TASKS }),
    beginAt: Type.Optional(instantGiven),
    reservations: Type.Optional(
      Type.Array(
        Type.Object(
          { site: siteName, ...sizeFields, startSec: fromBegin, endSec: fromBegin },
          { ...strict, description: "Processors, memory and GPUs of a site to reserve" },
        ),
        { maxItems: MOST_RESERVATIONS },
      ),
    ),
    bestEffort: Type.Optional(
      Type.Boolean({ description: "True: tasks that have no reservation are queued like any job" }),
    ),
    mostSu: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1e9, description: "Limit on the price of all reservations" }),
    ),
    retries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10, description: "Number of retries of a failed task" }),
    ),
    maxRunning: Type.Optional(
      Type.Integer({ ...mostRunning, description: "Maximum number of tasks that run at the same time" }),
    ),
    maxRunningOf: Type.Optional(
      Type.Record(Type.String(), Type.Integer(mostRunning), {
        description: "Maximum number of tasks of a category that run at the same time",
      }),
    ),
    directory: Type.Optional(
      Type.String({
        pattern: "^/[^\\u0000]*$",
        maxLength: 4096,
        description: "Directory in which tasks run, at each site",
      }),
    ),
    files: Type.Optional(
      Type.Array(inputFile, {
        maxItems: 10_000,
        description: "Files of the user that tasks read, by the names that an input sandbox gives them",
      }),
    ),
    results: innerPaths("Outputs that are results although tasks read them"),
    consumer: Type.Optional(consumerPath),
    virtualOrganisation: Type.Optional(virtualOrganisation),
    userTags: Type.Optional(userTags),
  },
  { ...strict, description: "A workflow with a plan, or to be queued as best effort" },
);

const counts = Type.Object(
  { waiting: count, ordered: count, running: count, done: count, failed: count },
  { ...strict, description: "Tasks by state" },
);

const summary = {
  id: Type.String(),
  name: Type.String(),
  state: Type.Enum(["RUNNING", "DONE", "FAILED", "CANCELLED"]),
  owner: Type.String(),
  consumer: Type.String(),
  bestEffort: Type.Boolean({ description: "Tasks that are not in the plan are queued like any job" }),
  startedAt: instant,
  endedAt: orNull(instant),
  counts,
  promisedEndAt: orNull(instant, {
    description: "End of the workflow according to its first plan; null without a plan",
  }),
  promisedSu: orNull(su),
  departures: Type.Object(
    {
      late: Type.Integer({ minimum: 0, description: "Tasks that ran beyond their planned end" }),
      failed: Type.Integer({ minimum: 0, description: "Attempts that failed" }),
      lost: Type.Integer({ minimum: 0, description: "Attempts that were lost with their pilot" }),
    },
    strict,
  ),
  lostSu: Type.Number({ description: "Used by attempts that failed or were lost" }),
  replans: count,
  aborted: orNull(
    Type.Object(
      { task: Type.String(), result: exitCode },
      { ...strict, description: "The task whose exit code ended the workflow early, and the result" },
    ),
  ),
};

const workflowSummarySchema = Type.Object(summary, { ...strict, description: "An executed workflow" });

/** Executed workflows. */
export const workflowListSchema = Type.Object(
  { items: Type.Array(workflowSummarySchema) },
  { ...strict, description: "Executed workflows, newest first" },
);

/** An executed workflow with its tasks. */
export const workflowSchema = Type.Object(
  {
    ...summary,
    costSu: orNull(su, { description: "Price of its reservations after refunds, with penalties" }),
    expectedEndAt: orNull(instant, { description: "Planned end plus the delay so far" }),
    left: Type.Array(
      Type.Object(
        {
          site: Type.String(),
          why: Type.String(),
          tasks: Type.Integer({ minimum: 0, description: "Tasks that waited there" }),
          costSu: Type.Number({ description: "Price of their reservations there after refunds" }),
        },
        strict,
      ),
      { description: "Sites from which waiting tasks were withdrawn to be planned again elsewhere" },
    ),
    reservations: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          site: Type.String(),
          procs: count,
          memoryBytes: count,
          gpus: count,
          startAt: instant,
          endAt: instant,
          job: Type.String({
            description: "Id of the pilot: the job that occupies the reservation and runs tasks in it",
          }),
          state: Type.String(),
          costSu: su,
        },
        strict,
      ),
    ),
    files: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          writer: orNull(Type.String({ description: "The task that writes it; null for your own" })),
          state: Type.Enum(["PENDING", "AT_SITES", "STORED", "REMOVED", "TOO_LARGE"], {
            description:
              "STORED: the broker has a copy. REMOVED: no task reads it any more. TOO_LARGE: a result that " +
              "stays at its site, since the results of the workflow would exceed the limit of the broker",
          }),
          result: Type.Boolean({ description: "True for a file that the broker keeps" }),
          bytes: orNull(count),
          sha256: orNull(Type.String()),
          sites: Type.Array(Type.String(), { description: "Sites with a copy" }),
        },
        strict,
      ),
      { description: "Files that tasks read and write" },
    ),
    tasks: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          procs: count,
          memoryBytes: count,
          gpus: count,
          state: Type.Enum(["WAITING", "ORDERED", "RUNNING", "DONE", "FAILED"]),
          parents: Type.Array(Type.String()),
          site: orNull(Type.String()),
          job: orNull(Type.String({ description: "The job that runs it" })),
          reservation: orNull(Type.Integer({ minimum: 0 })),
          attempt: count,
          exitCode: orNull(Type.Integer()),
          plannedStartAt: orNull(instant),
          plannedEndAt: orNull(instant),
          startedAt: orNull(instant),
          endedAt: orNull(instant),
        },
        strict,
      ),
    ),
  },
  { ...strict, description: "An executed workflow with its tasks and reservations" },
);

/** `/workflows/:id` */
export const workflowParameters = Type.Object({
  id: Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "Id of a workflow" }),
});

/** `/workflows/:id/files/:name` */
export const workflowFileParameters = Type.Object({
  id: Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "Id of a workflow" }),
  name: Type.String({ description: "Path of a result, encoded as one segment" }),
});

/** A workflow with a plan, or to be queued. */
export type WorkflowRequest = Shape<typeof workflowRequestSchema>;
/** An executed workflow, in a list. */
export type WorkflowSummary = Shape<typeof workflowSummarySchema>;
/** An executed workflow. */
export type WorkflowView = Shape<typeof workflowSchema>;
