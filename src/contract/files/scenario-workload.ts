/** Workloads of a scenario's sites, and the texts common to all parts of a scenario. */
import { LOAD_SCALES, LUBLIN_SETS, REQUEST_RULES, WORKLOAD_MODELS } from "../../model/index.ts";
import { asWritten, count, flag, mapping, names, number, path, text, word } from "./shape.ts";

/** A name, as a regular expression. */
export const NAME = "^[A-Za-z0-9][A-Za-z0-9 ._=+-]{0,62}$";
/** Limit on the jobs of a workload. */
export const MOST_JOBS = 10_000_000;

/** Name of a site, of a run or of the scenario, which may become part of a file's name. */
export const scenarioNameShape = text({
  ...{ defined: "name", pattern: NAME, examples: ["west"] },
  mismatch: {
    code: "badName",
    noun: "name for this",
    why: "a name is up to 63 letters, digits, blanks and . _ = + -, and begins with a letter or a digit",
  },
});
/** Path of an existing file, relative to the scenario. */
export const scenarioFileShape = path({
  unreadable: {
    code: "fileUnreadable",
    noun: "the file",
    remedy: "paths are relative to the folder of the scenario",
  },
});
/** Seed of random numbers. */
export const seed = count({ defined: "seed", least: 0, most: 2 ** 32 - 1 });
/** Seed of random numbers, with an explanation. */
export const file = (description: string, example: string) => ({
  ...scenarioFileShape,
  ...{ description, examples: [example] },
});

const any = (description: string) => number({ description, least: -1e300, most: 1e300, examples: ["0.3"] });

const WORKLOAD_EXAMPLE = "{ model: lublin, jobs: 2000, load: 0.8 }";
const OF_BOTH = ["load", "scale", "seed"];
/** The forms that editors can tell apart: drawn, recorded, and in JSON lines. */
export const WORKLOAD_FORMS = [
  {
    required: ["model"],
    propertyNames: { enum: ["model", "set", "jobs", "requests", "parameters", ...OF_BOTH] },
    properties: { scale: { enum: ["arrivals", "runtimes"] } },
  },
  {
    required: ["trace"],
    propertyNames: { enum: ["trace", "lenient", ...OF_BOTH] },
    properties: { trace: { pattern: "^(?!.*[.]jsonl([.]gz)?$)" } },
  },
  {
    required: ["trace"],
    propertyNames: { enum: ["trace", "lenient"] },
    properties: { trace: { pattern: "[.]jsonl([.]gz)?$" } },
  },
];

/** Fields of a site's workload. */
export const workloadShape = mapping(
  {
    model: word(WORKLOAD_MODELS, { description: "As in stint sim generate --model." }),
    trace: file(
      "A file in the Standard Workload Format, packed or not; or a workload in JSON lines, which describes " +
        "the pools of the site too.",
      "workload.swf.gz",
    ),
    set: word(LUBLIN_SETS, {
      description: "For lublin: the published parameter set.",
      ...{ default: "combined", examples: ["batch"] },
    }),
    jobs: count({ least: 2, most: MOST_JOBS, default: "10000", examples: ["2000"] }),
    load: number({
      description: "Work over the processors of the site and the time from the first to the last submission.",
      ...{ least: 0, most: 100, isAbove: true, examples: ["0.8"] },
      ...{ noun: "a share of the machine", code: "badLoad" },
    }),
    scale: word(LOAD_SCALES, {
      description:
        "What is changed to reach the load; overlay and duplicate draw which jobs of a trace are added.",
      default: "arrivals",
    }),
    requests: word(REQUEST_RULES, {
      description: "How the requested times of jobs are drawn; by default as the model defines.",
      examples: ["popular"],
    }),
    parameters: names(
      any("Value of the parameter; parameters that are not named have the published values."),
      {
        description: "Parameters of the model that are to differ from the published ones.",
        examples: ["{ serialProb: 0.3 }"],
      },
    ),
    lenient: flag({
      description: "Skip and count malformed lines instead of stopping at the first.",
      default: "false",
    }),
    seed: { ...seed, description: "Overrides the value of the scenario." },
  },
  { examples: [WORKLOAD_EXAMPLE] },
);

/** Workload in its place in a site; read separately, since its problems are its own. */
export const workload = asWritten({
  description: "Jobs of the site: generated from a model for each replicate, recorded, or in JSON lines.",
  of: workloadShape,
  ...{ examples: [WORKLOAD_EXAMPLE], keywords: { anyOf: WORKLOAD_FORMS } },
});
