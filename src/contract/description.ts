/** Job descriptions as JSON, with or without their defaults. */
import { Type } from "typebox";
import {
  APPLICATION_ASKED,
  ARRAY_PATTERN,
  DEFAULT_RANKS,
  DEPENDENCY_PATTERN,
  type DefaultRank,
  MOST_ARRAY_CHARACTERS,
  MOST_REPLICAS,
  OUTPUT_PATTERN,
  UPLOAD_PREFIX,
} from "../model/index.ts";
import { checkpointFields } from "./checkpoint-fields.ts";
import { dataFields } from "./data-fields.ts";
import { as, CONSUMER, INSTANT_PATTERN, orNull, type Shape, strict, text, word } from "./fields.ts";
import { hostFields } from "./host-fields.ts";
import { mailFields } from "./mail-fields.ts";
import { sweepSchema } from "./sweep.ts";

/** Limit on descriptions in one request. */
const BULK_LIMIT = 1000;

/** Limit on wall time: a chain of many such jobs still starts at a date that can be written. */
const MOST_WALL_TIME_SEC = 10 * 366 * 24 * 3600;

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
/** The consumer that a job is for. */
export const virtualOrganisation = Type.String({
  pattern: CONSUMER,
  description: "A consumer path within yours, or above it",
});
/** Values by key, given by the user. */
export const userTags = Type.Record(Type.String(), Type.String());
/** A file that goes with a job. */
export const inputFile = Type.String({
  pattern:
    `^(${UPLOAD_PREFIX}(?![^\\u0000]*/\\.\\.?$))?` +
    "(?![^\\u0000]*/\\./([^\\u0000]*/)?(\\.{0,2}/|\\.\\.?$))/[^\\u0000]*[^/\\u0000]$",
  maxLength: 4096,
  description:
    "the absolute path of a file on the broker's machine, or `upload:SHA256/NAME` for an uploaded " +
    "file (`upload+x:SHA256/NAME` for an executable one); the part after /./ is the file's path " +
    "in the job's directory",
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
  requirements: expression(
    "ClassAd expression that must be true of the site; other.NAME is an attribute of the site's " + "ad",
  ),
  applications: Type.Optional(
    Type.Array(
      Type.String({
        pattern: APPLICATION_ASKED.source,
        description: "an application, as in root or root >= 6.30",
      }),
      {
        ...{ minItems: 1, maxItems: 50, uniqueItems: true },
        description: "Applications that its site must have; they are set up before the program runs",
      },
    ),
  ),
  ...dataFields,
  ...hostFields,
  ...mailFields,
  rank: expression("ClassAd expression by which matching sites are ordered, greatest first"),
  fuzzyRank: Type.Optional(
    Type.Union([Type.Boolean(), Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })], {
      description:
        "Random choice among matching sites, weighted by rank: true, or a factor; a larger factor gives " +
        "the rank more weight",
    }),
  ),
  strictDefaults: Type.Optional(
    Type.Boolean({
      description: "False: requirements replace the default requirements instead of adding to them",
    }),
  ),
  defaultRank: Type.Optional(
    as<DefaultRank>(
      Type.Enum([...DEFAULT_RANKS], {
        description:
          "Order of sites for a job without a rank: by predicted response time (`response`, the " +
          "default), or by JDL's default rank (`literal`)",
      }),
    ),
  ),
  expiryTime: Type.Optional(
    Type.String({
      pattern: INSTANT_PATTERN,
      description: "Instant after which the job is no longer matched",
    }),
  ),
  retryCount: retries(0, "Times that it may run again after its site lost it, ten at most; 0 where absent"),
  shallowRetryCount: retries(
    -1,
    "Maximum number of resubmissions if it does not start, up to ten, also to the same site; -1: " +
      "none; absent: three, each to another site",
  ),
  queueTimeSec: Type.Optional(
    Type.Number({
      ...{ minimum: 1, maximum: MOST_WALL_TIME_SEC },
      description:
        "Time in the queue of a site after which the job, if it has not begun, leaves that queue and is " +
        "matched again; absent: it stays there",
    }),
  ),
  bid: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 64 },
      description: "Id of the bid that the job accepts; `site` must be the site of the bid",
    }),
  ),
  replicas: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: MOST_REPLICAS },
      description:
        "Number of sites in whose queues the job waits at once; it starts at one of them, and is " +
        "withdrawn from the others. Absent: 1",
    }),
  ),
  retryMemoryBytes: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      description: "If it runs out of memory, it is retried with more, up to this amount",
    }),
  ),
  retryTimeSec: Type.Optional(
    Type.Number({
      ...{ minimum: 0.001, maximum: MOST_WALL_TIME_SEC },
      description: "If it reaches its time limit, it is retried with a longer one, up to this",
    }),
  ),
  retryFactor: Type.Optional(
    Type.Number({
      minimum: 1.1,
      maximum: 10,
      description: "Factor by which memory or time limit grows with each retry; absent: 2",
    }),
  ),
  ...checkpointFields,
  attributes: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[^\\u0000-\\u001f\\u007f]{1,200}$" }),
      Type.String({ minLength: 1, maxLength: MOST_EXPRESSION }),
      {
        ...{ additionalProperties: false, maxProperties: 200 },
        description: "Further attributes of the job's ad, each a ClassAd expression",
      },
    ),
  ),
};

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
      description: "Program that runs before the executable, and is located in the same way",
    }),
  ),
  prologueArguments: Type.Optional(Type.Array(text)),
  epilogue: Type.Optional(
    Type.String({
      ...word,
      minLength: 1,
      description: "Program that runs after the executable, whatever its result",
    }),
  ),
  epilogueArguments: Type.Optional(Type.Array(text)),
  signalBefore: Type.Optional(
    Type.String({
      pattern: "^(HUP|INT|QUIT|USR1|USR2|TERM)@[1-9]\\d{0,6}$",
      description:
        "Signal to the program and how many seconds before the time limit it is sent, as `USR1@300`",
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
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: "Cost of delaying the job by an hour, in SU; absent: one SU per processor",
    }),
  ),
  site: Type.Optional(Type.String({ pattern: "^[^\\s\\u0000]+$", description: "a name without blanks" })),
  reservation: Type.Optional(
    Type.String({ pattern: "^[a-z0-9-]{1,64}$", description: "the whole id of a reservation" }),
  ),
  ticket: Type.Optional(
    Type.String({
      maxLength: 5000,
      description: "The ticket, as one line; the job runs at the site of the ticket",
    }),
  ),
  virtualOrganisation: Type.Optional(virtualOrganisation),
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
  userTags: Type.Optional(userTags),
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
        description: "Tags to add; they replace tags with the same key",
      }),
    ),
    priority: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 32 - 2,
        description:
          "Priority in the queue of its cluster, if that queue has priorities; larger numbers start " +
          "sooner. Only administrators and operators of the site may raise it",
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
