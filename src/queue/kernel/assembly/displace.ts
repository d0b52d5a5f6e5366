/**
 * What one more reservation of processors would displace under conservative backfilling, for many starts of
 * it at once: the inner part of `trial/displace-many` for one column, which says what it is equal to and why
 * it is quick.
 */
import {
  bytesOfSteps,
  findEarliest,
  foundMs,
  freeOf,
  gridStepAt,
  layOutSteps,
  restart,
  stepAt,
  stepsOfGrid,
  takeFound,
  takeFromGrid,
  takeIfFree,
  takeReservation,
  takeSteps,
  timeOf,
  writeGrid,
} from "./steps.ts";

/** Of a job: ten that the caller writes (see `boardColumn`), and one that is found out; all f64. */
const COLUMNS: i32 = 11;
/** Of width, and of length, at most. */
const CLASSES: i32 = 64;

let area: usize = 0;
let areaBytes: usize = 0;
let jobs: i32 = 0;
let starts: i32 = 0;

let procs: usize = 0;
let startMs: usize = 0;
let durationMs: usize = 0;
let step: usize = 0;
let firstOfRestMs: usize = 0;
let weight: usize = 0;
let width: usize = 0;
let length: usize = 0;
let countsFromWidth: usize = 0;
let countsFromLength: usize = 0;
/** What the kernel finds out: the earliest start of each beside those before it alone. */
let aloneMs: usize = 0;

/** The tried starts, in the order in which they are to be tried, and what comes of each. */
let triedMs: usize = 0;
let firstOf: usize = 0;
let delayedJobs: usize = 0;
let weightedDelayMs: usize = 0;

/** The least starts by class of size: see `trial/known-starts`. */
let knownMs: usize = 0;
let widths: i32 = 0;
let lengths: i32 = 0;
let shortFrom: usize = 0;

function numberAt(column: usize, at: i32): f64 {
  return load<f64>(column + ((<usize>at) << 3));
}

function wholeAt(column: usize, at: i32): i32 {
  return <i32>load<f64>(column + ((<usize>at) << 3));
}

/** Lays out a board: so many jobs, steps of the grid, and tried starts. */
export function layOutBoard(jobCount: i32, steps: i32, startCount: i32): void {
  jobs = jobCount;
  starts = startCount;
  const room = 2 * jobs + 2;
  const column = (<usize>(jobs + 1)) << 3;
  const numbers = column * COLUMNS + ((<usize>(starts * 4 + CLASSES * CLASSES + steps)) << 3);
  makeArea(numbers + bytesOfSteps(steps, room));
  procs = area;
  startMs = procs + column;
  durationMs = startMs + column;
  step = durationMs + column;
  firstOfRestMs = step + column;
  weight = firstOfRestMs + column;
  width = weight + column;
  length = width + column;
  countsFromWidth = length + column;
  countsFromLength = countsFromWidth + column;
  aloneMs = countsFromLength + column;
  triedMs = aloneMs + column;
  firstOf = triedMs + ((<usize>starts) << 3);
  delayedJobs = firstOf + ((<usize>starts) << 3);
  weightedDelayMs = delayedJobs + ((<usize>starts) << 3);
  knownMs = weightedDelayMs + ((<usize>starts) << 3);
  shortFrom = knownMs + ((<usize>(CLASSES * CLASSES)) << 3);
  layOutSteps(area + numbers, steps, room);
}

/** Says into how many classes of width and of length the jobs fall; at most 64 of each. */
export function useClasses(widthCount: i32, lengthCount: i32): void {
  widths = widthCount;
  lengths = lengthCount;
}

function makeArea(bytes: usize): void {
  if (bytes <= areaBytes) return;
  areaBytes = bytes * 2;
  area = heap.alloc(areaBytes);
}

/** Where a column of the jobs begins: in the order above, procs first. */
export function boardColumn(column: i32): usize {
  return procs + <usize>column * ((<usize>(jobs + 1)) << 3);
}

/** Where a column of the starts begins: when, first displaced, delayed jobs, weighted delay. */
export function triedColumn(column: i32): usize {
  return triedMs + <usize>column * ((<usize>starts) << 3);
}

/** Writes a step of the grid: what is free beside running jobs and reservations. */
export function boardStep(number: i32, atMs: f64, free: f64): void {
  writeGrid(number, atMs, free);
}

/**
 * Finds for each start the first job that a reservation from it displaces: −1 where it conflicts with what
 * cannot move, as many as there are jobs where it displaces nobody.
 */
export function findFirstDisplaced(nowMs: f64, needed: i32, reservedMs: f64): void {
  putAllBack(nowMs, needed);
  for (let at = 0; at < starts; at++) {
    const endMs = numberAt(triedMs, at) + reservedMs;
    let number = gridStepAt(numberAt(triedMs, at));
    let first = wholeAt(shortFrom, number);
    while (++number < stepsOfGrid() && timeOf(stepAt(number)) < endMs)
      first = min(first, wholeAt(shortFrom, number));
    store<f64>(firstOf + ((<usize>at) << 3), first);
  }
}

