/**
 * Effect of one more reservation on a queue under FCFS or EASY, for many starts of it. The header of
 * `impact/backfill-procs` states the equivalence and the differences for speed.
 */
import { areaOf } from "./area.ts";
import {
  closeSeries,
  forgetCourses,
  layOutCourses,
  meetsSeries,
  openSeries,
  PRESENT,
  startsOfCourse,
} from "./play-courses.ts";
import {
  forkOf,
  gridTable,
  IMPOSSIBLE,
  layOutForks,
  lookAtGrid,
  NEVER,
  openForks,
  takeOfGrid,
} from "./play-forks.ts";
import { advanceToGain, layOutFree, nowMs, profileTable, takeFixed } from "./play-free.ts";
import {
  branchPlay,
  delayedJobs,
  head,
  layOutPass,
  left,
  openPlay,
  passNow,
  promiseEndMs,
  promiseMs,
  promiseOf,
  returnPlay,
  started,
  startedTo,
  weightedDelayMs,
} from "./play-pass.ts";
import {
  arrangeQueue,
  jobAt,
  jobs,
  jobTable,
  lastsOf,
  layOutQueue,
  leastOfClasses,
  procsOf,
} from "./play-queue.ts";

/** Row of a trial: start, cost (f64), number of delayed jobs, 1 where possible, next trial (i32). */
const TRIED_BYTES: usize = 32;
const COST: usize = 8;
const DELAYED: usize = 16;
const IS_POSSIBLE: usize = 20;
const NEXT: usize = 24;

/** A play leaves a mark where as many start as make this many places: looking costs as little as one. */
const MARKED_STARTS_LOG2: i32 = 2;

let trials: usize = 0;
let trialCount: i32 = 0;
let steps: i32 = 0;
let pieces: i32 = 0;
/** By pass the first trial that begins there (i32), −1 for none. */
let firstOfPass: usize = 0;
let passesAtMost: i32 = 0;
/** The starts of the present play up to where it is. */
let begunMs: usize = 0;
/** Width (processors) and duration (ms) of the tried reservation. */
let needed: i32 = 0;
let reservedMs: f64 = 0;

/** Says how many starts are tried, and how many steps the grid has; to be told before the queue. */
export function expectTrials(tries: i32, stepCount: i32): void {
  trialCount = tries;
  steps = stepCount;
}

/** Lays out a queue: so many jobs, whether they may pass the head, and a profile of so many pieces. */
export function layOutPlay(jobCount: i32, letsPast: bool, pieceCount: i32): void {
  pieces = pieceCount;
  passesAtMost = pieces + jobCount + 2;
  layOutFrom(areaOf(layOutFrom(0, jobCount, letsPast)), jobCount, letsPast);
}

function layOutFrom(from: usize, jobCount: i32, letsPast: bool): usize {
  trials = layOutQueue(from, jobCount, letsPast);
  firstOfPass = trials + <usize>trialCount * TRIED_BYTES;
  begunMs = firstOfPass + ((((<usize>passesAtMost) << 2) + 15) & ~15);
  const free = begunMs + ((<usize>(jobs + 1)) << 3);
  const pass = layOutPass(layOutFree(free, pieces, jobs), pieces);
  return layOutForks(layOutCourses(pass, trialCount > 0), steps);
}

/** Where a table begins that the caller writes: see `Kernel` in kernel/load. */
export function playTable(which: i32): usize {
  if (which === 0) return jobTable();
  if (which === 1) return profileTable();
  if (which === 2) return leastOfClasses(false);
  if (which === 3) return leastOfClasses(true);
  if (which === 4) return gridTable();
  return which === 5 ? trials : begunMs;
}

/** Takes the jobs as they were written: see `arrangeQueue`. */
export function arrangePlay(widths: i32, lengths: i32, isWidth: bool, isLength: bool): void {
  arrangeQueue(widths, lengths, isWidth, isLength);
}

