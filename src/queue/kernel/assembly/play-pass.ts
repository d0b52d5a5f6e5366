/**
 * One pass of FCFS or EASY over a queue in play (rules QU-1, QU-2).
 *
 * Behind the head only those are looked at who are narrow and short enough to start, in queue order, 128
 * places at a time. Whatever has to be left free is a limit: the head's promise, or something fixed that
 * begins later, is passed by who is narrow enough beside it and by who is over before it. What has room only
 * shrinks in a pass, so the queue is gone through once. The head's promise is looked for once, since nothing
 * ends early and who is let past does not disturb it.
 */
import {
  branchFree,
  findStart,
  fitsNow,
  foundFree,
  foundMs,
  free,
  leftAt,
  lossFrom,
  lossMs,
  lossTo,
  nextLoss,
  nowMs,
  openFree,
  returnFree,
  takeNow,
} from "./play-free.ts";
import {
  addPlace,
  hashOf,
  isEasy,
  isExact,
  isExactInWidth,
  jobAt,
  jobs,
  lastsOf,
  presentOf,
  procsOf,
  removePlace,
  rowBytes,
  rowNarrow,
  rowShort,
  weightOf,
} from "./play-queue.ts";

/** Number of waiting jobs, and the place of the first; the number of jobs where none waits. */
export let left: i32 = 0;
export let head: i32 = 0;
/** The sum of the hashes of who waits no longer. */
export let startedHash: i32 = 0;
/** Places (i32) of the jobs that started in the last pass, in order. */
export let started: usize = 0;
export let startedTo: usize = 0;
/** Number of jobs that start later than in the present play, and Σ weight × delay of these. */
export let delayedJobs: i32 = 0;
export let weightedDelayMs: f64 = 0;

/** Promise of the head: its place (−1 where none was computed), start, end, width; processors beside it. */
export let promiseOf: i32 = -1;
export let promiseMs: f64 = 0;
export let promiseEndMs: f64 = 0;
let promiseProcs: i32 = 0;
let extra: i32 = 0;

/** When each job starts in this play, by place (f64). */
let startsMs: usize = 0;
/** Set of places that wait behind the head. */
let waiting: usize = 0;
/** Of each limit but the promise: the rows of who is narrow enough, and of who is short enough. */
let limits: usize = 0;
let limitsTo: usize = 0;
/** The rows of who is narrow enough now, or beside the promise; of who is over before it. */
let narrowNow: usize = 0;
let narrowBeside: usize = 0;
let shortBefore: usize = 0;
/** Places found in a vector; see `nextFound`. */
let found: v128 = i64x2.splat(0);
/** Beside which head's promise, of what width, and before which fixed beginning nobody more could start. */
let settledNarrow: usize = 0;
let settledOf: i32 = -1;
let settledLoss: usize = 0;

/** The present play as it was left to play a trial from it. */
let keptLeft: i32 = 0;
let keptHead: i32 = 0;
let keptHash: i32 = 0;
let keptPromiseOf: i32 = 0;
let keptPromiseMs: f64 = 0;
let keptPromiseEndMs: f64 = 0;
let keptPromiseProcs: i32 = 0;
let keptExtra: i32 = 0;
let keptStartsMs: usize = 0;

/** Lays this out beside a profile of so many pieces; gives where it ends. */
export function layOutPass(from: usize, pieces: i32): usize {
  waiting = from;
  limits = waiting + 2 * rowBytes;
  started = limits + <usize>(pieces + 2) * 2 * sizeof<usize>();
  return started + ((((<usize>jobs) << 2) + 15) & ~15);
}

/** Begins with everybody waiting; writes the starts there. */
export function openPlay(atMs: f64, writesTo: usize): void {
  openFree(atMs);
  memory.fill(waiting, 0, rowBytes);
  if (isEasy) for (let place = 1; place < jobs; place++) addPlace(waiting, place);
  startsMs = writesTo;
  left = jobs;
  head = 0;
  startedHash = 0;
  promiseOf = -1;
  settledOf = -1;
  delayedJobs = 0;
  weightedDelayMs = 0;
}

