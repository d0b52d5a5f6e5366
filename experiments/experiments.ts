/**
 * Every experiment under its name, in its full and its quick version.
 */
import { runDecisionPoints } from "./decision-points/run-decision-points.ts";
import { runPlans, WHOLE_SEISMIC } from "./plans/run-plans.ts";
import { runPolicies } from "./policies/run-policies.ts";
import { runPricing } from "./pricing/run-pricing.ts";
import type { Cluster } from "./slots/clusters.ts";
import { runSlots } from "./slots/run-slots.ts";
import { runStreams } from "./streams/run-streams.ts";
import { runUsers } from "./users/run-users.ts";
import { runVar } from "./var/run-var.ts";
import type { Verdict } from "./verdict.ts";

/** What an experiment is run on. */
export interface ExperimentOrder {
  readonly clusters: readonly Cluster[];
  /** How often slots are looked at, in ms of virtual time. */
  readonly everyMs: number;
  readonly isQuick: boolean;
  /** Submissions of a workflow; the source has 50. */
  readonly submissions: number;
  /** Where the report goes. */
  readonly out: string;
}

/** Runs one, writes its report, and tells of every step. */
export type Experiment = (
  order: ExperimentOrder,
  tell: (text: string) => void,
) => Promise<readonly Verdict[]>;

/** A month, as the source. */
const DAYS = 30;
const QUICK_DAYS = 3;
/** Means of prices have long tails: more days than the source had. */
const CASE_DAYS = 90;
const POLICY_DRAWS = 5;
const DECISION_JOBS = 10_000;
const DECISION_DRAWS = 5;
/** Each is played on six real clusters, for some minutes. */
const TRUTH_SEEDS = 8;
/** Of each play, all at once. */
const BURST_MINUTES = 10;
/** Each is played on three real clusters; all at once. */
const POLICY_SEEDS = 3;

/** From so many submissions on MOGA has the evaluations of the source. */
const MANY_SUBMISSIONS = 20;
const FEW_PAIRS = 100;
const FEW_EVALUATIONS = 100;
const EVALUATIONS = 1000;

const STREAM_SEEDS = 10;
const STREAM_CASES = 1000;

/** All of them. */
export const EXPERIMENTS = {
  slots: ({ clusters, everyMs, isQuick, out }, tell) =>
    runSlots({ clusters, everyMs: isQuick ? everyMs * 10 : everyMs, out }, tell),
  pricing: ({ isQuick, ...order }, tell) =>
    runPricing(
      { ...order, days: isQuick ? QUICK_DAYS : DAYS, draws: isQuick ? 1 : 3, includesWholeLogs: !isQuick },
      tell,
    ),
  var: ({ clusters, isQuick, out }, tell) => {
    const [learnDays, days] = isQuick ? [QUICK_DAYS, QUICK_DAYS] : [DAYS, CASE_DAYS];
    return runVar({ clusters, learnDays, days, out }, tell);
  },
  plans: ({ clusters, isQuick, submissions, out }, tell) => {
    const evaluations = submissions < MANY_SUBMISSIONS ? FEW_EVALUATIONS : EVALUATIONS;
    const pairs = submissions < MANY_SUBMISSIONS ? FEW_PAIRS : WHOLE_SEISMIC;
    const effort = isQuick
      ? { submissions: 1, evaluations: 20, pairs: FEW_PAIRS }
      : { submissions, evaluations, pairs };
    return runPlans({ clusters, out, ...effort }, tell);
  },
  users: ({ clusters, isQuick, out }, tell) =>
    runUsers({ clusters, days: isQuick ? QUICK_DAYS : DAYS, out }, tell),
  policies: ({ isQuick, out }, tell) => runPolicies({ draws: isQuick ? 1 : POLICY_DRAWS, out }, tell),
  "decision-points": ({ isQuick, out }, tell) =>
    runDecisionPoints(
      { jobs: isQuick ? 1000 : DECISION_JOBS, draws: isQuick ? 1 : DECISION_DRAWS, out },
      tell,
    ),
  streams: ({ isQuick, out }, tell) =>
    runStreams({ seeds: isQuick ? 2 : STREAM_SEEDS, cases: isQuick ? 3 : STREAM_CASES, out }, tell),
  truth: async ({ isQuick, out }, tell) => {
    // A broker and an adapter are of no use to the others.
    const { runTruth } = await import("./truth/run-truth.ts");
    return runTruth({ seeds: isQuick ? 1 : TRUTH_SEEDS, out }, tell);
  },
  bursts: async ({ isQuick, out }, tell) => {
    const { runBursts } = await import("./bursts/run-bursts.ts");
    return runBursts({ minutes: isQuick ? 2 : BURST_MINUTES, out }, tell);
  },
  "policies-slurm": async ({ isQuick, out }, tell) => {
    const { runPoliciesSlurm } = await import("./policies-slurm/run-policies-slurm.ts");
    return runPoliciesSlurm({ seeds: isQuick ? 1 : POLICY_SEEDS, out }, tell);
  },
} as const satisfies Readonly<Record<string, Experiment>>;

/** See {@link EXPERIMENTS}. */
export type ExperimentName = keyof typeof EXPERIMENTS;

/** Those that `all` leaves out: they take root and a real batch system, in real time. */
export const ONLY_BY_NAME: readonly ExperimentName[] = ["truth", "bursts", "policies-slurm"];
