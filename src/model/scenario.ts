/**
 * A scenario of the simulator: sites with their workloads, variants to compare, replicates; and its answer.
 *
 * The field names of the summary are the JSON keys of `summary.json`, their snake_case the columns of
 * `runs.csv`; they are stable: only ever added.
 */
import type { Discipline, EstimateRule, OverrunRule, ProgramDiscipline } from "./discipline.ts";
import type { Fairness, JobGroup } from "./job-groups.ts";
import type { PriorityName, PriorityRules } from "./priority.ts";
import type { ReservingRules, ReservingSummary } from "./reserving.ts";
import type { PolicyFacts, ScenarioPolicies } from "./scenario-policies.ts";
import type { SkippedJobs, SlotSummary, StoppedRule, WorkloadFacts } from "./simulation.ts";
import type { LoadScale, LublinSet, RequestRule, WorkloadModelName } from "./workload-request.ts";

/** A part of a site whose processors a job cannot mix with those of another. */
export interface ScenarioPool {
  readonly name: string;
  readonly procs: number;
}

/** A workload that is drawn anew for each replicate. */
interface DrawnWorkload {
  readonly kind: "drawn";
  readonly model: WorkloadModelName;
  readonly set: LublinSet;
  readonly jobs: number;
  /** Work over the site's processors and the time of submissions; the model's own when absent. */
  readonly load?: number;
  readonly scale: LoadScale;
  readonly requests?: RequestRule;
  readonly parameters: Readonly<Record<string, number>>;
  /** Draws from this seed instead of the scenario's. */
  readonly seed?: number;
}

/** A workload that was recorded; drawn are at most the jobs added to it. */
interface RecordedWorkload {
  readonly kind: "recorded";
  readonly trace: string;
  readonly lenient: boolean;
  /** As recorded when absent. */
  readonly load?: number;
  readonly scale: LoadScale;
  readonly seed?: number;
}

/** A workload in JSON lines: with the jobs come the pools, cancellations, outages and reservations. */
export interface LinesWorkload {
  readonly kind: "lines";
  readonly trace: string;
  readonly lenient: boolean;
}

/** Workload of a site. */
export type ScenarioWorkload = DrawnWorkload | RecordedWorkload | LinesWorkload;

/** In which order a queue is served. */
interface ScenarioPriority {
  readonly name: PriorityName;
  /** A YAML file with its rules; what is usual when absent. */
  readonly config?: string;
}

/** One site of one run. */
export interface ScenarioSite {
  readonly name: string;
  /** At least one; none where the file of the workload describes them. */
  readonly pools: readonly ScenarioPool[];
  readonly discipline: Discipline | ProgramDiscipline;
  /** Time limit for each answer of an external program; absent: the default. */
  readonly answerLimitMs?: number;
  /** Order of arrival when absent. */
  readonly priority?: ScenarioPriority;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  /** A CSV file of reservations in the first pool. */
  readonly reservations?: string;
  /** Only for a workload in JSON lines; `requeue` when absent. */
  readonly stoppedJobs?: StoppedRule;
  /** Look at the free slots so often; never when absent. */
  readonly sampleSlotsMs?: number;
  /** Some jobs reserve; all queue when absent. */
  readonly reserving?: ReservingRules;
  /** Usage policies; none when absent. */
  readonly policies?: ScenarioPolicies;
  readonly workload: ScenarioWorkload;
}

/** Everybody of a scenario, in millionths. */
const ALL_PPM = 1_000_000;

/** True where a site's jobs depend on random draws; else all replicates are equal. */
export function isByChance({ workload, reserving }: ScenarioSite): boolean {
  if (reserving !== undefined && isDrawn(reserving)) return true;
  if (workload.kind !== "recorded") return workload.kind === "drawn";
  return workload.load !== undefined && (workload.scale === "overlay" || workload.scale === "duplicate");
}

function isDrawn({ sharePpm, alphaPpm }: ReservingRules): boolean {
  return sharePpm > 0 && (sharePpm < ALL_PPM || alphaPpm === "random");
}

/** One variant of the scenario. */
export interface ScenarioRun {
  readonly name: string;
  /** Varied settings as written, by path. */
  readonly settings: Readonly<Record<string, string>>;
  readonly sites: readonly ScenarioSite[];
}

/** Jobs at one end of the workload that are simulated but not counted: those of a time, or a number. */
export type ScenarioCut =
  | { readonly kind: "time"; readonly lengthMs: number }
  | { readonly kind: "jobs"; readonly count: number };