/** Puts every job back to its place, in queue order; see `putAllBack` of `trial/displace-many`. */
function putAllBack(nowMs: f64, needed: i32): void {
  restart();
  for (let number = 0; number < stepsOfGrid(); number++) {
    store<f64>(shortFrom + ((<usize>number) << 3), freeOf(stepAt(number)) < needed ? -1 : <f64>jobs);
  }
  forgetStarts();
  for (let at = 0; at < jobs; at++) {
    const amount = wholeAt(procs, at);
    findEarliest(amount, numberAt(durationMs, at), max(nowMs, leastStart(at)));
    store<f64>(aloneMs + ((<usize>at) << 3), foundMs);
    learnStart(at, foundMs);
    const endMs = numberAt(startMs, at) + numberAt(durationMs, at);
    const first = wholeAt(step, at);
    takeSteps(stepAt(first), amount, endMs);
    for (let number = first; number < stepsOfGrid() && timeOf(stepAt(number)) < endMs; number++) {
      if (freeOf(stepAt(number)) >= needed || wholeAt(shortFrom, number) !== jobs) continue;
      store<f64>(shortFrom + ((<usize>number) << 3), <f64>at);
    }
  }
}

/** Tries the reservation at every start, in the order in which they stand: by the first job displaced. */
export function displaceAll(nowMs: f64, needed: i32, reservedMs: f64): void {
  let placed = 0;
  for (let at = 0; at < starts; at++) {
    const first = wholeAt(firstOf, at);
    store<f64>(delayedJobs + ((<usize>at) << 3), 0);
    store<f64>(weightedDelayMs + ((<usize>at) << 3), 0);
    if (first < 0 || first === jobs) continue;
    for (; placed < first; placed++) {
      takeFromGrid(
        wholeAt(step, placed),
        wholeAt(procs, placed),
        numberAt(startMs, placed) + numberAt(durationMs, placed),
      );
    }
    const endMs = numberAt(triedMs, at) + reservedMs;
    restart();
    takeReservation(needed, numberAt(triedMs, at), endMs);
    displaceFrom(first, at, nowMs, endMs);
  }
}

/** Puts the jobs back from the first one displaced; see `displaceFrom` of `trial/displace-many`. */
function displaceFrom(first: i32, tried: i32, nowMs: f64, endMs: f64): void {
  let movedBeforeMs = endMs;
  let roomFromMs: f64 = Infinity;
  let delayed: f64 = 0;
  let weighted: f64 = 0;
  forgetStarts();
  for (let at = first; at < jobs && numberAt(firstOfRestMs, at) < movedBeforeMs; at++) {
    const amount = wholeAt(procs, at);
    const ownMs = numberAt(startMs, at);
    const lasts = numberAt(durationMs, at);
    if (takeIfFree(stepAt(wholeAt(step, at)), amount, ownMs + lasts)) continue;
    const fromMs = min(numberAt(aloneMs, at), max(nowMs, roomFromMs - lasts + 1));
    findEarliest(amount, lasts, max(fromMs, leastStart(at)));
    takeFound(amount, lasts);
    learnStart(at, foundMs);
    movedBeforeMs = max(movedBeforeMs, foundMs + lasts);
    roomFromMs = min(roomFromMs, ownMs);
    const delayMs = foundMs - ownMs;
    if (delayMs <= 0) continue;
    delayed += 1;
    weighted += numberAt(weight, at) * delayMs;
  }
  store<f64>(delayedJobs + ((<usize>tried) << 3), delayed);
  store<f64>(weightedDelayMs + ((<usize>tried) << 3), weighted);
}

function forgetStarts(): void {
  for (let at = 0; at < widths * lengths; at++) store<f64>(knownMs + ((<usize>at) << 3), -Infinity);
}

/** No rectangle of the class of this job starts earlier. */
function leastStart(at: i32): f64 {
  let least: f64 = -Infinity;
  const ofLength = wholeAt(length, at) + 1;
  for (let w = wholeAt(width, at) + 1; w > 0; w &= w - 1) {
    const row = (w - 1) * lengths - 1;
    for (let l = ofLength; l > 0; l &= l - 1) least = max(least, numberAt(knownMs, row + l));
  }
  return least;
}

/**
 * Learns that this job starts here at the earliest. Each block of classes lies in the next that is looked
 * at, so where one has as much already, so have the rest.
 */
function learnStart(at: i32, foundAtMs: f64): void {
  const fromLength = wholeAt(countsFromLength, at) + 1;
  for (let w = wholeAt(countsFromWidth, at) + 1; w <= widths; w += w & -w) {
    const row = (w - 1) * lengths - 1;
    let l = fromLength;
    for (; l <= lengths && numberAt(knownMs, row + l) < foundAtMs; l += l & -l) {
      store<f64>(knownMs + ((<usize>(row + l)) << 3), foundAtMs);
    }
    if (l === fromLength) return;
  }
}
