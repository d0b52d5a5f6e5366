/** Job descriptions as JSON, with or without their defaults. */
import { Type } from "typebox";
import {
  APPLICATION_ASKED,
  ARRAY_PATTERN,
  DEFAULT_RANKS,
  DEPENDENCY_PATTERN,
  type DefaultRank,
  MOST_ARRAY_CHARACTERS,
  MOST_EVALUATIONS,
  MOST_MEMBERS,
  MOST_POINTS_TEXT,
  OUTPUT_PATTERN,
  UPLOAD_PREFIX,
} from "../model/index.ts";
import { checkpointFields } from "./checkpoint-fields.ts";
import { dataFields } from "./data-fields.ts";
import { as, CONSUMER, INSTANT_PATTERN, orNull, type Shape, strict } from "./fields.ts";
import { hostFields } from "./host-fields.ts";

/** Limit on descriptions in one request. */
const BULK_LIMIT = 1000;

/** Limit on wall time: a chain of many such jobs still starts at a date that can be written. */
const MOST_WALL_TIME_SEC = 10 * 366 * 24 * 3600;

/** Text that reaches the operating system, where a NUL would end it. */
const word = { pattern: "^[^\\u0000]*$", description: "text without NUL" };
const text = Type.String(word);
const fileName = Type.String({
  pattern: "^(?!\\.\\.?$)[^/\\u0000]+$",
  maxLength: 255,
  description: "the name of a file in the job's directory, without /",
});
/** Name of a job as its user calls it. */
export const jobName = Type.String({
  pattern: "^[^\\u0000-\\u001f\\u007f]+$",
  maxLength: 200,
  description: "a name chosen by the user, without control characters",
});
const inputFile = Type.String({
  pattern:
    `^(${UPLOAD_PREFIX}(?![^\\u0000]*/\\.\\.?$))?` +
    "(?![^\\u0000]*/\\./([^\\u0000]*/)?(\\.{0,2}/|\\.\\.?$))/[^\\u0000]*[^/\\u0000]$",
  maxLength: 4096,
  description:
    "the absolute path of a file at the broker, or `upload:SHA256/NAME` (`upload+x:` where it may be " +
    "executed) of one that was uploaded; what follows /./ is its path in the job's directory",
});

/** Query of a submission. */
export const submitQuery = Type.Object(
  {
    for: Type.Optional(
      Type.String({ pattern: CONSUMER, description: "Consumer of the jobs; yours where absent" }),
    ),
  },
  strict,
);

/** Longest ClassAd expression of a description, in characters. */
const MOST_EXPRESSION = 65_536;
const expression = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: MOST_EXPRESSION, description }));
const retries = (least: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: least, maximum: 1000, description }));

/** Fields about the choice of a site, of a description and of a job. */
export const matchingFields = {
  requirements: expression("ClassAd expression that the ad of its site fulfils; other.… is the site's"),
  applications: Type.Optional(
    Type.Array(Type.String({ pattern: APPLICATION_ASKED.source }), {
      ...{ minItems: 1, maxItems: 50, uniqueItems: true },
      description: "Applications that its site must have; they are set up before the program runs",
    }),
  ),
  ...dataFields,
  ...hostFields,
  rank: expression("ClassAd expression by which matching sites are ordered, greatest first"),
  fuzzyRank: Type.Optional(
    Type.Union([Type.Boolean(), Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })], {
      description: "Draws among matching sites by rank: true, or the factor of the draw",
    }),
  ),
  strictDefaults: Type.Optional(
    Type.Boolean({ description: "False: requirements replace the default ones, and do not add to them" }),
  ),
  defaultRank: Type.Optional(
    as<DefaultRank>(
      Type.Enum([...DEFAULT_RANKS], {
        description: "Without a rank: by predicted response time (response, default) or as in JDL (literal)",
      }),
    ),
  ),
  expiryTime: Type.Optional(
    Type.String({ pattern: INSTANT_PATTERN, description: "An instant after which it is not matched" }),
  ),
  retryCount: retries(0, "Times that it may run again after its site lost it, ten at most; 0 where absent"),
  shallowRetryCount: retries(
    -1,
    "Times that it may be sent again where it did not start, ten at most; to other sites thrice where absent",
  ),
  retryMemoryBytes: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      description: "Where it dies for lack of memory, it is tried again with more, up to so much",
    }),
  ),
  retryTimeSec: Type.Optional(
    Type.Number({
      ...{ minimum: 0.001, maximum: MOST_WALL_TIME_SEC },
      description: "Where it reaches its time limit, it is tried again with a longer one, up to this",
    }),
  ),
  retryFactor: Type.Optional(
    Type.Number({ minimum: 1.1, maximum: 10, description: "Growth of the amount each time; 2 where absent" }),
  ),
  ...checkpointFields,
  attributes: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[^\\u0000-\\u001f\\u007f]{1,200}$" }),
      Type.String({ minLength: 1, maxLength: MOST_EXPRESSION }),
      {
        ...{ additionalProperties: false, maxProperties: 200 },
        description: "Other attributes of its ad, each as a ClassAd expression",
      },
    ),
  ),
};

