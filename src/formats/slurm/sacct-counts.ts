/** Counts of an import, by the outcome of its rows. */

/** Why a row became no job, in words for a person. */
export const SKIP_REASONS = {
  step: "steps of jobs (sacct -X leaves them out)",
  neverEligible: "taken away before they could start",
  held: "held or waiting for another job, still not eligible",
  noProcs: "without processors",
  noTime: "ran for less than a second",
  timeUnknown: "of which neither a run time nor a limit is known",
  runaway: "running long after their limit: lost by the controller",
  beforePeriod: "over before the period",
  afterPeriod: "eligible after the period",
  partitionGone: "in a partition that the site has not any more",
  malformed: "malformed",
} as const;

/** One of {@link SKIP_REASONS}. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** Numbers of jobs unless stated otherwise. */
export interface ImportCounts {
  rows: number;
  jobs: number;
  /** With a recorded start. */
  started: number;
  running: number;
  waiting: number;
  withdrawn: number;
  /** Runs after the first of jobs that were requeued. */
  requeued: number;
  /** Ran, but when they started is not known. */
  startUnknown: number;
  /** Parts of jobs of several shapes, each of which became a job. */
  parts: number;
  /** Tasks of arrays of which only some may run at once. */
  throttled: number;
  /** Jobs without a limit of their own and of their partition. */
  unlimited: number;
  readonly skipped: Record<SkipReason, number>;
}

/** Nothing yet. */
export function noCounts(): ImportCounts {
  const reasons = Object.keys(SKIP_REASONS).map((reason) => [reason, 0]);
  return {
    ...{ rows: 0, jobs: 0, started: 0, running: 0, waiting: 0, withdrawn: 0, requeued: 0, startUnknown: 0 },
    ...{ parts: 0, throttled: 0, unlimited: 0 },
    skipped: Object.fromEntries(reasons) as Record<SkipReason, number>,
  };
}
