/** Streams: requests and responses. */
import { Type } from "typebox";
import { inputFile } from "./description.ts";
import { count, instant, lengthSec, orNull, ref, type Shape, strict } from "./fields.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const some = (description: string) => Type.Integer({ minimum: 1, maximum: MOST, description });
const number = (description: string) => Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description });
const word = Type.String({ maxLength: 4096, pattern: "^[^\\u0000]*$" });
const rate = Type.Number({ minimum: 0, description: "Bytes per second" });

const source = Type.Object(
  {
    href: Type.Array(
      Type.String({ maxLength: 4096, pattern: "^((https?://|file:///|s3://)[^\\s]+|exec:[^\\p{Cc}]+)$" }),
      {
        minItems: 1,
        maxItems: 16,
        description: "Address of the source, and of its mirrors",
      },
    ),
    list: Type.Optional(
      Type.Enum(["manifest", "generator", "prefix"], {
        description:
          "Kind of the address: a list of files (`manifest`), or a pattern with the counter {n} " +
          "(`generator`), or the beginning of the addresses of files (`prefix`); absent: the data themselves",
      }),
    ),
    exec: Type.Optional(
      Type.Array(word, {
        ...{ minItems: 1, maxItems: 1000 },
        description:
          "Program whose output is the data, with its arguments; the address is exec: and its name",
      }),
    ),
    endless: Type.Optional(
      Type.Boolean({
        description:
          "True: the source grows, and a response 404 means that the next part does not exist yet; " +
          "with neither `list` nor `exec`, a single file to which another program appends",
      }),
    ),
    end: Type.Optional(
      Type.Object(
        {
          line: Type.Optional(
            Type.String({ pattern: "^[^\\p{Cc}]{1,200}$", description: "Last line of the file" }),
          ),
          bytes: Type.Optional(some("Final size of the file")),
          silenceSec: Type.Optional(lengthSec("Time without new data", { least: 1 })),
        },
        {
          ...strict,
          description:
            "The first of these conditions that is met ends the file; absent: draining the stream does",
        },
      ),
    ),
    credentials: Type.Optional(
      Type.String({
        ...{ maxLength: 4096, pattern: "^/[^\\u0000]+$" },
        description: "File at the site with the keys of s3:// addresses",
      }),
    ),
    checksum: Type.Optional(
      Type.String({ pattern: "^(sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}|adler32:[0-9a-f]{8})$" }),
    ),
  },
  strict,
);

const stageName = Type.String({ pattern: "^\\S{1,100}$", description: "Name of the stage" });

const utility = Type.Object(
  {
    kind: Type.Enum(["log", "alpha", "linear", "sigmoid", "step"]),
    weight: Type.Optional(number("In place of the weight of the stream")),
    unitBytesPerSec: some("Bandwidth that counts as 1"),
    a: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100, description: "α of alpha" })),
    k: Type.Optional(number("Steepness of sigmoid")),
    x0: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e9,
        description: "Bandwidth at the centre of a sigmoid or at a step, in units",
      }),
    ),
  },
  { ...strict, description: "Utility of bandwidth; absent: log in MB/s" },
);

const streamFields = {
  name: Type.String({ pattern: "^[^\\p{Cc}]{1,200}$" }),
  weight: number("Weight of the stream: the larger it is, the more bandwidth the stream gets"),
  weightStep: number("Growth of the weight per period of waiting"),
  weightPeriodSec: lengthSec("Period after which the weight grows", { least: 1 }),
  procs: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  minBytesPerSec: some("Bandwidth that it needs at least"),
  maxBytesPerSec: Type.Optional(some("Bandwidth that it can use at most")),
  minBytes: some("Storage that it needs at least"),
  maxBytes: Type.Optional(some("Storage that it can use at most")),
  utility: Type.Optional(utility),
  sources: Type.Array(source, { minItems: 1, maxItems: 10_000 }),
  sink: Type.Optional(
    Type.Object(
      {
        href: Type.String({ maxLength: 4096, pattern: "^(https?://|file:///)[^\\s]+$" }),
        storageBytes: some("Storage for results that are not sent yet, beside minBytes"),
        mode: Type.Optional(
          Type.Enum(["put", "append"], {
            description:
              "put: each result is an object of its own, STREAM/BLOCK-NAME; append: all results are in " +
              "the file STREAM, in the order of the blocks, which requires file:///; absent: put",
          }),
        ),
      },
      { ...strict, description: "Address to which results are sent" },
    ),
  ),
  blockBytes: some("Bytes in a block"),
  connections: Type.Integer({ minimum: 1, maximum: 64 }),
  ahead: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Blocks fetched in advance" }),
  delivery: Type.Enum(["lines", "directory", "bytes"]),
  command: Type.Array(word, { minItems: 1, maxItems: 1000 }),
  pipeline: Type.Optional(
    Type.Object(
      {
        first: stageName,
        next: Type.Array(
          Type.Object(
            {
              name: stageName,
              command: Type.Array(word, { minItems: 1, maxItems: 1000 }),
              storageBytes: some("Storage for the output of the previous stage, beside minBytes"),
            },
            strict,
          ),
          { minItems: 1, maxItems: 16 },
        ),
      },
      { ...strict, description: "Name of the stage that runs `command`, and the stages after it, in order" },
    ),
  ),
  environment: Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), word),
  restarts: Type.Integer({ minimum: 0, maximum: 1000 }),
  wallTimeSec: Type.Optional(lengthSec("Time limit of its job", { least: 1 })),
  type: Type.Optional(
    Type.String({ pattern: "^[A-Za-z0-9_.+-]{1,100}$", description: "Architecture of its processors" }),
  ),
  requirements: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 10_000 },
      description: "ClassAd expression that the ad of a class of processors must fulfil",
    }),
  ),
  trialSec: Type.Optional(lengthSec("Longest trial on a class of processors", { least: 1, most: 86_400 })),
};

