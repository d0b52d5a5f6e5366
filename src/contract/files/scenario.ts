/** Scenarios of the simulator: sites with workloads, varied settings, replicates. */
import {
  DISCIPLINES,
  ESTIMATE_RULES,
  JOBS_OUT_RULES,
  OVERRUN_RULES,
  PRIORITY_NAMES,
  SCENARIO_ENFORCERS,
  SCENARIO_METRICS,
  STOPPED_RULES,
} from "../../model/index.ts";
import {
  file,
  MOST_JOBS,
  NAME,
  scenarioNameShape,
  seed,
  WORKLOAD_FORMS,
  workload,
} from "./scenario-workload.ts";
import {
  type AnyShape,
  as,
  asWritten,
  count,
  either,
  list,
  mapping,
  number,
  orNone,
  quantity,
  text,
  usually,
  word,
} from "./shape.ts";

/** More than any machine has; sums of them are still exact. */
const MOST_PROCS = 100_000_000;

const procs = count({ defined: "procs", least: 1, most: MOST_PROCS, examples: ["128"] });
const whyUnsaid = "it is not stated elsewhere";
const fraction = (description: string, example: string) =>
  number({
    ...{ description, examples: [example], least: 0, most: 1, perOne: 1_000_000, isRounded: true },
    ...{ noun: "a fraction", code: "badFraction" },
  });
const NONE = word(["none"]);

const priority = either(
  {
    scalar: word([...PRIORITY_NAMES, "none"]),
    mapping: mapping(
      {
        name: word(PRIORITY_NAMES),
        config: file("A YAML file with its rules (priority.schema.json).", "slurm.yaml"),
      },
      { defined: "priority", required: { name: "its file has the rules of one of several" } },
    ),
  },
  {
    description: "Priority of its queue; none (default): order of arrival.",
    ...{ default: "none", examples: ["{ name: slurm, config: slurm.yaml }"] },
  },
);

const slots = either(
  {
    scalar: NONE,
    mapping: mapping(
      {
        every: as(
          "everyMs",
          quantity("duration", {
            description: "Interval in virtual time.",
            examples: ["1h"],
            ifZero: {
              why: "the interval between samples must be above 0",
              remedy: "write for instance every: 1h",
            },
          }),
        ),
      },
      { defined: "sampling", required: { every: "sampling needs an interval" } },
    ),
  },
  {
    description: "Sample the free slots at an interval, and report them; none (default): no samples.",
    examples: ["{ every: 1h }"],
  },
);

const reserving = either(
  {
    scalar: NONE,
    mapping: mapping(
      {
        share: as("sharePpm", fraction("The part of the jobs that reserves, drawn by the seed.", "0.1")),
        alpha: as(
          "alphaPpm",
          orNone(fraction("From 0 to 1.", "0.5"), {
            word: "random",
            description:
              "Trade-off of these jobs: 0 chooses the earliest start at any price, 1 the earliest of the " +
              "cheapest; random: drawn for each job.",
          }),
        ),
      },
      {
        defined: "reserving",
        required: { share: "somebody has to say how many jobs reserve", alpha: "a job chooses by it" },
      },
    ),
  },
  {
    description: "Some jobs reserve a slot at its price instead of queueing; none (default): all jobs queue.",
    examples: ["{ share: 0.1, alpha: 0.5 }"],
  },
);

/** One of a scenario's sites. */
export const scenarioSiteShape = mapping(
  {
    name: scenarioNameShape,
    procs: { ...procs, description: "Processors of the site, as one pool." },
    pools: list(
      mapping({ name: scenarioNameShape, procs }, { required: { name: whyUnsaid, procs: whyUnsaid } }),
      {
        description: "Pools of the site; a job runs in one of them.",
        ...{ least: 1, examples: ["[{ name: thin, procs: 128 }]"] },
      },
    ),
    discipline: text({
      description:
        "Discipline of the queue: one of these, or exec:COMMAND for a program that decides which jobs " +
        "start; it runs in the file's folder.",
      ...{ default: "easy", examples: ["conservative", '"exec:python3 mine.py"'] },
      keywords: { anyOf: [{ enum: DISCIPLINES }, { type: "string", pattern: "^exec: *[^ ]" }] },
    }),
    answerTimeout: as(
      "answerLimitMs",
      quantity("duration", {
        description: "Time limit of a program for each response.",
        ...{ default: "60s", examples: ["2m"] },
        ifZero: { why: "the time must be above 0", remedy: "omit it for the default" },
      }),
    ),
    priority,
    estimates: usually(
      "requested",
      word(ESTIMATE_RULES, {
        description: "Run time that planning assumes.",
        examples: ["exact"],
      }),
    ),
    overrun: usually(
      "extend",
      word(OVERRUN_RULES, {
        description: "Treatment of jobs that run longer than requested.",
        examples: ["kill"],
      }),
    ),
    reservations: file(
      "A CSV file id,start,duration,procs (and nodes, if it says so) of reservations in the first pool, in " +
        "seconds.",
      "maintenance.csv",
    ),
    onOutage: as(
      "stoppedJobs",
      word(STOPPED_RULES, {
        description: "For a workload in JSON lines: treatment of running jobs whose processors go down.",
        ...{ default: "requeue", examples: ["lost"] },
      }),
    ),
    slots,
    reserving,
    policies: list(text({ keywords: { pattern: "^[^~]" } }), {
      description:
        "Usage policies of this site: files (policy.schema.json), tuples, or both; none (default): " +
        "no policies.",
      ...{ orOne: true, least: 1, examples: ["[west.policy.yaml]"] },
    }),
    owners: file(
      "A YAML file that maps users to consumers; without it, user 12 of the trace is consumer u12.",
      "owners.yaml",
    ),
    pep: word(SCENARIO_ENFORCERS, {
      description:
        "Enforcer of the policies: ours (Stint's algorithm), literal (the published algorithm, line " +
        "by line) or none (compliance is only measured).",
      examples: ["literal"],
    }),
    workload,
  },
  {
    defined: "site",
    examples: ["{ name: west, procs: 128, workload: { model: lublin, jobs: 2000 } }"],
    required: { name: whyUnsaid, workload: whyUnsaid },
    strangers: Object.fromEntries(
      ["trace", "background"].map((stranger) => [
        stranger,
        {
          code: "wordElsewhere",
          what: `a site of a scenario has no ${stranger}`,
          why: "a site of a scenario takes its jobs from its workload",
          remedy: "write workload: { trace: workload.swf.gz }",
        },
      ]),
    ),
    keywords: {
      anyOf: [
        { required: ["procs"] },
        { required: ["pools"] },
        { properties: { workload: { required: ["trace"], properties: WORKLOAD_FORMS[2].properties } } },
      ],
    },
  },
);

