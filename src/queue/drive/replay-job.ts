/**
 * A job of a workload as a driver knows it, and the record of a job that has ended.
 */

/** A job of a workload. Runtime ≤ estimate: see rule QU-17 for how they are made so. */
export interface ReplayJob {
  /** Unique in the workload where operations name it. */
  readonly id: number;
  readonly submitMs: number;
  readonly need: readonly number[];
  readonly estimateMs: number;
  readonly runtimeMs: number;
  readonly pools?: readonly number[];
}

/** A job that has ended. */
export interface FinishedJob<Job extends ReplayJob = ReplayJob> {
  readonly job: Job;
  /** First start; for a job that was stopped and restarted, the first start after that. */
  readonly startMs: number;
  readonly endMs: number;
  /** The promise it was given on arrival; undefined where the discipline gives none. */
  readonly promisedMs: number | undefined;
  readonly backfilled: boolean;
  /** The pool of the last run, by index. */
  readonly pool: number;
}
