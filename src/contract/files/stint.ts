/**
 * `stint.yaml`: settings of the server, and the sites: this machine, simulated clusters, clusters under
 * Slurm.
 */
import { MS_PER_HOUR } from "../../base/index.ts";
import { DISCIPLINES, RESOURCE_NAME, SLURM_DEFAULTS } from "../../model/index.ts";
import { absolutePath, applicationsShape } from "./applications.ts";
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
import { consumerPath, timeLimit } from "./texts.ts";

/** The limit of the API. */
const MOST_PROCS = 1_000_000;

const noResource: Mismatch = {
  code: "badResource",
  noun: "name for this",
  why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
};
const resourceNames = { keys: { pattern: RESOURCE_NAME.source, mismatch: noResource } };
const amount = (unit: "size" | "rate", description: string, example: string) =>
  quantity(unit, {
    ...{ description, examples: [example] },
    ifZero: {
      why: "a provider without capacity has nothing to share",
      remedy: "leave it out where there is none",
    },
  });
const priced = (unit: "size" | "rate", usual: string) =>
  quantity(unit, {
    description: "So much of it for an hour costs what a processor does.",
    ...{ default: usual, examples: [usual] },
    ifZero: { why: "nothing could be priced in it", remedy: "leave it out for what is usual" },
  });
const whyAmount = "what it holds or carries nobody else can say";

/** Stores by their names. */
export const storesShape = names(
  mapping(
    {
      size: as("sizeBytes", amount("size", "What it holds.", "200G")),
      unit: as("unitBytes", priced("size", "1T")),
      directory: absolutePath(
        "Where its nodes see it: jobs may leave files there (outputData). Without it they may not.",
        "/data/stint",
      ),
    },
    { required: { size: whyAmount } },
  ),
  {
    description:
      "Its file stores, by name. Parts of them can be reserved, and storage policies share them out.",
    ...{ defined: "stores", examples: ["{ scratch: { size: 200G } }"], ...resourceNames },
  },
);

/** Links by their names. */
export const linksShape = names(
  mapping(
    {
      rate: as("rateBytesPerSec", amount("rate", "What it carries.", "1Gbit/s")),
      unit: as("unitBytesPerSec", priced("rate", "1Gbit/s")),
    },
    { required: { rate: whyAmount } },
  ),
  {
    description:
      "Its links, by name; none has the name of a store. Parts of them can be reserved, and network " +
      "policies share them out.",
    ...{ defined: "links", examples: ["{ uplink: { rate: 1Gbit/s } }"], ...resourceNames },
  },
);

/** What streams may use of a site. */
const streamPoolShape = mapping(
  {
    inbound: as("inboundBytesPerSec", amount("rate", "Bandwidth for the data of all streams.", "1Gbit/s")),
    storage: as("storageBytes", amount("size", "Storage for the data of all streams.", "500G")),
    directory: absolutePath("Where the data are kept: on a file system that the broker and the nodes share."),
    program: absolutePath("Stint's program on the nodes; that of the broker where absent."),
  },
  {
    description: "What streams may use; without it the site takes none.",
    defined: "streams",
    examples: ["{ inbound: 1Gbit/s, storage: 500G, directory: /scratch/streams }"],
    required: {
      inbound: "rates are shared out of it",
      storage: "quotas are shared out of it",
      directory: "the data are kept there",
    },
  },
);

const name = text({
  description: "What jobs and people call it.",
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
      ifZero: { why: "programs need some", remedy: "leave it out for what is usual" },
    }),
  );
const gpus = (description: string) => count({ description, least: 0, most: MOST_PROCS, examples: ["4"] });
const wallTime = (usualMs: number) =>
  as(
    "defaultWallTimeMs",
    usually(
      usualMs,
      timeLimit("The time limit of jobs that name none.", "a job that may run for no time cannot run"),
    ),
  );
const ofEverySite = {
  discipline: usually(
    "easy",
    word(DISCIPLINES, { description: "How its queue schedules.", examples: ["easy"] }),
  ),
  reservations: reservationsShape,
  enforcement: enforcementShape,
  stores: storesShape,
  links: linksShape,
  streams: streamPoolShape,
  applications: applicationsShape,
} as const;
const whyNamed = "jobs and people call it by one";
const whyTyped =
  "it is this machine (managed), a cluster that is played (simulated), or one under Slurm (slurm)";