const parameterName = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$" });
const finite = Type.Number({ minimum: -1e15, maximum: 1e15 });

const seed = Type.Integer({ minimum: 0, maximum: 2 ** 31, description: "Seed of the random numbers" });
const objectiveFile = Type.Optional(
  Type.String({ ...word, minLength: 1, description: "A file of the job; its output where absent" }),
);

/** How a search chooses points. */
const searchSchema = Type.Object(
  {
    objective: Type.Union([
      Type.Object(
        {
          kind: Type.Literal("pattern"),
          pattern: Type.String({
            ...{ minLength: 1, maxLength: 1000 },
            description: "Regular expression: the first group of its last match in a line is the value",
          }),
          file: objectiveFile,
        },
        strict,
      ),
      Type.Object(
        {
          kind: Type.Literal("json"),
          path: Type.String({ minLength: 1, maxLength: 1000, description: "A field: `result.loss`" }),
          file: objectiveFile,
        },
        strict,
      ),
      Type.Object({ kind: Type.Literal("exitCode") }, strict),
    ]),
    goal: Type.Enum(["minimize", "maximize"]),
    method: Type.Union([
      Type.Object(
        {
          ...{ kind: Type.Literal("annealing"), seed },
          t0: Type.Optional(
            Type.Number({ exclusiveMinimum: 0, maximum: 1e300, description: "The first temperature" }),
          ),
          cooling: Type.Optional(
            Type.Number({ minimum: 1e-6, maximum: 1, description: "Its factor from point to point" }),
          ),
          restarts: Type.Integer({ minimum: 0, maximum: MOST_EVALUATIONS }),
        },
        strict,
      ),
      Type.Object({ kind: Type.Literal("random"), seed }, strict),
      Type.Object(
        {
          kind: Type.Literal("exec"),
          command: Type.Array(Type.String({ ...word, maxLength: 4096 }), {
            ...{ minItems: 1, maxItems: 100 },
            description: "A program at the broker, by its absolute path, and its arguments",
          }),
        },
        strict,
      ),
    ]),
    parallel: Type.Integer({ minimum: 1, maximum: MOST_EVALUATIONS, description: "Points at a time" }),
    evaluations: Type.Integer({ minimum: 1, maximum: MOST_EVALUATIONS, description: "Points in all" }),
  },
  { ...strict, description: "The outputs of jobs choose the points of the next ones" },
);

/** Parameters of an array. */
const sweepSchema = Type.Object(
  {
    parameters: Type.Array(
      Type.Union([
        Type.Object(
          { name: parameterName, values: Type.Array(text, { minItems: 1, maxItems: MOST_MEMBERS }) },
          strict,
        ),
        Type.Object(
          {
            ...{ name: parameterName, from: finite, step: finite },
            count: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
          },
          strict,
        ),
      ]),
      { minItems: 1, maxItems: 50 },
    ),
    combine: Type.Enum(["product", "zip"], { description: "Every combination of values, or one by one" }),
    points: Type.Optional(
      Type.String({
        pattern: "^\\d{1,9}(-\\d{1,9})?(,\\d{1,9}(-\\d{1,9})?)*$",
        maxLength: MOST_POINTS_TEXT,
        description: "Points for which jobs are created, as ascending ranges; absent: all",
      }),
    ),
    search: Type.Optional(searchSchema),
  },
  {
    ...strict,
    description:
      "Parameters in whose values the jobs of an array differ: `${name}` and `_PARAM_name_` in texts; the " +
      "indexes are those of points, all where `array` is absent",
  },
);

