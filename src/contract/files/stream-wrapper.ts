/** Orders of a stream wrapper: the file of `stint stream-wrapper`, which the broker writes. */
import {
  as,
  count,
  filled,
  flag,
  list,
  mapping,
  names,
  number,
  orNone,
  path,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";

const MEGABYTE = 1_000_000;

const address = text({
  pattern: "^((https?://|file:///|s3://)[^\\s\\p{Cc}]+|exec:[^\\p{Cc}]+)$",
  examples: ["https://data.example.org/run7.dat", "file:///data/run7.dat", "s3://runs/run7.dat"],
  mismatch: {
    code: "badSourceAddress",
    noun: "address of a source",
    why: "data are read from http://, https://, file:///, s3://, or a program as exec:NAME",
  },
});

const bytesPerSec = (description: string, example: string) =>
  number({ description, least: 0, most: 1e15, examples: [example] });

const end = mapping(
  {
    line: text({ description: "Last line of the file.", pattern: "^[^\\p{Cc}]{1,200}$" }),
    bytes: count({ least: 1, most: Number.MAX_SAFE_INTEGER, description: "Final size of the file." }),
    silenceMs: count({
      ...{ least: 1, most: Number.MAX_SAFE_INTEGER },
      description: "Time without new data after which the file has ended.",
    }),
  },
  { description: "End condition of a single growing file; absent: the stream is drained." },
);

const source = mapping(
  {
    href: list(address, {
      orOne: true,
      least: 1,
      most: 16,
      description: "Address of the data; further ones are mirrors of the same bytes.",
    }),
    list: word(["manifest", "generator", "prefix"], {
      description:
        "manifest: the address is that of a list of files, ADDRESS [BYTES] [CHECKSUM] a line; " +
        "generator: it has {n}, which counts from 1; prefix: the files whose addresses begin with it. " +
        "Absent: it is that of the data.",
    }),
    exec: list(text({ pattern: "^[^\\u0000]{1,4096}$" }), {
      ...{ least: 1, most: 1000 },
      description:
        "Program whose output is the data, and its arguments, in which {offset} is the byte to begin at; " +
        "the address is its name in reports.",
    }),
    endless: flag({ description: "True for a list or a file that grows; 404 means not yet." }),
    end,
    credentials: path({ description: "File with the keys of an S3 store, which only its owner can read." }),
    checksum: text({
      description: "Checksum of the whole source: sha256, md5 or adler32, a colon, hexadecimal digits.",
      pattern: "^(sha256:[0-9a-f]{64}|md5:[0-9a-f]{32}|adler32:[0-9a-f]{8})$",
      examples: [`adler32:${"0".repeat(8)}`],
      mismatch: {
        code: "badChecksum",
        noun: "checksum",
        why: "it is sha256:, md5: or adler32: with 64, 32 or 8 hexadecimal digits in lower case",
      },
    }),
  },
  { required: { href: "the wrapper reads from there" } },
);

const command = list(text({ pattern: "^[^\\u0000]{1,4096}$" }), {
  ...{ least: 1, most: 1000, description: "Program and arguments; no shell reads them." },
});
const stageName = text({ description: "Name of the stage in reports.", pattern: "^\\S{1,100}$" });

const stage = mapping(
  {
    name: stageName,
    command,
    storage: as(
      "storageBytes",
      quantity("size", {
        examples: ["16MB"],
        description: "Storage for the output of the previous stage, until this stage acknowledges it.",
      }),
    ),
  },
  {
    required: {
      name: "reports name the stage",
      command: "it processes the output of the stage before",
      storage: "output that waits needs storage",
    },
  },
);

const application = mapping(
  {
    command,
    name: stageName,
    next: usually(
      [],
      list(stage, {
        most: 16,
        description: "Further stages: each processes what the previous one has made of a block.",
      }),
    ),
    delivery: usually(
      "lines",
      word(["lines", "directory", "bytes"], {
        description:
          "lines: JSON lines over stdin and stdout; directory: files in STINT_STREAM_INBOX; " +
          "bytes: the data themselves on stdin.",
      }),
    ),
    environment: usually({}, names(text({ pattern: "^[^\\u0000]*$" }))),
    cpus: text({
      description: "Numbers of the processors that it may use, in the form of taskset; absent: any.",
      pattern: "^\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?){0,200}$",
      examples: ["0-3"],
    }),
    restarts: usually(
      3,
      count({
        least: 0,
        most: 1000,
        description: "Starts after a crash without an acknowledgement between.",
      }),
    ),
  },
  { required: { command: "it processes the blocks" } },
);

const sink = mapping(
  {
    href: text({
      description: "Address below which results are put, as STREAM/BLOCK-NAME.",
      pattern: "^(https?://|file:///)[^\\s\\p{Cc}]+$",
      examples: ["https://results.example.org/run7", "file:///results/run7"],
      mismatch: {
        code: "badSinkAddress",
        noun: "address of a sink",
        why: "results are sent to http://, https:// or file:///",
      },
    }),
    mode: word(["put", "append"], {
      description:
        "put: each result is an object of its own, also if absent; append: all are in one file, " +
        "HREF/STREAM, in the order of the blocks.",
    }),
    storage: as(
      "storageBytes",
      quantity("size", { examples: ["2GB"], description: "Storage for results that are not sent yet." }),
    ),
  },
  { required: { href: "results go there", storage: "results that are not sent yet need storage" } },
);

/** The shape of the order of one wrapper. */
export const streamWrapperShape = mapping(
  {
    stream: text({
      description: "Name of the stream in reports.",
      pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$",
      examples: ["run7"],
      mismatch: {
        code: "badStreamName",
        noun: "name of a stream",
        why: "it has up to 100 letters, digits, points, underscores and hyphens",
      },
    }),
    directory: path({ description: "Directory of the stream's blocks, position and reports." }),
    sources: list(source, { least: 1, most: 100_000, description: "Sources, read one after the other." }),
    blockSize: as(
      "blockBytes",
      usually(16 * MEGABYTE, quantity("size", { examples: ["16MB"], description: "Bytes in a block." })),
    ),
    connections: usually(
      2,
      count({ least: 1, most: 64, description: "Blocks that are fetched at the same time." }),
    ),
    ahead: usually(
      1000,
      count({ least: 1, most: 1_000_000, description: "Blocks fetched and not yet acknowledged." }),
    ),
    quota: as("quotaBytes", quantity("size", { examples: ["1GB"], description: "Storage of the stream." })),
    haltAbove: as(
      "haltAboveBytes",
      quantity("size", {
        examples: ["900MB"],
        description: "Occupation above which no block begins; quota less connections blocks where absent.",
      }),
    ),
    resumeBelow: as(
      "resumeBelowBytes",
      quantity("size", {
        examples: ["500MB"],
        description: "Occupied space at which a halted transfer resumes; absent: half the quota.",
      }),
    ),
    rate: filled(
      mapping({
        least: usually(
          MEGABYTE,
          bytesPerSec("The minimum in bytes a second, which needs no lease.", "1000000"),
        ),
        first: bytesPerSec("In bytes a second at the start; least where absent.", "5000000"),
      }),
    ),
    lease: as(
      "leaseMs",
      usually(
        15_000,
        orNone(quantity("duration", { examples: ["15s"] }), {
          description: "Time for which an allocation is valid without renewal; none: indefinitely.",
        }),
      ),
    ),
    idle: as(
      "idleMs",
      usually(
        30_000,
        quantity("duration", {
          examples: ["30s"],
          description: "Time without data after which a connection is closed.",
        }),
      ),
    ),
    application,
    sink,
    trial: mapping(
      {
        className: stageName,
        mostMs: count({ least: 1, most: 86_400_000, description: "Time of the trial in milliseconds." }),
        mostBlocks: count({
          least: 1,
          most: 1000,
          description: "Number of blocks after which the trial ends earlier.",
        }),
      },
      {
        description:
          "Trial, which ends after a time or a number of blocks; the report has the measured rate.",
        required: {
          className: "the report names it",
          mostMs: "a trial ends",
          mostBlocks: "a trial ends",
        },
      },
    ),
  },
  {
    required: {
      stream: "reports name it",
      directory: "blocks are kept there",
      sources: "the data come from there",
      quota: "no more storage is used",
      application: "it processes the blocks",
    },
  },
);

/** The shape of the orders for a wrapper that runs. */
export const streamControlShape = mapping(
  {
    serial: count({
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
      description: "Number of the renewal; a changed number renews the allocation.",
    }),
    bytesPerSec: bytesPerSec("The allocation.", "5000000"),
    quotaBytes: count({
      least: 0,
      most: Number.MAX_SAFE_INTEGER,
      description: "The quota; as before where absent.",
    }),
    isPaused: usually(false, flag({ description: "True: nothing is fetched; the application continues." })),
    end: word(["drain", "stop"], {
      description:
        "drain: fetch nothing more, and process the data already fetched; stop: end immediately, to " +
        "be continued later.",
    }),
  },
  { required: { serial: "it tells a renewal from the order before", bytesPerSec: "it is the allocation" } },
);
