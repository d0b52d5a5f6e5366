/**
 * Jobs in columns: how a replay of the plain case takes them and gives them back.
 *
 * A recorded trace has hundreds of thousands of jobs, and one object each, with another for its end, is
 * what the collector of garbage then spends a good part of the simulation on.
 */

/** Jobs that are to come, in order of submission; times in ms. 0 < runtime ≤ estimate, both finite. */
export interface ComingJobs {
  submitMs: Float64Array;
  procs: Float64Array;
  runtimeMs: Float64Array;
  estimateMs: Float64Array;
  count: number;
}

/** Jobs that have ended, in the order of their ends; times in ms. */
export interface EndedJobs {
  /** The number of the job among all that were handed over: 0, 1, 2 … */
  readonly order: Float64Array;
  readonly submitMs: Float64Array;
  readonly procs: Float64Array;
  readonly runtimeMs: Float64Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  /** The promise it was given on arrival; NaN where the discipline gives none. */
  readonly promisedMs: Float64Array;
  /** 1 where a job before it in the queue still waited at its start. */
  readonly backfilled: Float64Array;
  readonly count: number;
}

/** Room for `rows` jobs to come; none yet. */
export function createComingJobs(rows: number): ComingJobs {
  return {
    submitMs: new Float64Array(rows),
    procs: new Float64Array(rows),
    runtimeMs: new Float64Array(rows),
    estimateMs: new Float64Array(rows),
    count: 0,
  };
}
