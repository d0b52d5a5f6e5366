/**
 * `stint.yaml`: settings of the server, and the sites: this machine, simulated clusters, clusters under
 * Slurm.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import {
  DISCIPLINES,
  EXEC_DEFAULTS,
  PUBLICATIONS,
  RESOURCE_NAME,
  SLURM_DEFAULTS,
} from "../../model/index.ts";
import { adAttributesShape } from "./ad-attributes.ts";
import { absolutePath, applicationsShape } from "./applications.ts";
import { pilotsShape } from "./pilots.ts";
import { enforcementShape, reservationsShape, shareOfOne } from "./reservation-rules.ts";
import { serverShape } from "./server.ts";
import {
  as,
  cases,
  count,
  filled,
  flag,
  list,
  type Mismatch,
  mapping,
  names,
  path,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";
import { streamPoolShape } from "./stream-pool.ts";
import { capacity, consumerPath, timeLimit } from "./texts.ts";

/** The limit of the API. */
const MOST_PROCS = 1_000_000;

const noResource: Mismatch = {
  code: "badResource",
  noun: "name for this",
  why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
};
const resourceNames = { keys: { pattern: RESOURCE_NAME.source, mismatch: noResource } };
const priced = (unit: "size" | "rate", usual: string) =>
  quantity(unit, {
    description: "Amount that is priced like one processor.",
    ...{ default: usual, examples: [usual] },
    ifZero: { why: "it is the unit of a price", remedy: "omit it for the default" },
  });
const whyAmount = "what it holds or carries nobody else can say";

/** Stores by their names. */
export const storesShape = names(
  mapping(
    {
      size: as("sizeBytes", capacity("size", "Capacity of the store.", "200G")),
      unit: as("unitBytes", priced("size", "1T")),
      directory: absolutePath(
        "Path of the store on the nodes, where jobs may leave files (outputData). Without it they may not.",
        "/data/stint",
      ),
    },
    { required: { size: whyAmount } },
  ),
  {
    description:
      "File stores by name. Parts of them can be reserved, and storage policies divide them among " +
      "consumers.",
    ...{ defined: "stores", examples: ["{ scratch: { size: 200G } }"], ...resourceNames },
  },
);

/** Links by their names. */
export const linksShape = names(
  mapping(
    {
      rate: as("rateBytesPerSec", capacity("rate", "Bandwidth of the link.", "1Gbit/s")),
      unit: as("unitBytesPerSec", priced("rate", "1Gbit/s")),
    },
    { required: { rate: whyAmount } },
  ),
  {
    description:
      "Network links by name, which must differ from those of stores. Parts of them can be reserved, " +
      "and network policies divide them among consumers.",
    ...{ defined: "links", examples: ["{ uplink: { rate: 1Gbit/s } }"], ...resourceNames },
  },
);

