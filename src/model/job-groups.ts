/**
 * The jobs of a simulation by size and length, user or group, and how evenly these were served.
 *
 * As everything of a report: the field names are JSON keys, their snake_case columns of CSV files; only ever
 * added. docs/reference/measures.md has the formulas.
 */

/** Criteria by which jobs of a simulation are grouped. */
export const JOB_GROUPINGS = ["class", "user", "group"] as const;
/** See {@link JOB_GROUPINGS}. */
export type JobGrouping = (typeof JOB_GROUPINGS)[number];

/** Where classes of jobs part: at so many processors, and at a run time. */
export interface ClassLimits {
  /** A job of at most so many processors is narrow, any other wide. */
  readonly narrowProcs: number;
  /** A job that runs at most so long is short, any other long. */
  readonly shortMs: number;
}

/** The limits that are usual in the literature ([SKSS02]): 8 processors, an hour. */
export const USUAL_LIMITS: ClassLimits = { narrowProcs: 8, shortMs: 3_600_000 };

/** The jobs of one class, user or group that came to their end. */
export interface JobGroup {
  /** `short narrow` and so on, or the name of a user or group; `unknown` where the workload has none. */
  readonly name: string;
  readonly jobs: number;
  /** Σ processors × run time. */
  readonly procHours: number;
  /** Of all jobs and of all processor-hours, 0 … 1. */
  readonly jobShare: number;
  readonly workShare: number;
  readonly waitMeanSec: number;
  readonly waitMedianSec: number;
  readonly waitP95Sec: number;
  readonly boundedSlowdownMean: number;
  readonly boundedSlowdownMedian: number;
  readonly boundedSlowdownP95: number;
}

/** Fairness among users or groups, computed from their means, each counted once; unknown ones are omitted. */
export interface Fairness {
  /** Number of users or groups. */
  readonly count: number;
  /** Gini coefficient, 0 (all alike) … below 1. */
  readonly waitGini: number;
  readonly boundedSlowdownGini: number;
  /** Jain's index, 1 (all alike) … 1 ÷ count ([JCH84]). */
  readonly waitJain: number;
  readonly boundedSlowdownJain: number;
}

/** The jobs of a simulation by one of {@link JOB_GROUPINGS}. */
export interface GroupedJobs {
  readonly by: JobGrouping;
  /** Only by class. */
  readonly narrowProcs?: number;
  readonly shortSec?: number;
  /** Classes from short narrow to long wide; others by their processor-hours, most first. */
  readonly groups: readonly JobGroup[];
  /** Only by user and group, where one is known. */
  readonly fairness?: Fairness;
}

/** Use of a consumer beside the share that a policy gives it. */
export interface SharedUse {
  readonly consumer: string;
  /** Of all that the policies give, 0 … 1. */
  readonly share: number;
  /** Of all processor time of the jobs, 0 … 1. */
  readonly used: number;
}

/** Distance of use from the shares of policies. */
export interface ShareDeviation {
  /** Half the sum of |used − share| over consumers: 0 exactly in proportion … 1. */
  readonly deviation: number;
  /** Topmost consumers, in the order of the policies, then those without a share. */
  readonly consumers: readonly SharedUse[];
}