/** Metrics of each run, site and replicate. */
export const SCENARIO_METRICS = [
  "waitMeanSec",
  "waitMedianSec",
  "waitP95Sec",
  "waitP99Sec",
  "waitMaxSec",
  "responseMeanSec",
  "responseMedianSec",
  "responseP95Sec",
  "responseP99Sec",
  "responseMaxSec",
  "boundedSlowdownMean",
  "boundedSlowdownMedian",
  "boundedSlowdownP95",
  "boundedSlowdownP99",
  "boundedSlowdownMax",
  "utilisation",
  "queueLengthMean",
  "queueLengthMax",
  "backfilled",
  "makespanSec",
] as const;
/** See {@link SCENARIO_METRICS}. */
export type ScenarioMetric = (typeof SCENARIO_METRICS)[number];
/** A value of each metric. */
export type ScenarioMeasures = Readonly<Record<ScenarioMetric, number>>;

/** Of which replicates a row per job is written, and per slot where slots are sampled. */
export const JOBS_OUT_RULES = ["first", "all", "none"] as const;
/** See {@link JOBS_OUT_RULES}. */
type JobsOutRule = (typeof JOBS_OUT_RULES)[number];

/** Everything that is to be simulated. */
export interface Scenario {
  readonly name: string;
  /** The folder of its file, in which programs that are a discipline run. */
  readonly folder: string;
  readonly seed: number;
  readonly replicates: number;
  readonly warmUp: ScenarioCut;
  readonly coolDown: ScenarioCut;
  /** The name of the run that the others are compared with. */
  readonly baseline: string;
  readonly compare: readonly ScenarioMetric[];
  readonly jobsOut: JobsOutRule;
  readonly runs: readonly ScenarioRun[];
}

/** One site in one replicate of one run. */
export interface ScenarioRow extends ScenarioMeasures {
  readonly run: string;
  readonly site: string;
  /** From 1. */
  readonly replicate: number;
  /** Of the workload. */
  readonly seed: number;
  readonly discipline: Discipline | ProgramDiscipline;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly procs: number;
  /** Of the text that was simulated, as it is stored or as it was drawn. */
  readonly workloadSha256: string;
  readonly reservations: number;
  /** Simulated. */
  readonly jobs: number;
  /** Of these, neither in the warm-up nor in the cool-down. */
  readonly jobsCounted: number;
  readonly skipped: SkippedJobs;
  /** Cut at their request (overrun rule `kill`). */
  readonly killed: number;
  /** The priority that ordered the queue, with all its rules; absent: order of arrival. */
  readonly priority?: PriorityRules;
  /** Only where slots were sampled in the time that is counted. */
  readonly slots?: SlotSummary;
  /** Only where jobs may reserve. */
  readonly reserving?: ReservingSummary;
  /** Only where the site has usage policies. */
  readonly policies?: PolicyFacts;
  /** Only of a workload in JSON lines. */
  readonly workload?: WorkloadFacts;
  /** The counted jobs by class, from short narrow to long wide. */
  readonly classes: readonly JobGroup[];
  /** Fairness among the users of the counted jobs; only if at least one user is known. */
  readonly fairness?: Fairness;
}

/** A mean over replicates with its 95 % confidence interval; null where nothing varies by chance. */
export interface Interval {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Values behind it. */
  readonly count: number;
}

/** The metrics of one site in one run, over its replicates. */
export interface ScenarioEstimate {
  readonly run: string;
  readonly site: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly metrics: Readonly<Record<ScenarioMetric, Interval>>;
}

/** A run less the baseline in one metric: the mean of the differences of equal replicates. */
export interface ScenarioDifference extends Interval {
  readonly run: string;
  readonly baseline: string;
  readonly site: string;
  readonly metric: ScenarioMetric;
}

/** The answer, as in `summary.json`. It has no clock fields. */
export interface ScenarioSummary {
  readonly version: string;
  readonly scenario: string;
  readonly seed: number;
  readonly replicates: number;
  readonly warmUp: ScenarioCut;
  readonly coolDown: ScenarioCut;
  readonly baseline: string;
  readonly compare: readonly ScenarioMetric[];
  /** Runs × replicates that were to be simulated, and how many were. */
  readonly simulationsPlanned: number;
  readonly simulationsDone: number;
  readonly estimates: readonly ScenarioEstimate[];
  readonly differences: readonly ScenarioDifference[];
  readonly rows: readonly ScenarioRow[];
}

/** Where and how a scenario is simulated. */
export interface ScenarioOrder {
  readonly scenario: Scenario;
  /** The directory of results; made where it is not there. */
  readonly directory: string;
  /** Write into a directory that has something in it. */
  readonly isOverwriting: boolean;
  /** Worker threads, ≥ 1. */
  readonly workers: number;
}

/** Progress of a scenario. */
export interface ScenarioProgress {
  readonly simulationsDone: number;
  readonly simulationsPlanned: number;
}

/** Callbacks of a running scenario. */
export interface ScenarioHooks {
  readonly onProgress?: (progress: ScenarioProgress) => void;
  /** Stops the scenario; finished simulations remain. */
  readonly stop?: StopSignal;
}

/** Signals a stop once: the needed part of the platform's AbortSignal. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Runs scenarios; passed to consumers of this type. */
export type RunScenario = (order: ScenarioOrder, hooks: ScenarioHooks) => Promise<ScenarioSummary>;