const name = text({
  description: "The name of the site.",
  ...{ defined: "name", pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$", examples: ["west"] },
  mismatch: {
    code: "badSite",
    noun: "name of a site",
    why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
    remedy: "choose a name like cluster-a",
  },
});

const procs = (description: string) => count({ description, least: 1, most: MOST_PROCS, examples: ["128"] });
const memory = (description: string) =>
  as(
    "memoryBytes",
    quantity("size", {
      ...{ description, examples: ["512G"] },
      ifZero: { why: "the amount must be above 0", remedy: "omit it for the default" },
    }),
  );
const gpus = (description: string) => count({ description, least: 0, most: MOST_PROCS, examples: ["4"] });
const wallTime = (usualMs: number) =>
  as(
    "defaultWallTimeMs",
    usually(
      usualMs,
      timeLimit("The time limit of jobs that state none.", "a job that may run for no time cannot run"),
    ),
  );
const ofEverySite = {
  discipline: usually(
    "easy",
    word(DISCIPLINES, { description: "The discipline of the site's queue.", examples: ["easy"] }),
  ),
  reservations: reservationsShape,
  enforcement: enforcementShape,
  stores: storesShape,
  links: linksShape,
  streams: streamPoolShape,
  applications: applicationsShape,
  ads: adAttributesShape,
  publish: word(PUBLICATIONS, {
    description:
      "What users see of the site. aggregates: totals and ranges, but no single partitions, nodes or jobs " +
      "of others; jobs are still matched with each partition. all (default): everything that the batch " +
      "system shows.",
    examples: ["aggregates"],
  }),
} as const;
const whyNamed = "jobs and people call it by one";
const whyTyped =
  "it is this machine (managed), a simulated cluster (simulated), one under Slurm (slurm), or one behind " +
  "an adapter (exec)";

const managed = mapping(
  {
    name,
    type: word(["managed"], { description: "This machine; at most one site may have this type." }),
    procs: procs("Processors to offer; by default all."),
    memory: memory("Memory to offer; by default all."),
    gpus: gpus("GPUs to offer, 0 to N-1 as CUDA numbers them; by default none."),
    // Long enough not to surprise whoever works on this machine.
    wallTime: wallTime(24 * MS_PER_HOUR),
    ...ofEverySite,
  },
  { defined: "managed", description: "This machine", required: { name: whyNamed, type: whyTyped } },
);

const delay = (description: string, example: string) =>
  usually(0, quantity("duration", { description, examples: [example] }));
const loss = (description: string) => usually(0, shareOfOne(description, "0.01"));

const simulated = mapping(
  {
    name,
    type: word(["simulated"], { description: "A simulated cluster with a queue of its own." }),
    procs: procs("Processors."),
    memory: memory("Memory; by default 1G for each processor."),
    gpus: gpus("GPUs; by default none."),
    wallTime: wallTime(MS_PER_HOUR),
    ...ofEverySite,
    jobs: usually(
      "imitate",
      word(["run", "imitate"], {
        description:
          "run: programs run on this machine when they start. imitate: starts are simulated, and " +
          "nothing runs.",
        examples: ["imitate"],
      }),
    ),
    speedUp: usually(
      1,
      count({
        description:
          "Speed-up over real time, for the arrivals and runs of background jobs and imitated jobs.",
        ...{ least: 1, most: 1_000_000, examples: ["60"] },
      }),
    ),
    background: usually(
      null,
      mapping(
        {
          trace: path({
            description:
              "A file in the Standard Workload Format, plain or gzip; it is repeated indefinitely.",
            examples: ["workload.swf.gz"],
            unreadable: {
              code: "traceUnreadable",
              noun: "the trace",
              remedy:
                "name a file in the Standard Workload Format; paths are relative to the folder of this file",
            },
          }),
          skip: as("skipMs", delay("Time after the first submission of the trace at which to begin.", "2d")),
        },
        {
          description: "Background jobs of other users.",
          examples: ["{ trace: workload.swf.gz }"],
          required: { trace: "other people's jobs come from one" },
        },
      ),
    ),
    delays: filled(
      mapping(
        {
          order: as("orderMs", delay("Time until a command takes effect.", "200ms")),
          start: as(
            "startMs",
            delay("Time from a job's start in the queue to the start of its program.", "1s"),
          ),
        },
        { description: "Delays of the cluster." },
      ),
    ),
    losses: filled(
      mapping(
        {
          failed: as("failedPpm", loss("The submission fails, and the job was not accepted.")),
          doubtful: as(
            "doubtfulPpm",
            loss("The submission is reported as failed, but the job was accepted."),
          ),
          vanished: as("vanishedPpm", loss("The job disappears later without a trace.")),
        },
        { description: "Failures, as fractions of submissions, with up to six decimals." },
      ),
    ),
    seed: usually(
      1,
      count({
        description: "Seed of all random choices.",
        ...{ least: 0, most: Number.MAX_SAFE_INTEGER, examples: ["7"] },
      }),
    ),
  },
  {
    ...{ defined: "simulated", description: "A cluster that is simulated in real time" },
    required: { name: whyNamed, type: whyTyped, procs: "how large a simulated site is nobody else can say" },
  },
);

/** A name in the cluster, of characters that no command takes for an option. */
const nameThere = (description: string, example: string) =>
  usually(
    null,
    text({
      ...{ description, pattern: "^[A-Za-z0-9_][A-Za-z0-9_.@:,+-]{0,127}$", examples: [example] },
      mismatch: {
        code: "badName",
        noun: "name there",
        why: "a name has letters, digits and _ . @ : , + -, and begins with a letter, a digit or _",
      },
    }),
  );
/** A path at the site, not checked on this machine. */
const pathThere = (description: string, example: string) =>
  usually(
    null,
    text({
      ...{ description, pattern: "^/", examples: [example] },
      mismatch: {
        code: "badPath",
        noun: "whole path",
        why: "it is a path on the cluster's machines, so it cannot be relative to this file",
      },
    }),
  );

const slurm = mapping(
  {
    name,
    type: word(["slurm"], { description: "A cluster under Slurm, reached with an ordinary account." }),
    procs: procs("Processors; by default what the cluster reports."),
    memory: memory("Memory; by default what the cluster reports."),
    gpus: gpus("GPUs; by default what the cluster reports."),
    wallTime: wallTime(SLURM_DEFAULTS.defaultWallTimeMs),
    ...ofEverySite,
    readOnly: usually(
      SLURM_DEFAULTS.readOnly,
      flag({
        description:
          "The cluster is only observed: waits are explained and predicted, but nothing is submitted or " +
          "changed.",
        examples: ["false"],
      }),
    ),
    sshHost: nameThere(
      "A login node that ssh reaches without a password. Without it, Slurm's commands run on the " +
        "broker's machine.",
      "login.example.org",
    ),
    slurmConf: pathThere("The cluster's slurm.conf, if it is not the default one.", "/etc/slurm/slurm.conf"),
    account: nameThere("The Slurm account of jobs; by default that of the user.", "physics"),
    partition: nameThere("The partition of jobs; by default that of the cluster.", "batch"),
    qos: nameThere("The QOS of jobs; by default that of the account.", "normal"),
    submitDirectory: pathThere(
      "Directory in which job directories are created, on a file system that the nodes share. Required if " +
        "readOnly is false.",
      "/data/stint",
    ),
    consumers: names(consumerPath, {
      description:
        "Consumer for each account of the cluster; an account that is not listed maps to the consumer of " +
        "the same name.",
      examples: ["{ physics: cms, chemistry: atlas/higgs }"],
    }),
    pollsPerMinute: usually(
      SLURM_DEFAULTS.pollsPerMinute,
      count({
        description: "Number of polls of the cluster per minute.",
        ...{ least: 1, most: 600, examples: ["6"] },
      }),
    ),
    pilots: pilotsShape,
  },
  { defined: "slurm", description: "A cluster under Slurm", required: { name: whyNamed, type: whyTyped } },
);

const exec = mapping(
  {
    name,
    type: word(["exec"], { description: "A batch system behind a program of yours, the adapter." }),
    procs: procs("Processors; by default what the adapter describes."),
    memory: memory("Memory; by default what the adapter describes."),
    gpus: gpus("GPUs; by default what the adapter describes."),
    wallTime: wallTime(EXEC_DEFAULTS.defaultWallTimeMs),
    ...ofEverySite,
    command: list(text({}), {
      description: "The adapter: a program by its absolute path, and its arguments.",
      examples: ["[/opt/stint/adapter.py, /data/queue]"],
    }),
    submitDirectory: text({
      description: "Directory in which job directories are created, on a file system that the nodes share.",
      ...{ pattern: "^/", examples: ["/data/stint"] },
      mismatch: { code: "badPath", noun: "absolute path", why: "an absolute path begins with a /" },
    }),
    pollsPerMinute: usually(
      EXEC_DEFAULTS.pollsPerMinute,
      count({
        description: "Number of polls of the adapter per minute.",
        ...{ least: 1, most: 600, examples: ["12"] },
      }),
    ),
  },
  {
    ...{ defined: "exec", description: "A batch system behind a program" },
    required: {
      ...{ name: whyNamed, type: whyTyped, command: "the adapter is a program" },
      submitDirectory: "jobs get their directories there",
    },
  },
);

/** One of the sites. */
export const siteShape = cases(
  "type",
  { managed, simulated, slurm, exec },
  {
    noun: "site",
    examples: ["{ name: west, type: simulated, procs: 128 }"],
    ownWords: {
      managed: { code: "wordOfManaged", why: "it is a setting of this machine" },
      simulated: { code: "wordOfSimulated", why: "it is a setting of simulated sites" },
      slurm: { code: "wordOfSlurm", why: "it is a setting of Slurm clusters" },
      exec: { code: "wordOfExec", why: "it is a setting of sites behind an adapter" },
    },
  },
);

/** The shape of `stint.yaml`. */
export const stintShape = mapping(
  {
    server: filled(serverShape),
    sites: usually(
      [],
      list(siteShape, { description: "The sites. By default, this machine is the only site, named local." }),
    ),
  },
  {
    description:
      "stint.yaml: settings of stint up. All keys are optional. Paths are relative to the file's folder.",
    examples: ["server: { port: 7846 }"],
  },
);
