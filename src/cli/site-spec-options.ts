/** Options that describe a site, for `site add`, and for `site test` of a site that is not added. */
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import type { SimulatedSiteRequest, SiteSpecRequest } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import {
  DISCIPLINES,
  type Discipline,
  ENFORCEMENT_STEPS,
  type EnforcementStep,
  type InMilliseconds,
  inSeconds,
  PUBLICATIONS,
  type Publication,
  type ReservationRules,
  type SiteOffer,
} from "../model/index.ts";
import { oneOf, positiveInteger, wholeNumber } from "./option-values.ts";
import { delayValue, durationValue, millionthsValue, sizeValue } from "./quantity-values.ts";
import { problemFault } from "./remark-text.ts";

/** Values of the options, as parsed. */
export interface SpecOptions {
  readonly type?: SiteSpecRequest["type"];
  readonly procs?: number;
  readonly memory?: number;
  readonly gpus?: number;
  readonly discipline?: Discipline;
  readonly wallTime?: number;
  readonly jobs?: "run" | "imitate";
  readonly speedUp?: number;
  readonly background?: string;
  readonly skip?: number;
  readonly orderDelay?: number;
  readonly startDelay?: number;
  readonly loseFailed?: number;
  readonly loseDoubtful?: number;
  readonly loseVanished?: number;
  readonly seed?: number;
  readonly readOnly?: boolean;
  readonly sshHost?: string;
  readonly slurmConf?: string;
  readonly account?: string;
  readonly partition?: string;
  readonly qos?: string;
  readonly submitDirectory?: string;
  readonly pollsPerMinute?: number;
  readonly reservations?: string;
  readonly enforce?: readonly EnforcementStep[];
  readonly stores?: string;
  readonly links?: string;
  readonly applications?: string;
  readonly ads?: string;
  readonly publish?: Publication;
}

const TYPES = ["simulated", "slurm", "managed"] as const;
const JOBS = ["run", "imitate"] as const;
/** Adds the options to a command. */
export function addSpecOptions(command: Command, isTypeNeeded: boolean): void {
  addOffer(command, isTypeNeeded);
  addPlay(command);
  addLosses(command);
  addSlurm(command);
}

function addOffer(command: Command, isTypeNeeded: boolean): void {
  command
    .addOption(
      new Option("--type <type>", "type of the site")
        .choices(TYPES)
        .argParser(oneOf("--type", TYPES))
        .makeOptionMandatory(isTypeNeeded),
    )
    .option(
      "--procs <n>",
      "processors of the site (slurm: as reported by the cluster)",
      positiveInteger("--procs"),
    )
    .option("--memory <size>", "total memory of the site (default: 1G per processor)", sizeValue("--memory"))
    .option(
      "--gpus <n>",
      "GPUs of the site (default: none; slurm: as reported by the cluster)",
      wholeNumber("--gpus"),
    )
    .addOption(
      new Option("--discipline <name>", "discipline of the site's queue (default: easy)")
        .choices(DISCIPLINES)
        .argParser(oneOf("--discipline", DISCIPLINES)),
    )
    .option(
      "--wall-time <time>",
      "time limit of jobs that request none (default: 1h)",
      durationValue("--wall-time"),
    )
    .option(
      "--reservations <rules>",
      "limits on reservations, as in stint.yaml: '{ ahead: 7d, share: 0.25 }'",
    )
    .option(
      "--enforce <steps>",
      `what the enforcer of policies may do: ${ENFORCEMENT_STEPS.join(", ")} (default: watch)`,
      stepsValue,
    )
    .option("--stores <stores>", "file stores of the site, as in stint.yaml: '{ scratch: { size: 200G } }'")
    .option("--links <links>", "network links of the site: '{ uplink: { rate: 1Gbit/s } }'")
    .option("--applications <table>", "applications of the site: '{ gromacs: { modules: [gromacs/2023] } }'")
    .option("--ads <attributes>", "attributes to add to the site's ads: '{ GlueHostBenchmarkSI00: 1200 }'")
    .addOption(
      new Option(
        "--publish <what>",
        "what users see of the site: all, or totals and ranges only (default: all)",
      )
        .choices(PUBLICATIONS)
        .argParser(oneOf("--publish", PUBLICATIONS)),
    );
}

/** Steps, comma-separated or repeated. */
function stepsValue(text: string, before: readonly EnforcementStep[] = []): readonly EnforcementStep[] {
  const steps = [...before, ...text.split(",").map(oneOf("--enforce", ENFORCEMENT_STEPS))];
  return ENFORCEMENT_STEPS.filter((step) => steps.includes(step));
}

function addPlay(command: Command): void {
  command
    .addOption(
      new Option("--jobs <what>", "how submitted jobs run there (default: imitate)")
        .choices(JOBS)
        .argParser(oneOf("--jobs", JOBS)),
    )
    .option("--speed-up <n>", "speed-up over real time", positiveInteger("--speed-up"))
    .option("--background <trace>", "background jobs of other users: an SWF file, also .gz")
    .option("--skip <time>", "offset into the trace, from its first job", delayValue("--skip"))
    .option(
      "--order-delay <time>",
      "delay between a command to the site and its effect",
      delayValue("--order-delay"),
    )
    .option(
      "--start-delay <time>",
      "delay between a job's start and the start of its program",
      delayValue("--start-delay"),
    )
    .option("--seed <n>", "seed of random losses (default: 1)", wholeNumber("--seed"));
}