/** Words that can vary, each with those below it. */
const VARIED = Object.entries(scenarioSiteShape.fields)
  .filter(([varied]) => varied !== "name")
  .map(([varied, field]) => {
    let of: AnyShape | undefined = field;
    if (field.kind === "either") of = field.of.mapping;
    if (field.kind === "written") of = field.of;
    if (of?.kind !== "mapping") return varied;
    const below = Object.keys(of.fields).map((inner) =>
      inner === "parameters" ? "parameters([.][A-Za-z0-9]+)?" : inner,
    );
    return `${varied}([.](${below.join("|")}))?`;
  });
const VARIED_PATH = { pattern: `^(${VARIED.join("|")})$` };
const SINGLE = { type: ["string", "number", "boolean"] };

const cut = (description: string) =>
  mapping(
    {
      time: as("lengthMs", quantity("duration", { examples: ["1d"] })),
      jobs: as("count", count({ least: 0, most: MOST_JOBS, examples: ["100"] })),
    },
    {
      description,
      examples: ["{ time: 1d }"],
      keywords: {
        anyOf: [
          { required: ["time"], propertyNames: { enum: ["time"] } },
          { required: ["jobs"], propertyNames: { enum: ["jobs"] } },
        ],
      },
    },
  );

const notBrokered = {
  code: "notBrokered",
  why: "the sites of a scenario are independent: jobs are not placed among them yet",
  remedy: "give each site its own workload",
};
/** Words that users will look for and that are not supported yet. */
const LATER = ["broker", "brokering", "jobs", "workload", "workflows", "users", "policies"];

/** The shape of a scenario. */
export const scenarioShape = mapping(
  {
    name: { ...scenarioNameShape, description: "Name of the results." },
    seed: usually(1, { ...seed, description: "Seed of all random numbers." }),
    // Student's t needs a table of millions of values nowhere; more is a mistake of typing.
    replicates: count({
      description:
        "Number of simulations of each run, each with a newly drawn workload; intervals need at least 2.",
      ...{ least: 1, most: 10_000, default: "1", examples: ["10"] },
    }),
    warmUp: cut("At the beginning: simulated, not counted."),
    coolDown: cut("At the end of the submissions: simulated, not counted."),
    sites: asWritten({
      description: "Independent sites, each with its own workload.",
      of: list(scenarioSiteShape, { least: 1 }),
      examples: ["[{ name: west, procs: 128, workload: { model: lublin } }]"],
    }),
    vary: asWritten({
      description:
        "The runs: a grid of values by path, or a list of named overlays. By default there is one run.",
      examples: ["{ discipline: [fcfs, easy] }"],
      keywords: {
        anyOf: [
          {
            type: "object",
            propertyNames: VARIED_PATH,
            additionalProperties: { type: "array", items: SINGLE },
          },
          {
            type: "array",
            items: {
              type: "object",
              required: ["name"],
              properties: {
                name: { type: ["string", "number"], pattern: NAME },
                site: { type: ["string", "number"], pattern: NAME },
              },
              propertyNames: { anyOf: [VARIED_PATH, { enum: ["name", "site"] }] },
            },
          },
        ],
      },
    }),
    baseline: asWritten({
      description: "Name of the run with which the others are compared; by default the first.",
      keywords: { type: "string" },
    }),
    compare: usually(
      ["waitMeanSec", "boundedSlowdownMean", "utilisation"],
      list(word(SCENARIO_METRICS), {
        description: "The metrics that are compared.",
        ...{ least: 1, examples: ["[waitMeanSec, utilisation]"] },
      }),
    ),
    jobsOut: usually(
      "first",
      word(JOBS_OUT_RULES, {
        description:
          "Replicates for which a row per job is written, and a row per slot if slots are sampled.",
        examples: ["first"],
      }),
    ),
  },
  {
    description:
      "Input of stint sim SCENARIO.yaml: sites with workloads, variants, replicates. Paths are relative to " +
      "the file's folder.",
    examples: ["name: disciplines"],
    required: { name: "its results are called by it", sites: "something has to be simulated" },
    strangers: Object.fromEntries(LATER.map((later) => [later, notBrokered])),
  },
);