const managed = mapping(
  {
    name,
    type: word(["managed"], { description: "This machine; at most one site is that." }),
    procs: procs("Processors to give away; else all."),
    memory: memory("Memory to give away; else all."),
    gpus: gpus("GPUs to give away, 0 to N-1 as CUDA numbers them; else none."),
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
    type: word(["simulated"], { description: "A cluster that is played, with a queue of its own." }),
    procs: procs("Its processors."),
    memory: memory("Its memory; else 1G a processor."),
    gpus: gpus("Its GPUs; else none."),
    wallTime: wallTime(MS_PER_HOUR),
    ...ofEverySite,
    jobs: usually(
      "imitate",
      word(["run", "imitate"], {
        description:
          "What jobs do when their turn comes: their program runs on this machine, or nothing runs.",
        examples: ["imitate"],
      }),
    ),
    speedUp: usually(
      1,
      count({
        description: "How much faster than real time others' jobs, and imitated ones, come and run.",
        ...{ least: 1, most: 1_000_000, examples: ["60"] },
      }),
    ),
    background: usually(
      null,
      mapping(
        {
          trace: path({
            description: "A file in the Standard Workload Format, packed or not; it is played over and over.",
            examples: ["workload.swf.gz"],
            unreadable: {
              code: "traceUnreadable",
              noun: "the trace",
              remedy:
                "name a file in the Standard Workload Format; relative paths begin at the folder of this " +
                "file",
            },
          }),
          skip: as("skipMs", delay("Where in the trace to begin, after its first submission.", "2d")),
        },
        {
          description: "Other people's jobs.",
          examples: ["{ trace: workload.swf.gz }"],
          required: { trace: "other people's jobs come from one" },
        },
      ),
    ),
    delays: filled(
      mapping(
        {
          order: as("orderMs", delay("Until an order takes effect.", "200ms")),
          start: as("startMs", delay("From a start in the queue to the program's start.", "1s")),
        },
        { description: "How slow it is." },
      ),
    ),
    losses: filled(
      mapping(
        {
          failed: as("failedPpm", loss("It fails, and was not accepted.")),
          doubtful: as("doubtfulPpm", loss("It is said to fail, and was accepted.")),
          vanished: as("vanishedPpm", loss("The job is gone a while later, without a trace.")),
        },
        { description: "What goes wrong, as shares of submissions; to six decimals." },
      ),
    ),
    seed: usually(
      1,
      count({
        description: "What is drawn by chance follows from this alone.",
        ...{ least: 0, most: Number.MAX_SAFE_INTEGER, examples: ["7"] },
      }),
    ),
  },
  {
    ...{ defined: "simulated", description: "A cluster that is played in real time" },
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
    procs: procs("Its processors; else what it says itself."),
    memory: memory("Its memory; else what it says itself."),
    gpus: gpus("Its GPUs; else what it says itself, where it is measured."),
    wallTime: wallTime(SLURM_DEFAULTS.defaultWallTimeMs),
    ...ofEverySite,
    readOnly: usually(
      SLURM_DEFAULTS.readOnly,
      flag({
        description: "It is looked at, explained and predicted; nothing is submitted or changed.",
        examples: ["false"],
      }),
    ),
    sshHost: nameThere(
      "A login node, reached through ssh without a question; else its commands are on the broker's machine.",
      "login.example.org",
    ),
    slurmConf: pathThere("Its slurm.conf, where it is not the usual one.", "/etc/slurm/slurm.conf"),
    account: nameThere("The Slurm account of jobs; else their user's own.", "physics"),
    partition: nameThere("The partition of jobs; else the cluster's usual one.", "batch"),
    qos: nameThere("The QOS of jobs; else the account's own.", "normal"),
    submitDirectory: pathThere(
      "Where jobs get their directories, on a file system that the nodes share. Needed where readOnly is " +
        "false.",
      "/data/stint",
    ),
    consumers: names(consumerPath, {
      description:
        "Which consumer each account of the cluster is; one that is not named is the consumer of its name.",
      examples: ["{ physics: cms, chemistry: atlas/higgs }"],
    }),
    pollsPerMinute: usually(
      SLURM_DEFAULTS.pollsPerMinute,
      count({
        description: "How often a minute it is asked how it stands.",
        ...{ least: 1, most: 600, examples: ["6"] },
      }),
    ),
  },
  { defined: "slurm", description: "A cluster under Slurm", required: { name: whyNamed, type: whyTyped } },
);

/** One of the sites. */
export const siteShape = cases(
  "type",
  { managed, simulated, slurm },
  {
    noun: "site",
    examples: ["{ name: west, type: simulated, procs: 128 }"],
    ownWords: {
      managed: { code: "wordOfManaged", why: "it is a setting of this machine" },
      simulated: { code: "wordOfSimulated", why: "nothing about it is played" },
      slurm: { code: "wordOfSlurm", why: "it is a setting of Slurm clusters" },
    },
  },
);

/** The shape of `stint.yaml`. */
export const stintShape = mapping(
  {
    server: filled(serverShape),
    sites: usually(
      [],
      list(siteShape, { description: "The sites. Without any, this machine is one, under the name local." }),
    ),
  },
  {
    description:
      "stint.yaml: what stint up starts with. Everything may be left out. Paths begin at the file's folder.",
    examples: ["server: { port: 7846 }"],
  },
);