function addLosses(command: Command): void {
  const loss = (name: string, what: string) =>
    command.option(`--lose-${name} <fraction>`, what, millionthsValue(`--lose-${name}`));
  loss("failed", "fraction of submissions that fail: 0.01");
  loss("doubtful", "fraction of submissions that are accepted, but reported as failed");
  loss("vanished", "fraction of submissions that are accepted, and disappear later");
}

function addSlurm(command: Command): void {
  command
    .option("--no-read-only", "slurm: allow job submission (default: only observe the cluster)")
    .option("--ssh-host <host>", "slurm: a login node (default: run commands on the broker's machine)")
    .option("--slurm-conf <path>", "slurm: path of slurm.conf, if not the default")
    .option("--account <name>", "slurm: Slurm account of jobs")
    .option("--partition <name>", "slurm: partition of jobs")
    .option("--qos <name>", "slurm: QOS of jobs")
    .option(
      "--submit-directory <path>",
      "slurm: parent of the jobs' directories, on a file system shared with the nodes",
    )
    .option(
      "--polls-per-minute <n>",
      "slurm: polls of the cluster per minute (default: 6)",
      positiveInteger("--polls-per-minute"),
    );
}

/** Request from the options. @throws Fault `procsMissing`, `skipWithoutTrace`, or of invalid rules */
export async function specFrom(options: SpecOptions, directory: string): Promise<SiteSpecRequest> {
  const spec = options.type === "slurm" ? slurmFrom(options) : simulatedFrom(options, directory);
  const enforcement = options.enforce === undefined ? undefined : { granted: options.enforce };
  const resources = {
    stores: await resourcesFrom("stores", options),
    links: await resourcesFrom("links", options),
    applications: await resourcesFrom("applications", options),
    ads: await resourcesFrom("ads", options),
  };
  const rules = said({ reservations: await rulesFrom(options), enforcement });
  const { publish } = options;
  return inSeconds({ ...spec, ...rules, ...said({ ...resources, publish }) });
}

/** Request with the options' values, lengths in milliseconds. */
type EngineRequest = InMilliseconds<SiteSpecRequest>;

async function resourcesFrom<Word extends "stores" | "links" | "applications" | "ads">(
  word: Word,
  { [word]: text }: SpecOptions,
): Promise<SiteOffer[Word] | undefined> {
  if (text === undefined) return undefined;
  const { readResources } = await import("../formats/stint-yaml/index.ts");
  const { value, problems } = readResources(word, text);
  if (problems.length === 0) return value as SiteOffer[Word];
  const faults = problems.map((problem) => problemFault(`--${word}`, problem));
  throw new AggregateError(faults, `the ${word} have problems`);
}

/** Loads the YAML reader where an option needs it. */
async function rulesFrom({ reservations: text }: SpecOptions): Promise<ReservationRules | undefined> {
  if (text === undefined) return undefined;
  const { readRules } = await import("../formats/stint-yaml/index.ts");
  const { value, problems } = readRules(text);
  if (problems.length === 0) return value;
  const faults = problems.map((problem) => problemFault("--reservations", problem));
  throw new AggregateError(faults, "the rules have problems");
}

function slurmFrom(options: SpecOptions): EngineRequest {
  const { procs, memory, gpus, discipline, wallTime, readOnly } = options;
  const { sshHost, slurmConf, account, partition, qos, submitDirectory, pollsPerMinute } = options;
  return {
    type: "slurm",
    ...said({ procs, memoryBytes: memory, gpus, discipline, defaultWallTimeMs: wallTime }),
    ...said({ sshHost, slurmConf, account, partition, qos, submitDirectory, pollsPerMinute }),
    ...(readOnly === false && { readOnly }),
  };
}

function simulatedFrom(options: SpecOptions, directory: string): EngineRequest {
  const { type, procs, memory, gpus, discipline, wallTime, jobs, speedUp, seed } = options;
  if (type === undefined || type === "slurm" || procs === undefined) throw procsMissing;
  const delays = said({ orderMs: options.orderDelay, startMs: options.startDelay });
  const losses = said({
    failedPpm: options.loseFailed,
    doubtfulPpm: options.loseDoubtful,
    vanishedPpm: options.loseVanished,
  });
  return {
    type,
    procs,
    ...said({ memoryBytes: memory, gpus, discipline, defaultWallTimeMs: wallTime, jobs, speedUp, seed }),
    ...said({ background: backgroundFrom(options, directory) }),
    ...(Object.keys(delays).length > 0 && { delays }),
    ...(Object.keys(losses).length > 0 && { losses }),
  };
}

const procsMissing = new Fault({
  kind: "badInput",
  code: "procsMissing",
  what: "--procs is missing",
  why: "the size of a simulated site has no default",
  remedy: "add it, for instance --procs 128",
});

function backgroundFrom(
  { background, skip }: SpecOptions,
  directory: string,
): InMilliseconds<SimulatedSiteRequest>["background"] {
  if (background !== undefined) {
    return { trace: resolve(directory, background), ...said({ skipMs: skip }) };
  }
  if (skip === undefined) return undefined;
  throw new Fault({
    kind: "badInput",
    code: "skipWithoutTrace",
    what: "--skip has no effect without a trace",
    why: "it sets where in a trace the site begins, and no trace was given",
    remedy: "name one with --background trace.swf, or leave --skip out",
  });
}

type Said<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Fields without those that are undefined. */
function said<Fields extends object>(fields: Fields): Said<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Said<Fields>;
}
