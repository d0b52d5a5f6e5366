/**
 * Effect of changed rules, with its reliability: first the recorded period under today's rules against the
 * recorded starts, then under the changed ones.
 *
 * The report's field names are the JSON keys of `stint sim --what-if -o json` and are stable: only ever
 * added. Times are seconds; a difference is positive where a job starts later.
 */
import type { Discipline, EstimateRule, OverrunRule, ProgramDiscipline } from "./discipline.ts";
import type { SimulatedPool, SimulationRequest, StoppedRule } from "./simulation.ts";

/** Compare the starts of a recorded workload. */
export interface WhatIfRequest {
  /** The workload, in JSON lines, and today's rules. `jobsOut`, a CSV, has a row for each job compared. */
  readonly simulation: SimulationRequest;
  /** Changes, a `what=value` each; none: only the baseline. */
  readonly changes: readonly string[];
  /** Where to write the report as HTML. */
  readonly report?: string;
  /**
   * Name of the workload, where it is a live queue: its starts are those that the batch system expects, and
   * there may be none.
   */
  readonly live?: string;
}

/** The rules of one run. */
export interface WhatIfRules {
  readonly discipline: Discipline | ProgramDiscipline;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly stoppedJobs: StoppedRule;
  readonly pools: readonly SimulatedPool[];
  /** Files of the usage policies that were enforced; empty: the queue alone decides who starts. */
  readonly policies: readonly string[];
}

/** By what jobs are grouped. `size` is processors, in classes that end at powers of two. */
export const GROUPINGS = ["queue", "size", "group", "user"] as const;
/** One of {@link GROUPINGS}. */
export type Grouping = (typeof GROUPINGS)[number];

/** Distance of simulated starts from recorded ones. */
export interface StartErrors {
  readonly jobs: number;
  /** Of the error's size. */
  readonly medianSec: number;
  readonly p95Sec: number;
  readonly meanSec: number;
  /** Mean of the error with its sign: positive where the simulation starts jobs too late. */
  readonly biasSec: number;
  /** Jobs within 15 minutes of their recorded start, 0 … 1. */
  readonly within15MinShare: number;
  /** Jobs whose error is at most a tenth of their recorded wait, 0 … 1. */
  readonly within10PercentShare: number;
}

/** The errors of the jobs of a queue or a class of sizes. */
interface ComparedGroup extends StartErrors {
  readonly by: Grouping;
  readonly name: string;
}

/** Distribution of waits, from eligibility on. */
export interface WaitSpread {
  readonly meanSec: number;
  readonly medianSec: number;
  readonly p95Sec: number;
}

/** Today's rules against what really happened, or against what the batch system expects. */
export interface WhatIfBaseline extends StartErrors {
  readonly recordedWait: WaitSpread;
  readonly simulatedWait: WaitSpread;
  /** Queues and sizes, the largest first. */
  readonly groups: readonly ComparedGroup[];
}

/** Time by which some jobs start earlier or later. */
export interface Timing {
  readonly jobs: number;
  readonly medianSec: number;
  readonly p95Sec: number;
  readonly totalSec: number;
}

/** Effect of a change on the starts of jobs. Differences below a second do not count. */
export interface MovedStarts {
  readonly jobs: number;
  readonly earlier: Timing;
  readonly later: Timing;
  /** Sum of all differences: negative where less is waited. */
  readonly netSec: number;
  /** Mean size of the differences, over all jobs. */
  readonly meanSec: number;
}

/** Effect on the jobs of a queue, a class of sizes, an account or a user. */
export interface ChangedGroup extends MovedStarts {
  readonly by: Grouping;
  readonly name: string;
}

/** The changed rules against today's, both simulated. */
export interface WhatIfChange extends MovedStarts {
  readonly changes: readonly string[];
  readonly rules: WhatIfRules;
  readonly waitToday: WaitSpread;
  readonly waitChanged: WaitSpread;
  /** Jobs that start in one of the two only. */
  readonly incomparable: number;
  /** Number of incomparable jobs that start under today's rules but not under the changed ones. */
  readonly onlyToday: number;
  readonly groups: readonly ChangedGroup[];
  /** True where the mean size of the baseline's error exceeds that of the differences. */
  readonly isWithinError: boolean;
  /** Interpretation of the comparison, for people. */
  readonly verdict: string;
}

/** State at the beginning of the record. */
export interface RecordBeginning {
  /** ISO 8601; null where the file has no line of a period, and the record begins with its first job. */
  readonly fromAt: string | null;
  /** Jobs that ran then: they occupy their part from the start, and are not compared. */
  readonly running: number;
  /** Of these, jobs that had no room at once, and so the site was larger or the record is not whole. */
  readonly runningWithoutRoom: number;
  /** Jobs that waited then; they are first in the queue, in the order in which they were eligible. */
  readonly waiting: number;
  /** Jobs that were over, and are left out. */
  readonly over: number;
}

/** The answer. */
export interface WhatIfReport {
  readonly version: string;
  readonly trace: string;
  readonly traceSha256: string;
  readonly rules: WhatIfRules;
  readonly beginning: RecordBeginning;
  /** Jobs without a run time, or that fit nowhere. */
  readonly skipped: number;
  /** Jobs whose start was not recorded: they are there, and not compared. */
  readonly withoutRecord: number;
  /**
   * Jobs that were cancelled before they started and would have started in the simulation: their real
   * obstacle is not in the record, and they are left out.
   */
  readonly neverStarted: number;
  /** With what the baseline compares: starts that happened, or that the batch system expects of its queue. */
  readonly comparedWith: "recorded" | "expected";
  readonly baseline: WhatIfBaseline;
  /** Null where nothing was changed. */
  readonly change: WhatIfChange | null;
}

/** Runs comparisons; passed to consumers of this type. */
export type WhatIf = (request: WhatIfRequest) => Promise<WhatIfReport>;