/** Request for a stream. */
export const streamRequestSchema = Type.Object(
  {
    site: Type.String({ minLength: 1, maxLength: 64 }),
    stream: Type.Object(streamFields, strict),
    inputSandbox: Type.Optional(
      Type.Array(inputFile, {
        maxItems: 10_000,
        description: "Files that are copied into the directory in which the programs of the stream run",
      }),
    ),
    virtualOrganisation: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  strict,
);

/** Change of a stream that is not over. */
export const streamChangeSchema = Type.Object(
  {
    weight: Type.Optional(streamFields.weight),
    maxBytesPerSec: Type.Optional(some("Bandwidth that it can use at most")),
    paused: Type.Optional(
      Type.Boolean({ description: "True: nothing is fetched; the application continues" }),
    ),
    draining: Type.Optional(
      Type.Literal(true, { description: "Fetch nothing more, and process the data already fetched" }),
    ),
  },
  { ...strict, minProperties: 1 },
);

const figures = Type.Object(
  {
    state: Type.String(),
    at: instant,
    allocatedBytesPerSec: rate,
    receivedBytesPerSec: rate,
    processedBytesPerSec: rate,
    ackedBytes: count,
    totalBytes: orNull(count, { description: "null: a source has not reported its size" }),
    lagBytes: orNull(count, { description: "Not yet acknowledged" }),
    occupiedBytes: count,
    quotaBytes: count,
    unsentBytes: Type.Optional({ ...count, description: "Results that the sink has not confirmed yet" }),
    sentBytes: Type.Optional({ ...count, description: "Results that the sink has confirmed" }),
    stages: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String(),
            bytesPerSec: orNull(rate, {
              description: "Bytes of stream data per second, while the stage has a block",
            }),
            waitingBytes: {
              ...count,
              description: "Output of the previous stage that this stage has not acknowledged",
            },
          },
          strict,
        ),
        { description: "Stages of a pipeline, in their order" },
      ),
    ),
    slowestStage: Type.Optional(Type.String({ description: "Name of the stage with the lowest rate" })),
    halts: count,
    haltedSec: Type.Number({ minimum: 0 }),
    position: Type.Integer({ minimum: 0, description: "First block that is not acknowledged" }),
    setAside: Type.Integer({ minimum: 0, description: "Blocks on which the application crashed twice" }),
    trouble: orNull(Type.String({ description: "Trouble with a source or the sink, while it lasts" })),
    stall: Type.Optional(
      Type.Object(
        {
          with: Type.Enum(["source", "sink"]),
          since: instant,
          nextAttempt: Type.Optional(instant),
        },
        { ...strict, description: "What the trouble is with, since when, and when it is tried next" },
      ),
    ),
    failure: Type.Optional(
      Type.String({
        description: "Why the stream ended before the end of its data; absent if it did not",
      }),
    ),
  },
  { ...strict, description: "Last report of its wrapper" },
);

/** A stream with its figures. */
export const streamSchema = Type.Object(
  {
    id: Type.String({ description: "Id of the stream, which is also the id of its job" }),
    name: Type.String(),
    site: Type.String(),
    state: Type.String({
      description: "WAITING, SELECTED, TRIAL, RUNNING, HALTED, STALLED, SUSPENDED, DRAINING, DONE or FAILED",
    }),
    weight: Type.Number(),
    procs: Type.Integer({ minimum: 1 }),
    processorClass: Type.Optional(Type.String({ description: "Class of its processors" })),
    onTrial: Type.Optional(
      Type.String({ description: "Class on which the stream is on trial, before its job starts" }),
    ),
    classRates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            className: Type.String(),
            bytesPerSec: rate,
            origin: Type.Enum(["measured", "estimated", "unknown"]),
          },
          strict,
        ),
        { description: "Classes on which the stream can run, the fastest first, with its rate on each" },
      ),
    ),
    failedTrials: Type.Optional(
      Type.Array(Type.Object({ className: Type.String(), why: Type.String() }, strict), {
        description: "Trials that have measured no rate",
      }),
    ),
    problem: Type.Optional(
      Type.Object(
        { why: Type.String(), since: instant },
        { ...strict, description: "What the broker cannot do for the stream, and tries again each second" },
      ),
    ),
    minBytesPerSec: rate,
    maxBytesPerSec: orNull(rate),
    submittedAt: instant,
    admittedAt: orNull(instant),
    endedAt: orNull(instant),
    figures: orNull(figures),
  },
  { ...strict, description: "A stream with its figures" },
);

/** List of streams. */
export const streamListSchema = Type.Object(
  { items: Type.Array(ref<StreamView>("Stream")) },
  { ...strict, description: "Streams, oldest first" },
);

/** A stream that is requested. */
export type StreamRequest = Shape<typeof streamRequestSchema>;
/** Changes of a stream. */
export type StreamChangeRequest = Shape<typeof streamChangeSchema>;
/** A stream with its figures. */
export type StreamView = Shape<typeof streamSchema>;
/** List of streams. */
export type StreamList = Shape<typeof streamListSchema>;