/** Plays the queue as it is; the starts are in the last table. */
export function playPresent(atMs: f64): void {
  openPlay(atMs, begunMs);
  for (;;) {
    passNow();
    if (left === 0) return;
    advanceToGain();
  }
}

/** Tries a reservation, so wide and so long, at every start. */
export function tryAll(atMs: f64, procs: i32, durationMs: f64): void {
  needed = procs;
  reservedMs = durationMs;
  forgetCourses();
  knowThePresent(atMs);
  sortTrials();
  memory.fill(begunMs, 0x7f, (<usize>jobs) << 3);
  openPlay(atMs, begunMs);
  let begun = 0;
  for (let pass = 0; pass < passesAtMost; pass++) {
    for (let trial = firstOf(pass); trial >= 0; trial = load<i32>(trialAt(trial), NEXT)) {
      for (; begun < pass; begun++) {
        passNow();
        advanceToGain();
      }
      tryOne(trial);
    }
  }
}

function trialAt(trial: i32): usize {
  return trials + <usize>trial * TRIED_BYTES;
}

function firstOf(pass: i32): i32 {
  return load<i32>(firstOfPass + ((<usize>pass) << 2));
}

/** Leaves the marks of the queue as it is, and finds out until when it leaves room for the reservation. */
function knowThePresent(atMs: f64): void {
  openForks(needed);
  openSeries(PRESENT);
  openPlay(atMs, startsOfCourse(PRESENT));
  closeSeries(PRESENT);
  let promised = -1;
  for (let pass = 0; ; pass++) {
    const before = left;
    passNow();
    for (let at = started; at < startedTo; at += 4) {
      const job = jobAt(load<i32>(at));
      takeOfGrid(procsOf(job), nowMs, nowMs + lastsOf(job), pass);
    }
    if (left === 0) return;
    if (promiseOf === head && (promised !== head || startedTo > started)) {
      lookAtGrid(procsOf(jobAt(head)), promiseMs, promiseEndMs, pass);
      promised = head;
    }
    if (isMarked(before)) meetsSeries(PRESENT);
    advanceToGain();
  }
}

/** Puts the trials in order of the pass from which on they may differ; of equals the later start last. */
function sortTrials(): void {
  memory.fill(firstOfPass, 0xff, (<usize>passesAtMost) << 2);
  for (let at = trialCount - 1; at >= 0; at--) {
    const trial = trialAt(at);
    const fork = forkOf(load<f64>(trial), load<f64>(trial) + reservedMs);
    store<f64>(trial, 0, COST);
    store<i32>(trial, 0, DELAYED);
    store<i32>(trial, fork === IMPOSSIBLE ? 0 : 1, IS_POSSIBLE);
    if (fork === IMPOSSIBLE || fork === NEVER) continue;
    const first = firstOfPass + ((<usize>fork) << 2);
    store<i32>(trial, load<i32>(first), NEXT);
    store<i32>(first, at);
  }
}

/** Plays with the reservation until the play is one that is known, or everybody has started. */
function tryOne(at: i32): void {
  const trial = trialAt(at);
  const course = PRESENT + 1 + at;
  const overMs = load<f64>(trial) + reservedMs;
  const startsMs = startsOfCourse(course);
  openSeries(course);
  memory.copy(startsMs, begunMs, (<usize>jobs) << 3);
  branchPlay(startsMs);
  takeFixed(needed, load<f64>(trial), overMs);
  for (;;) {
    const before = left;
    passNow();
    if (left === 0) break;
    if (nowMs >= overMs && isMarked(before) && meetsSeries(course)) break;
    advanceToGain();
  }
  closeSeries(course);
  store<f64>(trial, weightedDelayMs, COST);
  store<i32>(trial, delayedJobs, DELAYED);
  returnPlay();
}

/** True for a pass that leaves a mark. */
function isMarked(before: i32): bool {
  return before >> MARKED_STARTS_LOG2 !== left >> MARKED_STARTS_LOG2;
}