/** Leaves the present play as it is, to go on with a copy of it that writes its starts there. */
export function branchPlay(writesTo: usize): void {
  branchFree();
  for (let at: usize = 0; at < rowBytes; at += 16) {
    v128.store(waiting + rowBytes + at, v128.load(waiting + at));
  }
  waiting += rowBytes;
  keptLeft = left;
  keptHead = head;
  keptHash = startedHash;
  keptPromiseOf = promiseOf;
  keptPromiseMs = promiseMs;
  keptPromiseEndMs = promiseEndMs;
  keptPromiseProcs = promiseProcs;
  keptExtra = extra;
  keptStartsMs = startsMs;
  startsMs = writesTo;
  promiseOf = -1;
  settledOf = -1;
}

/** Goes back to the present play; nobody is delayed in it. */
export function returnPlay(): void {
  returnFree();
  waiting -= rowBytes;
  left = keptLeft;
  head = keptHead;
  startedHash = keptHash;
  promiseOf = keptPromiseOf;
  promiseMs = keptPromiseMs;
  promiseEndMs = keptPromiseEndMs;
  promiseProcs = keptPromiseProcs;
  extra = keptExtra;
  startsMs = keptStartsMs;
  settledOf = -1;
  delayedJobs = 0;
  weightedDelayMs = 0;
}

/** Adds what the rest of a play costs that is known. */
export function addCost(jobsMore: i32, weightedMore: f64): void {
  delayedJobs += jobsMore;
  weightedDelayMs += weightedMore;
}

/** Starts what can start now. */
export function passNow(): void {
  startedTo = started;
  if (head !== promiseOf || nowMs >= promiseMs) {
    while (head < jobs) {
      const job = jobAt(head);
      if (!fitsNow(procsOf(job), nowMs + lastsOf(job))) break;
      startNow(head);
      head = isEasy ? takeNextHead() : head + 1;
    }
  }
  if (!isEasy || left < 2 || free === 0) return;
  if (promiseOf !== head) promiseHead();
  backfill();
}

/** The first who waits behind the head is behind it no longer. */
function takeNextHead(): i32 {
  const end = waiting + rowBytes;
  for (let word = waiting + ((<usize>head >> 6) << 3); word < end; word += 8) {
    const bits = load<i64>(word);
    if (bits === 0) continue;
    store<i64>(word, bits & (bits - 1));
    return <i32>((word - waiting) << 3) + <i32>ctz(bits);
  }
  return jobs;
}

function promiseHead(): void {
  const job = jobAt(head);
  promiseProcs = procsOf(job);
  findStart(promiseProcs, lastsOf(job));
  promiseOf = head;
  promiseMs = foundMs;
  promiseEndMs = foundMs + lastsOf(job);
  extra = foundFree - promiseProcs;
}

/** Starts a waiting job that has room. */
function startNow(place: i32): void {
  const job = jobAt(place);
  takeNow(procsOf(job), nowMs + lastsOf(job));
  startedHash += hashOf(job);
  left--;
  store<f64>(startsMs + ((<usize>place) << 3), nowMs);
  store<i32>(startedTo, place);
  startedTo += 4;
  const delayMs = nowMs - presentOf(job);
  if (delayMs <= 0) return;
  delayedJobs++;
  weightedDelayMs += weightOf(job) * delayMs;
}

/**
 * Lets past the head, in queue order, who disturbs neither what is fixed nor its promise. Under the same
 * promise, and before anything else that is fixed begins, limits only become narrower: who had room of its
 * width and was kept back by them still is.
 */
function backfill(): void {
  narrowNow = rowNarrow(free);
  if (narrowNow === settledNarrow && settledOf === head && settledLoss === lossFrom) return;
  letPast();
  settledNarrow = isExactInWidth ? narrowNow : 0;
  settledOf = head;
  settledLoss = lossFrom;
}

