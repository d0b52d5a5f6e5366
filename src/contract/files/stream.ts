/**
 * Shape of a stream: one definition for its YAML, its XML, and the schemas of both.
 *
 * In XML, words with a single value are attributes, others are elements; the items of a list are elements of
 * its name, and a mapping of names is an element `entry` with `name` and `value` for each.
 */
import {
  as,
  count,
  either,
  filled,
  flag,
  list,
  mapping,
  names,
  number,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";
import { CONSUMER_PATTERN, noConsumer } from "./texts.ts";

const plain = text({ defined: "text" });
const most = { least: 1, most: 1_000_000 };
const aboveZero = (description: string, why: string) => ({
  ...{ description, least: 0, most: 1_000_000, isAbove: true as const, noun: "a number", code: why },
});
const AMOUNT = "^[0-9]+([.][0-9]+)?( *[A-Za-z]+(/s)?)?$";
const amount = (description: string, example: string) =>
  text({
    ...{ description, pattern: AMOUNT, examples: [example] },
    mismatch: {
      code: "notAmount",
      noun: "amount",
      why: "it must be a number with a unit, or a number with a separate field unit",
    },
  });
const duration = (description: string, example: string) =>
  quantity("duration", {
    ...{ description, examples: [example] },
    ifZero: { why: "it is above 0", remedy: `write for instance ${example}` },
  });
const href = text({
  description: "A URL, or a path at the site.",
  examples: ["https://data.example/h1.gwf"],
});

const program = {
  path: text({ description: "The program, as in a job description.", examples: ["analyse"] }),
  arguments: either(
    { scalar: plain, list: list(plain) },
    {
      description: "Arguments of the program: one text, split as by a shell, or a list.",
      examples: ["--fast"],
    },
  ),
};

const end = mapping(
  {
    line: text({
      description: "Last line of the file, which is passed to the application, too.",
      pattern: "^[^\\p{Cc}]{1,200}$",
      examples: ["END-OF-RUN"],
      mismatch: { code: "badEndLine", noun: "line", why: "it has 1 to 200 characters and no line break" },
    }),
    size: as(
      "bytes",
      quantity("size", {
        description: "Final size of the file.",
        examples: ["10GB"],
        ifZero: { why: "a source has data", remedy: "write for instance 10GB" },
      }),
    ),
    silence: as("silenceMs", duration("Time without new data after which it has ended.", "10m")),
  },
  {
    description: "How a single file that grows ends; of several conditions, the first that is met ends it.",
    examples: ["{ silence: 10m }"],
  },
);

const source = mapping(
  {
    href,
    manifest: text({
      description: "A list of files: URL [BYTES] [CHECKSUM] a line.",
      examples: ["https://data.example/list"],
    }),
    prefix: text({
      description: "A prefix: all objects whose names begin with it are read, in order.",
      examples: ["s3://runs/7/"],
    }),
    generator: text({
      description: "A URL with a counter, which begins at 1.",
      examples: ["https://data.example/h1-{n}.gwf"],
    }),
    exec: text({ description: "A program that writes the data.", examples: ["rclone cat store:run7"] }),
    checksum: text({
      ...{
        pattern: "^(adler32|md5|sha256):[0-9a-fA-F]{8,64}$",
        examples: ["md5:9e107d9d372bb6826bd81d3542a419d6"],
      },
      mismatch: { code: "badChecksum", noun: "checksum", why: "it is adler32:, md5: or sha256: and digits" },
    }),
    rate: amount("The rate at which it delivers at most.", "10MB/s"),
    endless: usually(false, flag({ description: "True for a source that grows until its end marker." })),
    end,
    delegation: text({
      description: "Name of delegated credentials for this source. Recorded, without effect.",
      examples: ["data"],
    }),
    credentials: text({
      description: "File at the site with the keys of an s3:// source, which only its owner can read.",
      pattern: "^/[^\\p{Cc}]{1,4095}$",
      examples: ["/data/keys/s3.yaml"],
      mismatch: { code: "badCredentials", noun: "absolute path", why: "the site reads the keys from there" },
    }),
    mirror: usually([], list(text({ examples: ["https://mirror.example/h1.gwf"] }), { orOne: true })),
  },
  { examples: ["{ href: https://data.example/h1.gwf }"] },
);

const stage = mapping(
  {
    name: text({ pattern: "^\\S{1,100}$", examples: ["filter"] }),
    ...program,
    count: usually(1, count({ ...most, description: "Processors." })),
    storage: amount(
      "Storage for its output that the next stage has not processed; one block if absent.",
      "200MB",
    ),
    ackThrough: usually(
      true,
      flag({
        description:
          "True: a block of this stage counts as processed when the next stage has acknowledged it.",
      }),
    ),
  },
  {
    examples: ["{ name: filter, path: filter, count: 2 }"],
    required: { name: "status names stages by it", path: "a stage runs a program" },
  },
);

/** The shape of a utility. */
export const utilityShape = mapping(
  {
    kind: usually("log", word(["log", "alpha", "linear", "sigmoid", "step"], { default: "log" })),
    weight: number(aboveZero("In place of the stream's weight.", "badWeight")),
    unit: amount("The rate that counts as 1.", "1MB/s"),
    k: number({ ...aboveZero("Steepness of a sigmoid.", "badSteepness") }),
    x0: number({
      least: 0,
      most: 1e9,
      description: "Bandwidth at the centre of a sigmoid or at a step, in units.",
    }),
    a: number({ ...aboveZero("α of an α-fair utility.", "badAlpha"), most: 100 }),
  },
  { examples: ["{ kind: log, unit: 1MB/s }"] },
);

const EXAMPLE =
  "{ name: h1, executable: { path: analyse }, bandwidth: { min: 2MB/s }, storage: { min: 1GB }, " +
  "sources: { source: [{ href: h1.gwf }] } }";

/** The shape of a stream. */
export const streamShape = mapping(
  {
    name: text({
      pattern: "^[^\\p{Cc}]{1,200}$",
      description: "Name, for listings; need not be unique.",
      examples: ["ligo-h1"],
    }),
    weight: usually(1, number(aboveZero("Streams with more weight are served first.", "badWeight"))),
    weightStep: usually(1, number(aboveZero("Growth of the weight while it waits.", "badWeight"))),
    weightPeriod: as(
      "weightPeriodMs",
      usually(600_000, duration("Time after which the weight grows.", "10m")),
    ),
    virtualOrganisation: text({
      ...{
        pattern: CONSUMER_PATTERN,
        examples: ["ligo/burst"],
        description: "The VO or group for which it runs.",
      },
      mismatch: { ...noConsumer, code: "badOrganisation" },
    }),
    delegation: text({
      description: "Name of delegated credentials. Recorded, without effect.",
      examples: ["data"],
    }),
    executable: mapping(program, {
      examples: ["{ path: analyse, arguments: --fast }"],
      required: { path: "a stream runs a program" },
    }),
    environment: usually(
      {},
      names(plain, { description: "Variables.", examples: ["{ OMP_NUM_THREADS: 4 }"] }),
    ),
    inputSandbox: usually(
      [],
      list(plain, { orOne: true, description: "Files that are sent with it.", examples: ["[a.cfg]"] }),
    ),
    processors: filled(
      mapping({
        count: count({ ...most, description: "Processors; of a pipeline the sum over its stages." }),
        min: count({ ...most, description: "Minimum number, for an elastic stream." }),
        max: count({ ...most, description: "Maximum number, for an elastic stream." }),
        type: text({
          description: "Architecture of the processors.",
          pattern: "^[A-Za-z0-9_.+-]{1,100}$",
          examples: ["x86_64"],
        }),
        requirements: text({
          description: "ClassAd expression that the ad of a class of processors must satisfy.",
          examples: ["other.Speed > 1"],
        }),
      }),
    ),
    bandwidth: mapping(
      {
        min: amount("The least rate at which its data come.", "2MB/s"),
        max: amount("The greatest rate that it can use; without one the whole link.", "8MB/s"),
        unit: text({ description: "Unit of min and max, if they have none.", examples: ["MB/s"] }),
      },
      { examples: ["{ min: 2MB/s, max: 8MB/s }"], required: { min: "admission counts it" } },
    ),
    storage: mapping(
      {
        min: amount("The least storage for data that wait.", "20GB"),
        max: amount("The most that it can use.", "100GB"),
        unit: text({ description: "Unit of min and max, if they have none.", examples: ["GB"] }),
      },
      { examples: ["{ min: 20GB }"], required: { min: "admission counts it" } },
    ),
    utility: filled(utilityShape),
    sources: mapping(
      {
        order: usually("sequence", word(["sequence", "interleave", "align"], { default: "sequence" })),
        source: list(source, { orOne: true }),
      },
      {
        examples: ["{ source: [{ href: https://data.example/h1.gwf }] }"],
        required: { source: "a stream has data" },
      },
    ),
    sink: mapping(
      {
        href,
        mode: usually("put", word(["put", "append"], { default: "put" })),
        minBandwidth: amount("The least rate at which results leave.", "500kB/s"),
        storage: amount("Share of the storage for results that are not sent yet.", "2GB"),
      },
      { examples: ["{ href: https://results.example/ }"], required: { href: "results go there" } },
    ),
    blocks: filled(
      mapping({
        size: as(
          "sizeBytes",
          usually(
            64_000_000,
            quantity("size", {
              examples: ["64MB"],
              ifZero: { why: "a block has data", remedy: "write for instance 64MB" },
            }),
          ),
        ),
        files: count({ ...most, description: "Maximum number of files in a block." }),
        ahead: usually(2, count({ least: 1, most: 1000, description: "Blocks fetched in advance." })),
        connections: usually(1, count({ least: 1, most: 64, description: "Parallel transfers." })),
      }),
    ),
    processing: filled(
      mapping({
        rateHint: amount("Expected rate of processing.", "10MB/s"),
        trial: as(
          "trialMs",
          usually(30_000, duration("Maximum duration of a trial run on a class of processors.", "30s")),
        ),
        ack: usually("line", word(["line", "file", "exit", "bytes"], { default: "line" })),
      }),
    ),
    pipeline: mapping(
      { stage: list(stage, { orOne: true, least: 1 }) },
      {
        examples: ["{ stage: [{ name: filter, path: filter }] }"],
        required: { stage: "a pipeline has stages" },
      },
    ),
    limits: filled(
      mapping({
        wallTime: as("wallTimeMs", duration("Time limit of the whole.", "24h")),
        deadline: as(
          "deadlineMs",
          duration("Time from the submission within which it should be done.", "36h"),
        ),
        maxLag: as(
          "maxLagBytes",
          quantity("size", { description: "Lag that raises an alarm.", examples: ["10GB"] }),
        ),
        restarts: usually(3, count({ least: 0, most: 1000, description: "Restarts after a crash." })),
      }),
    ),
  },
  {
    description: "An application that processes its data while they arrive.",
    examples: [EXAMPLE],
    required: {
      name: "status and results name it",
      bandwidth: "admission counts its minimum",
      storage: "admission counts its minimum",
      sources: "a stream has data",
    },
  },
);

/** The shape of the file: the stream below its word, which is the element of the XML. */
export const streamFileShape = mapping(
  { stream: streamShape },
  {
    description: "A stream; docs/schemas/stream.xsd has the same in XML.",
    required: { stream: "it is a stream" },
  },
);