/** Fields of a description. */
export const descriptionFields = {
  name: Type.Optional(jobName),
  executable: Type.String({
    ...word,
    minLength: 1,
    description:
      "A program; on the site's path, by its " + "absolute path, or by its name in the input sandbox",
  }),
  arguments: Type.Optional(Type.Array(text)),
  environment: Type.Optional(
    Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), text, {
      additionalProperties: false,
    }),
  ),
  interactive: Type.Optional(
    Type.Boolean({ description: "True for a program with a terminal, to which its owner attaches" }),
  ),
  stdInput: Type.Optional(fileName),
  workingDirectory: Type.Optional(
    Type.String({
      pattern: "^/[^\\u0000]*$",
      maxLength: 4096,
      description: "Absolute path of the directory in which the program runs; the job's own where absent",
    }),
  ),
  prologue: Type.Optional(
    Type.String({
      ...word,
      minLength: 1,
      description: "Program that runs before it; found as the executable",
    }),
  ),
  prologueArguments: Type.Optional(Type.Array(text)),
  epilogue: Type.Optional(
    Type.String({ ...word, minLength: 1, description: "Program that runs after it, however it ended" }),
  ),
  epilogueArguments: Type.Optional(Type.Array(text)),
  signalBefore: Type.Optional(
    Type.String({
      pattern: "^(HUP|INT|QUIT|USR1|USR2|TERM)@[1-9]\\d{0,6}$",
      description: "Signal that the program gets so many seconds before its time limit, as `USR1@300`",
    }),
  ),
  stdOutput: Type.Optional(fileName),
  stdError: Type.Optional(fileName),
  inputSandbox: Type.Optional(Type.Array(inputFile, { maxItems: 10_000 })),
  outputSandbox: Type.Optional(
    Type.Array(
      Type.String({
        pattern: OUTPUT_PATTERN,
        maxLength: 4096,
        description:
          "A file, a directory (`results/`) or a pattern (`*.dat`, `out/**/*.csv`) in the job's directory",
      }),
      { maxItems: 10_000 },
    ),
  ),
  procs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, default: 1 })),
  memoryBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  gpus: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  wallTimeSec: Type.Optional(
    Type.Number({
      minimum: 0.001,
      maximum: MOST_WALL_TIME_SEC,
      description: "The time limit, to the millisecond; ten years at most",
    }),
  ),
  delayCostSuPerHour: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "Its processors where absent" }),
  ),
  site: Type.Optional(Type.String({ pattern: "^[^\\s\\u0000]+$", description: "a name without blanks" })),
  reservation: Type.Optional(
    Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "the whole id of a reservation" }),
  ),
  ticket: Type.Optional(
    Type.String({ maxLength: 5000, description: "A ticket's line; the job is then of the ticket's site" }),
  ),
  virtualOrganisation: Type.Optional(
    Type.String({ pattern: CONSUMER, description: "A consumer path within yours, or above it" }),
  ),
  after: Type.Optional(
    Type.Array(
      Type.String({
        pattern: DEPENDENCY_PATTERN,
        description: "Job that has to end first: `ok:ID`, `failed:ID` or `any:ID`; ids may be abbreviated",
      }),
      { maxItems: 1000 },
    ),
  ),
  array: Type.Optional(
    Type.String({
      pattern: ARRAY_PATTERN,
      maxLength: MOST_ARRAY_CHARACTERS,
      description:
        "An array of such jobs: indexes as in `0-9`, `1,3,5`, `0-20:4`, and after `%` how many run " +
        "at once. Its id is in the answer",
    }),
  ),
  sweep: Type.Optional(sweepSchema),
  ...matchingFields,
  userTags: Type.Optional(Type.Record(Type.String(), Type.String())),
};

/** One description. */
export const submissionSchema = Type.Object(descriptionFields, strict);

/** New values of a waiting job; what is absent stays. */
export const jobEditSchema = Type.Object(
  {
    ...{
      name: descriptionFields.name,
      procs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })),
    },
    ...{ memoryBytes: descriptionFields.memoryBytes, wallTimeSec: descriptionFields.wallTimeSec },
    site: Type.Optional(
      orNull(Type.String({ pattern: "^[^\\s\\u0000]+$", description: "Null: chosen by the broker" })),
    ),
    userTags: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "Added to its tags, or instead of those of the same key",
      }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 32 - 2,
        description:
          "In the numbers of the queue that it is in, where that has priorities; larger is sooner. " +
          "Administrators and operators of the site may raise it",
      }),
    ),
  },
  { ...strict, minProperties: 1, description: "New values of a waiting job; absent fields do not change" },
);

/** One description, or many. */
export const submissionsSchema = Type.Union([
  submissionSchema,
  Type.Array(submissionSchema, { minItems: 1, maxItems: BULK_LIMIT }),
]);

/**
 * A description as submitted: absent fields have the defaults of `JOB_DEFAULTS`. Input sandbox paths are
 * absolute.
 */
export type JobSubmission = Shape<typeof submissionSchema>;
/** New values of a waiting job. */
export type JobEditRequest = Shape<typeof jobEditSchema>;
/** Query of a submission. */
export type SubmitQuery = Shape<typeof submitQuery>;
