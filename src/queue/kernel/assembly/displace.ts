/**
 * Displacement of waiting jobs by one more reservation of processors under conservative backfilling, for
 * many starts of it at once: the inner part of `impact/conservative-vector` for one column. That file states
 * the equivalence and the differences for speed.
 */
import { areaOf } from "./area.ts";
import {
  bytesOfSteps,
  freeFrom,
  gridStepAt,
  instantOf,
  layOutSteps,
  restart,
  searchPlaceAt,
  stepsOfGrid,
  takeFromGrid,
  writeGrid,
} from "./blocks.ts";
import { findEarliest, foundMs, takeFound, takeIfFree, takeReservation, takeSteps } from "./steps.ts";

/**
 * A job is a row: numbers that the caller writes (see `boardRow`), and what is found out, its earliest start
 * beside those before it alone, and from which place of the steps on to search from there.
 */
const ROW: usize = 80;
/** f64. */
const START: usize = 0;
const DURATION: usize = 8;
const FIRST_OF_REST: usize = 16;
const WEIGHT: usize = 24;
/** i32. */
const PROCS: usize = 32;
const STEP: usize = 36;
const END_STEP: usize = 40;
const WIDTH: usize = 44;
const LENGTH: usize = 48;
const COUNTS_FROM_WIDTH: usize = 52;
const COUNTS_FROM_LENGTH: usize = 56;
const ALONE_PLACE: usize = 60;
/** f64. */
const ALONE: usize = 64;

/** Bytes of an entry for a class of size: its least start (f64), and the place from which to search (i32). */
const KNOWN: usize = 16;
const KNOWN_PLACE: usize = 8;
/** Most classes of width, and of length. */
const CLASSES: i32 = 24;

let jobs: i32 = 0;
let starts: i32 = 0;
let rows: usize = 0;

/** The tried starts, in the order in which they are to be tried, and what comes of each. */
let triedMs: usize = 0;
let firstOf: usize = 0;
let delayedJobs: usize = 0;
let weightedDelayMs: usize = 0;

/** Least starts by class of size (see `impact/size-classes`), and the entry that was looked up last. */
let known: usize = 0;
let widths: i32 = 0;
let lengths: i32 = 0;
let leastPlace: i32 = 0;
/** By step of the grid: the first job with which less is free than the reservation needs. */
let shortFrom: usize = 0;

function numberAt(column: usize, at: i32): f64 {
  return load<f64>(column + ((<usize>at) << 3));
}

function wholeAt(column: usize, at: i32): i32 {
  return <i32>load<f64>(column + ((<usize>at) << 3));
}

function rowOf(at: i32): usize {
  return rows + <usize>at * ROW;
}

/** Lays out a board: so many jobs, steps of the grid, and tried starts. */
export function layOutBoard(jobCount: i32, steps: i32, startCount: i32): void {
  jobs = jobCount;
  starts = startCount;
  const room = 2 * jobs + 2;
  const column = (<usize>starts) << 3;
  const numbers = <usize>jobs * ROW + 4 * column + <usize>(CLASSES * CLASSES) * KNOWN + ((<usize>steps) << 3);
  rows = areaOf(numbers + bytesOfSteps(steps, room));
  triedMs = rows + <usize>jobs * ROW;
  firstOf = triedMs + column;
  delayedJobs = firstOf + column;
  weightedDelayMs = delayedJobs + column;
  known = weightedDelayMs + column;
  shortFrom = known + <usize>(CLASSES * CLASSES) * KNOWN;
  layOutSteps(rows + numbers, steps, room);
}

/** Says into how many classes of width and of length the jobs fall; at most 24 of each. */
export function useClasses(widthCount: i32, lengthCount: i32): void {
  widths = widthCount;
  lengths = lengthCount;
}

/**
 * Where the rows of the jobs begin, each 80 bytes: start, duration, first start of those from it on, weight
 * (f64); processors, the steps of the grid at which it starts and ends, its classes of width and of length,
 * and from which of each on what it finds counts (i32).
 */
