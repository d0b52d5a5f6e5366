/**
 * Courses that a queue has taken in one play or another, so that a play that meets one need not go on.
 *
 * Two plays in which nothing that is tried is still to come, the same jobs wait, and those that run end at
 * the same instants are the same from there on. At some of its passes a play leaves a mark: a hash of the
 * state, and what it had cost so far. Where another one comes upon the mark, the starts of both are compared
 * one by one, since a hash proves nothing; then the rest costs what it cost there.
 * Marks and starts are kept as long as there is room: what is forgotten is played again.
 */
import { gainsHash, nowMs } from "./play-free.ts";
import { addCost, delayedJobs, startedHash, weightedDelayMs } from "./play-pass.ts";
import { jobAt, jobs, lastsOf, mixed } from "./play-queue.ts";

/** Marks for each job that waits; with fewer one more often takes the place of another. */
const MARKS_PER_JOB: i32 = 8;
/** 32 MiB. */
const MOST_MARKS: i32 = 1048576;
/** 1 MiB. Plays meet those of neighbouring starts: 32 times as many save one or two passes in a hundred. */
const MOST_STARTS_KEPT: i32 = 131072;
const MOST_ROWS: i32 = 128;

/**
 * Bytes of a mark: its instant, and the cost up to there (f64); the hash, the course, and the number of
 * delayed jobs (i32).
 */
const MARK_BYTES: usize = 32;
const COST_BEFORE: usize = 8;
const CHECK: usize = 16;
const COURSE: usize = 20;
const DELAYED_BEFORE: usize = 24;

/**
 * Bytes of the entry for a row of starts: the final cost of its course (f64), the course, and the number of
 * delayed jobs (i32).
 */
const OWNER_BYTES: usize = 16;
const OWNER: usize = 8;
const DELAYED: usize = 12;

/** The course of the queue as it is. */
export const PRESENT: i32 = 0;

let rows: i32 = 0;
let marks: i32 = 0;
let startRows: usize = 0;
let owners: usize = 0;
let markTable: usize = 0;

/** Lays this out, without marks where nothing is tried; gives where it ends. */
export function layOutCourses(from: usize, isTried: bool): usize {
  rows = max(2, min(MOST_ROWS, MOST_STARTS_KEPT / max(1, jobs)));
  marks = 1;
  while (isTried && marks < min(MOST_MARKS, MARKS_PER_JOB * jobs)) marks <<= 1;
  startRows = from;
  owners = startRows + <usize>(rows * ((jobs + 1) & ~1)) * 8;
  markTable = owners + <usize>rows * OWNER_BYTES;
  return markTable + <usize>marks * MARK_BYTES;
}

/** Knows nothing any more. */
export function forgetCourses(): void {
  for (let row = 0; row < rows; row++) store<i32>(owners + <usize>row * OWNER_BYTES, -1, OWNER);
  for (let mark = 0; mark < marks; mark++) store<i32>(markTable + <usize>mark * MARK_BYTES, -1, COURSE);
}

/** Room for the starts of a course, by place. */
export function startsOfCourse(course: i32): usize {
  return startRows + <usize>(rowFor(course) * ((jobs + 1) & ~1)) * 8;
}

/** Row of a course; that of the present course is never overwritten. */
function rowFor(course: i32): i32 {
  return course === PRESENT ? 0 : 1 + (course % (rows - 1));
}

function ownerOf(course: i32): usize {
  return owners + <usize>rowFor(course) * OWNER_BYTES;
}

/** Begins a course: its row is its own from now on. */
export function openSeries(course: i32): void {
  store<i32>(ownerOf(course), course, OWNER);
}

/** Notes what a course costs from beginning to end. */
export function closeSeries(course: i32): void {
  const owner = ownerOf(course);
  store<f64>(owner, weightedDelayMs);
  store<i32>(owner, delayedJobs, DELAYED);
}

/**
 * Looks whether an earlier course was here; if so adds what its rest cost. Else leaves a mark.
 *
 * @returns whether one was
 */
export function meetsSeries(course: i32): bool {
  const hash = mixed(
    startedHash + gainsHash,
    <i32>reinterpret<i64>(nowMs) ^ <i32>(reinterpret<i64>(nowMs) >> 32),
  );
  const mark = markTable + <usize>(hash & (marks - 1)) * MARK_BYTES;
  const other = load<i32>(mark, COURSE);
  if (other >= 0 && other !== course && load<i32>(mark, CHECK) === hash && load<f64>(mark) === nowMs) {
    const owner = ownerOf(other);
    if (load<i32>(owner, OWNER) === other && isSameState(startsOfCourse(course), startsOfCourse(other))) {
      addCost(
        load<i32>(owner, DELAYED) - load<i32>(mark, DELAYED_BEFORE),
        load<f64>(owner) - load<f64>(mark, COST_BEFORE),
      );
      return true;
    }
  }
  store<f64>(mark, nowMs);
  store<f64>(mark, weightedDelayMs, COST_BEFORE);
  store<i32>(mark, hash, CHECK);
  store<i32>(mark, course, COURSE);
  store<i32>(mark, delayedJobs, DELAYED_BEFORE);
  return false;
}

/** True where the same jobs wait now, and no job that started at different instants still runs. */
function isSameState(ownMs: usize, otherMs: usize): bool {
  for (let place = 0; place < jobs; place += 2) {
    const at = (<usize>place) << 3;
    const same = f64x2.eq(v128.load(ownMs + at), v128.load(otherMs + at));
    if (i64x2.all_true(same)) continue;
    if (!isSameOf(place, load<f64>(ownMs + at), load<f64>(otherMs + at))) return false;
    if (place + 1 === jobs) break;
    if (!isSameOf(place + 1, load<f64>(ownMs + at, 8), load<f64>(otherMs + at, 8))) return false;
  }
  return true;
}

/** As `isSameState`, for one job; a waiting job has a start of ∞ or later than now. */
function isSameOf(place: i32, own: f64, other: f64): bool {
  if (own === other) return true;
  const last = max(own, other);
  if (last > nowMs) return own > nowMs && other > nowMs;
  return last + lastsOf(jobAt(place)) <= nowMs;
}
