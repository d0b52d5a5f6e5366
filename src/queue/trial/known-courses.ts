/**
 * Courses that a queue has taken in one play or another, so that a play that meets one need not go on.
 *
 * Two plays in which nothing that is tried is still to come, the same jobs wait, and those that run end at
 * the same instants are the same from there on. At some of its passes a play leaves a mark: a hash of the
 * state, and what it had cost so far. Where another one comes upon the mark, the starts of both are compared
 * one by one, since a hash proves nothing; then the rest costs what it cost there.
 * Marks and starts are kept as long as there is room: what is forgotten is played again.
 */
import type { QueuePlay } from "./queue-play.ts";

/** Marks by hash, and the courses that left them. */
export interface KnownCourses {
  /** By course modulo the number of rows: which one it is, its starts by place, what it cost in the end. */
  readonly rowOwner: Int32Array;
  readonly startsMs: Float64Array;
  readonly delayedJobs: Int32Array;
  readonly weightedDelayMs: Float64Array;
  /** By hash modulo the number of marks: the course, the hash, the instant, and what it had cost there. */
  readonly markOf: Int32Array;
  readonly markCheck: Int32Array;
  readonly markAtMs: Float64Array;
  readonly delayedBefore: Int32Array;
  readonly weightedBefore: Float64Array;
}

/** What a course costs those who wait. */
export interface CourseCost {
  delayedJobs: number;
  weightedDelayMs: number;
}

/** Marks for each job that waits; with fewer one more often takes the place of another. */
const MARKS_PER_JOB = 16;
/** 1 MiB. Plays meet those of neighbouring starts: 32 times as many save one or two passes in a hundred. */
const MOST_STARTS_KEPT = 2 ** 17;
const MOST_ROWS = 128;

/** The course of the queue as it is. */
export const PRESENT = 0;

/** Nothing is known yet. */
export function knowNoCourses(jobs: number): KnownCourses {
  const rows = Math.max(2, Math.min(MOST_ROWS, Math.floor(MOST_STARTS_KEPT / jobs)));
  const marks = 2 ** Math.ceil(Math.log2(MARKS_PER_JOB * jobs));
  return {
    rowOwner: new Int32Array(rows).fill(-1),
    startsMs: new Float64Array(rows * jobs),
    delayedJobs: new Int32Array(rows),
    weightedDelayMs: new Float64Array(rows),
    markOf: new Int32Array(marks).fill(-1),
    markCheck: new Int32Array(marks),
    markAtMs: new Float64Array(marks),
    delayedBefore: new Int32Array(marks),
    weightedBefore: new Float64Array(marks),
  };
}

/** Room for the starts of a course, by place, with those that it begins with; who has not started has ∞. */
export function openCourse(
  { rowOwner, startsMs }: KnownCourses,
  course: number,
  begunMs: Float64Array,
): Float64Array {
  const row = rowFor(course, rowOwner.length);
  const jobs = begunMs.length;
  rowOwner[row] = course;
  const own = startsMs.subarray(row * jobs, (row + 1) * jobs);
  own.set(begunMs);
  return own;
}

/** What everybody meets in the end is never forgotten. */
function rowFor(course: number, rows: number): number {
  return course === PRESENT ? 0 : 1 + (course % (rows - 1));
}

/** Notes what a course costs from beginning to end. */
export function closeCourse(known: KnownCourses, course: number, cost: CourseCost): void {
  const row = rowFor(course, known.rowOwner.length);
  known.delayedJobs[row] = cost.delayedJobs;
  known.weightedDelayMs[row] = cost.weightedDelayMs;
}

/**
 * Looks whether an earlier course was here; if so adds to `cost` what its rest cost. Else leaves a mark.
 *
 * @returns whether one was
 */
export function meetsCourse(
  known: KnownCourses,
  course: number,
  { play, startMs, cost }: { readonly play: QueuePlay; readonly startMs: Float64Array; cost: CourseCost },
): boolean {
  const hash = hashOf(play);
  const mark = hash & (known.markOf.length - 1);
  const other = known.markOf[mark];
  const { nowMs } = play.free;
  if (other >= 0 && other !== course && known.markCheck[mark] === hash && known.markAtMs[mark] === nowMs) {
    const rows = known.rowOwner.length;
    const row = rowFor(other, rows);
    if (known.rowOwner[row] === other && isSameState(play, startMs, known.startsMs, row * startMs.length)) {
      cost.delayedJobs += known.delayedJobs[row] - known.delayedBefore[mark];
      cost.weightedDelayMs += known.weightedDelayMs[row] - known.weightedBefore[mark];
      return true;
    }
  }
  known.markOf[mark] = course;
  known.markCheck[mark] = hash;
  known.markAtMs[mark] = nowMs;
  known.delayedBefore[mark] = cost.delayedJobs;
  known.weightedBefore[mark] = cost.weightedDelayMs;
  return false;
}

/** Whether the same jobs wait now, and of those that started at other instants none runs any more. */
function isSameState(
  { played, free }: QueuePlay,
  ownMs: Float64Array,
  all: Float64Array,
  from: number,
): boolean {
  const { nowMs } = free;
  const { durationMs } = played.queue;
  for (let i = 0; i < ownMs.length; i++) {
    const own = ownMs[i];
    const other = all[from + i];
    if (own === other) continue;
    const last = Math.max(own, other);
    if (last > nowMs ? own <= nowMs || other <= nowMs : last + durationMs[i] > nowMs) return false;
  }
  return true;
}

/** Of the instant, of who waits, and of when what comes free. */
function hashOf({ played, free, waiting, head }: QueuePlay): number {
  const { gainMs, gained, gainFrom, gainTo } = free;
  let hash = mixed(free.nowMs | 0, head);
  // Under FCFS whoever is not before the head waits.
  for (let word = head >> 5; played.isEasy && word < waiting.length; word++)
    hash = mixed(hash, waiting[word]);
  // A sum, since what comes free at one instant is in no order.
  for (let at = gainFrom; at < gainTo; at++) hash = (hash + mixed(gainMs[at] | 0, gained[at])) | 0;
  return hash;
}

function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}