function letPast(): void {
  narrowBeside = rowNarrow(extra);
  shortBefore = rowShort(promiseMs - nowMs);
  limitsTo = limits;
  let isLimited = false;
  let at = (<usize>head >> 7) << 4;
  for (;;) {
    at = nextFound(at);
    if (at >= rowBytes) return;
    let place = lowestOf(at, found);
    if ((!isExact || lossFrom < lossTo) && !hasRoomBeside(jobAt(place))) {
      if (!isLimited) setLimits();
      isLimited = true;
      place = firstWithRoom(at, withinLimits(at, found));
      if (place < 0) {
        at += 16;
        continue;
      }
    }
    const job = jobAt(place);
    removePlace(waiting, place);
    startNow(place);
    narrowNow = rowNarrow(free);
    if (nowMs + lastsOf(job) > promiseMs) {
      extra -= procsOf(job);
      narrowBeside = rowNarrow(extra);
    }
    if (free === 0) return;
    isLimited = false;
  }
}

/** The vector from one on in which somebody has room beside the promise; who does is in `found`. */
function nextFound(from: usize): usize {
  const here = waiting;
  const now = narrowNow;
  const beside = narrowBeside;
  const before = shortBefore;
  const end = rowBytes;
  for (let at = from; at < end; at += 16) {
    const narrow = v128.and(v128.load(here + at), v128.load(now + at));
    const some = v128.and(narrow, v128.or(v128.load(beside + at), v128.load(before + at)));
    if (!v128.any_true(some)) continue;
    found = some;
    return at;
  }
  return end;
}

/** Says by what is fixed that leaves less than is free now. */
function setLimits(): void {
  limitsTo = limits;
  for (let loss = lossFrom; loss < lossTo; loss = nextLoss(loss)) {
    const leftThere = leftBeside(loss);
    if (leftThere >= free) continue;
    store<usize>(limitsTo, rowNarrow(leftThere));
    store<usize>(limitsTo, rowShort(lossMs(loss) - nowMs), sizeof<usize>());
    limitsTo += 2 * sizeof<usize>();
  }
}

/** Places of `some` that are narrow or short enough for every limit. */
function withinLimits(at: usize, some: v128): v128 {
  let found = some;
  for (let limit = limits; limit < limitsTo; limit += 2 * sizeof<usize>()) {
    const narrowEnough = v128.load(load<usize>(limit) + at);
    const shortEnough = v128.load(load<usize>(limit, sizeof<usize>()) + at);
    found = v128.and(found, v128.or(narrowEnough, shortEnough));
  }
  return found;
}

function lowestOf(at: usize, found: v128): i32 {
  const low = i64x2.extract_lane(found, 0);
  if (low !== 0) return <i32>(at << 3) + <i32>ctz(low);
  return <i32>(at << 3) + 64 + <i32>ctz(i64x2.extract_lane(found, 1));
}

/** The first of those found who really has room; −1 where none has. */
function firstWithRoom(at: usize, found: v128): i32 {
  let low = i64x2.extract_lane(found, 0);
  for (; low !== 0; low &= low - 1) {
    const place = <i32>(at << 3) + <i32>ctz(low);
    if (hasRoomBeside(jobAt(place))) return place;
  }
  let high = i64x2.extract_lane(found, 1);
  for (; high !== 0; high &= high - 1) {
    const place = <i32>(at << 3) + 64 + <i32>ctz(high);
    if (hasRoomBeside(jobAt(place))) return place;
  }
  return -1;
}

/** True where a job that starts now conflicts neither with the promise nor with anything fixed. */
function hasRoomBeside(job: usize): bool {
  const procs = procsOf(job);
  const endMs = nowMs + lastsOf(job);
  if (procs > free || (procs > extra && endMs > promiseMs)) return false;
  for (let loss = lossFrom; loss < lossTo && lossMs(loss) < endMs; loss = nextLoss(loss)) {
    if (leftBeside(loss) < procs) return false;
  }
  return true;
}

/** Free processors beside the promise at the instant of a fixed beginning. */
function leftBeside(loss: usize): i32 {
  const isPromised = lossMs(loss) >= promiseMs && lossMs(loss) < promiseEndMs;
  return leftAt(loss) - (isPromised ? promiseProcs : 0);
}