export function boardRows(): usize {
  return rows;
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
export function findFirstDisplaced(needed: i32, reservedMs: f64): void {
  putAllBack(needed);
  for (let at = 0; at < starts; at++) {
    const endMs = numberAt(triedMs, at) + reservedMs;
    let number = gridStepAt(numberAt(triedMs, at));
    let first = wholeAt(shortFrom, number);
    while (++number < stepsOfGrid() && instantOf(number) < endMs)
      first = min(first, wholeAt(shortFrom, number));
    store<f64>(firstOf + ((<usize>at) << 3), first);
  }
}

/** Puts every job back to its place, in queue order; see `putAllBack` of `impact/conservative-vector`. */
function putAllBack(needed: i32): void {
  restart();
  for (let number = 0; number < stepsOfGrid(); number++) {
    store<f64>(shortFrom + ((<usize>number) << 3), freeFrom(number) < needed ? -1 : <f64>jobs);
  }
  forgetStarts();
  for (let at = 0; at < jobs; at++) {
    const row = rowOf(at);
    const amount = load<i32>(row, PROCS);
    findEarliest(amount, load<f64>(row, DURATION), max(instantOf(0), leastStart(row)), leastPlace);
    const alone = searchPlaceAt(foundMs);
    store<f64>(row, foundMs, ALONE);
    store<i32>(row, alone, ALONE_PLACE);
    learnStart(row, alone);
    const end = load<i32>(row, END_STEP);
    takeSteps(load<i32>(row, STEP), end, amount);
    for (let number = load<i32>(row, STEP); number < end; number++) {
      if (freeFrom(number) >= needed || wholeAt(shortFrom, number) !== jobs) continue;
      store<f64>(shortFrom + ((<usize>number) << 3), <f64>at);
    }
  }
}

/** Tries the reservation at every start, in the order in which they stand: by the first job displaced. */
export function displaceAll(needed: i32, reservedMs: f64): void {
  let placed = 0;
  for (let at = 0; at < starts; at++) {
    const first = wholeAt(firstOf, at);
    store<f64>(delayedJobs + ((<usize>at) << 3), 0);
    store<f64>(weightedDelayMs + ((<usize>at) << 3), 0);
    if (first < 0 || first === jobs) continue;
    for (; placed < first; placed++) {
      const row = rowOf(placed);
      takeFromGrid(load<i32>(row, STEP), load<i32>(row, END_STEP), load<i32>(row, PROCS));
    }
    restart();
    takeReservation(needed, numberAt(triedMs, at), reservedMs);
    displaceFrom(first, at, numberAt(triedMs, at) + reservedMs);
  }
}

/** Puts the jobs back from the first one displaced; see `displaceFrom` of `impact/conservative-vector`. */
function displaceFrom(first: i32, tried: i32, endMs: f64): void {
  let movedBeforeMs = endMs;
  let roomFromMs: f64 = Infinity;
  let delayed: f64 = 0;
  let weighted: f64 = 0;
  forgetStarts();
  const end = rowOf(jobs);
  for (let row = rowOf(first); row < end && load<f64>(row, FIRST_OF_REST) < movedBeforeMs; row += ROW) {
    const amount = load<i32>(row, PROCS);
    if (takeIfFree(load<i32>(row, STEP), load<i32>(row, END_STEP), amount)) continue;
    const ownMs = load<f64>(row, START);
    const lasts = load<f64>(row, DURATION);
    searchBehind(row, max(instantOf(0), roomFromMs - lasts + 1));
    learnStart(row, takeFound(amount, lasts));
    movedBeforeMs = max(movedBeforeMs, foundMs + lasts);
    roomFromMs = min(roomFromMs, ownMs);
    const delayMs = foundMs - ownMs;
    if (delayMs <= 0) continue;
    delayed += 1;
    weighted += load<f64>(row, WEIGHT) * delayMs;
  }
  store<f64>(delayedJobs + ((<usize>tried) << 3), delayed);
  store<f64>(weightedDelayMs + ((<usize>tried) << 3), weighted);
}

/** Finds the earliest start of a job that has to move, where displaced ones have left room from then on. */
function searchBehind(row: usize, roomMs: f64): void {
  const aloneMs = load<f64>(row, ALONE);
  const fromMs = min(aloneMs, roomMs);
  const leastMs = leastStart(row);
  let place = leastPlace;
  if (leastMs < fromMs) place = fromMs === aloneMs ? load<i32>(row, ALONE_PLACE) : searchPlaceAt(fromMs);
  findEarliest(load<i32>(row, PROCS), load<f64>(row, DURATION), max(fromMs, leastMs), place);
}

function forgetStarts(): void {
  const end = known + <usize>(widths * lengths) * KNOWN;
  for (let at = known; at < end; at += KNOWN) store<f64>(at, -Infinity);
}

/** No rectangle of the class of this job starts earlier; `leastPlace` is where to search from. */
function leastStart(row: usize): f64 {
  let least: f64 = -Infinity;
  leastPlace = 0;
  const ofLength = load<i32>(row, LENGTH) + 1;
  for (let w = load<i32>(row, WIDTH) + 1; w > 0; w &= w - 1) {
    const ofWidth = known + <usize>((w - 1) * lengths) * KNOWN;
    for (let l = ofLength; l > 0; l &= l - 1) {
      const here = ofWidth + <usize>(l - 1) * KNOWN;
      if (load<f64>(here) <= least) continue;
      least = load<f64>(here);
      leastPlace = load<i32>(here, KNOWN_PLACE);
    }
  }
  return least;
}

/**
 * Learns that this job starts at the earliest where it was found, and that a search from there may begin at
 * this place. Each set of classes lies in the next that is looked at, so where one has as much already, so
 * have the rest.
 */
function learnStart(row: usize, place: i32): void {
  const fromLength = load<i32>(row, COUNTS_FROM_LENGTH) + 1;
  for (let w = load<i32>(row, COUNTS_FROM_WIDTH) + 1; w <= widths; w += w & -w) {
    const ofWidth = known + <usize>((w - 1) * lengths) * KNOWN;
    let l = fromLength;
    for (; l <= lengths; l += l & -l) {
      const here = ofWidth + <usize>(l - 1) * KNOWN;
      if (load<f64>(here) >= foundMs) break;
      store<f64>(here, foundMs);
      store<i32>(here, place, KNOWN_PLACE);
    }
    if (l === fromLength) return;
  }
}
