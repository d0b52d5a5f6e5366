/**
 * Jobs in columns: how a replay of the plain case takes them and gives them back.
 *
 * A recorded trace has hundreds of thousands of jobs, and one object each, with another for its end, is
 * what the collector of garbage then spends a good part of the simulation on.
 */

/** Jobs that are to come, in order of submission; times in ms. 0 < runtime ≤ estimate. */
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
  order: Float64Array;
  submitMs: Float64Array;
  procs: Float64Array;
  runtimeMs: Float64Array;
  startMs: Float64Array;
  endMs: Float64Array;
  /** The promise it was given on arrival; NaN where the discipline gives none. */
  promisedMs: Float64Array;
  /** 1 where a job before it in the queue still waited at its start (rule QU-18). */
  backfilled: Uint8Array;
  count: number;
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

/** Room for `rows` ended jobs; none yet. */
export function createEndedJobs(rows: number): EndedJobs {
  return {
    order: new Float64Array(rows),
    submitMs: new Float64Array(rows),
    procs: new Float64Array(rows),
    runtimeMs: new Float64Array(rows),
    startMs: new Float64Array(rows),
    endMs: new Float64Array(rows),
    promisedMs: new Float64Array(rows),
    backfilled: new Uint8Array(rows),
    count: 0,
  };
}

/** Puts `more` behind the jobs from `from` on, which move to the front. */
export function appendJobs(jobs: ComingJobs, from: number, more: ComingJobs): void {
  const kept = jobs.count - from;
  const rows = kept + more.count;
  const size = rows > jobs.procs.length ? rows * 2 : jobs.procs.length;
  jobs.submitMs = joined(jobs.submitMs, [from, jobs.count], more.submitMs.subarray(0, more.count), size);
  jobs.procs = joined(jobs.procs, [from, jobs.count], more.procs.subarray(0, more.count), size);
  jobs.runtimeMs = joined(jobs.runtimeMs, [from, jobs.count], more.runtimeMs.subarray(0, more.count), size);
  jobs.estimateMs = joined(
    jobs.estimateMs,
    [from, jobs.count],
    more.estimateMs.subarray(0, more.count),
    size,
  );
  jobs.count = rows;
}

function joined(
  column: Float64Array,
  [from, end]: readonly [number, number],
  more: Float64Array,
  size: number,
): Float64Array {
  const target = size === column.length ? column : new Float64Array(size);
  target.set(column.subarray(from, end));
  target.set(more, end - from);
  return target;
}

/** Makes room for one more ended job. */
export function makeRoomForEnded(ended: EndedJobs): void {
  if (ended.count < ended.order.length) return;
  const rows = ended.order.length * 2;
  ended.order = grown(ended.order, rows);
  ended.submitMs = grown(ended.submitMs, rows);
  ended.procs = grown(ended.procs, rows);
  ended.runtimeMs = grown(ended.runtimeMs, rows);
  ended.startMs = grown(ended.startMs, rows);
  ended.endMs = grown(ended.endMs, rows);
  ended.promisedMs = grown(ended.promisedMs, rows);
  const marks = new Uint8Array(rows);
  marks.set(ended.backfilled);
  ended.backfilled = marks;
}

/** A longer copy. */
export function grown(column: Float64Array, rows: number): Float64Array {
  const longer = new Float64Array(rows);
  longer.set(column);
  return longer;
}
