/**
 * The free processors of one pool from now on, while a queue is played forward.
 *
 * Equivalent to a profile from which jobs are taken as they start; differs for speed in this way: who starts
 * starts now, so what is free only ever grows by ends, which are kept in order, and shrinks where something
 * fixed begins (a reservation, the slot that is tried). Whether a rectangle fits now is asked of these few
 * instants alone.
 * Cost: a start is put among the ends that follow; a question looks at the fixed beginnings before its end.
 */
import { assert } from "../../base/index.ts";
import { indexAt, type Profile } from "../../profile/index.ts";

/** Times in ms, amounts in processors. The live parts of the arrays are [From, To). */
export interface FreeProcs {
  nowMs: number;
  procs: number;
  /** When more comes free, ascending, and how much. */
  readonly gainMs: Float64Array;
  readonly gained: Float64Array;
  gainFrom: number;
  gainTo: number;
  /** When something fixed begins, ascending; how much it takes, and how much is free right then. */
  readonly lossMs: Float64Array;
  readonly lost: Float64Array;
  readonly leftAtLoss: Float64Array;
  lossFrom: number;
  lossTo: number;
}

/** Where something would start, and what is free there. */
export interface FoundStart {
  startMs: number;
  procs: number;
}

/** What is free in a pool of processors from `nowMs` on, with room for so many jobs and one reservation. */
export function freeProcsOf(profile: Profile, nowMs: number, jobs: number): FreeProcs {
  const { times, tail } = profile;
  const column = profile.free[0];
  const first = indexAt(profile, nowMs);
  const room = tail - first + 1;
  const free: FreeProcs = {
    nowMs: Number.NaN,
    procs: Number.NaN,
    gainMs: new Float64Array(room + jobs),
    gained: new Float64Array(room + jobs),
    gainFrom: 0,
    gainTo: 0,
    lossMs: new Float64Array(room),
    lost: new Float64Array(room),
    leftAtLoss: new Float64Array(room),
    lossFrom: 0,
    lossTo: 0,
  };
  free.nowMs = nowMs;
  free.procs = column[first];
  for (let at = first + 1; at < tail; at++) {
    const change = column[at] - column[at - 1];
    if (change > 0) insertGain(free, times[at], change);
    else if (change < 0) insertLoss(free, { startMs: times[at], procs: -change }, column[at]);
  }
  return free;
}

/** Makes one what another one is; both were made of the same profile for as many jobs. */
export function copyFreeProcs(from: FreeProcs, to: FreeProcs): void {
  const { gainFrom, gainTo, lossFrom, lossTo } = from;
  to.nowMs = from.nowMs;
  to.procs = from.procs;
  for (let at = gainFrom; at < gainTo; at++) {
    to.gainMs[at] = from.gainMs[at];
    to.gained[at] = from.gained[at];
  }
  for (let at = lossFrom; at < lossTo; at++) {
    to.lossMs[at] = from.lossMs[at];
    to.lost[at] = from.lost[at];
    to.leftAtLoss[at] = from.leftAtLoss[at];
  }
  to.gainFrom = gainFrom;
  to.gainTo = gainTo;
  to.lossFrom = lossFrom;
  to.lossTo = lossTo;
}

/** Goes to the next instant at which something comes free; there must be one. */
export function advanceToGain(free: FreeProcs): void {
  const { gainMs, gained, gainTo, lossMs, lost, lossTo } = free;
  let { gainFrom, lossFrom, procs } = free;
  assert(gainFrom < gainTo, "who waits starts when all the others have ended");
  const nowMs = gainMs[gainFrom];
  while (gainFrom < gainTo && gainMs[gainFrom] === nowMs) procs += gained[gainFrom++];
  while (lossFrom < lossTo && lossMs[lossFrom] <= nowMs) procs -= lost[lossFrom++];
  free.nowMs = nowMs;
  free.procs = procs;
  free.gainFrom = gainFrom;
  free.lossFrom = lossFrom;
}

/** Whether so many processors are free from now until `endMs`. */
export function fitsNow(free: FreeProcs, procs: number, endMs: number): boolean {
  if (procs > free.procs) return false;
  const { lossMs, leftAtLoss, lossTo } = free;
  for (let at = free.lossFrom; at < lossTo && lossMs[at] < endMs; at++) {
    if (leftAtLoss[at] < procs) return false;
  }
  return true;
}

/** Takes what is free from now until `endMs`. */
export function takeNow(free: FreeProcs, procs: number, endMs: number): void {
  const { lossMs, leftAtLoss, lossTo } = free;
  free.procs -= procs;
  for (let at = free.lossFrom; at < lossTo && lossMs[at] < endMs; at++) leftAtLoss[at] -= procs;
  insertGain(free, endMs, procs);
}

/** Takes what is free on [startMs, endMs), or on what is left of it. */
export function takeFixed(free: FreeProcs, procs: number, startMs: number, endMs: number): void {
  const { lossMs, leftAtLoss, lossTo } = free;
  for (let at = free.lossFrom; at < lossTo; at++) {
    if (lossMs[at] >= startMs && lossMs[at] < endMs) leftAtLoss[at] -= procs;
  }
  if (startMs <= free.nowMs) free.procs -= procs;
  else insertLoss(free, { startMs, procs }, freeLater(free, startMs) - procs);
  insertGain(free, endMs, procs);
}

/** The earliest start of a rectangle from now on, written into `found`; there must be one. */
export function findStart(free: FreeProcs, procs: number, durationMs: number, found: FoundStart): void {
  const { gainMs, gained, gainTo, lossMs, lost, leftAtLoss, lossTo } = free;
  let { nowMs: startMs, procs: there, gainFrom: gain, lossFrom: loss } = free;
  for (;;) {
    if (there >= procs) {
      const endMs = startMs + durationMs;
      let at = loss;
      while (at < lossTo && lossMs[at] < endMs && leftAtLoss[at] >= procs) at++;
      if (at === lossTo || lossMs[at] >= endMs) {
        found.startMs = startMs;
        found.procs = there;
        return;
      }
      // Whatever begins before this instant runs into it.
      const blockedMs = lossMs[at];
      there = leftAtLoss[at];
      while (gain < gainTo && gainMs[gain] <= blockedMs) gain++;
      loss = at;
      while (loss < lossTo && lossMs[loss] <= blockedMs) loss++;
    }
    assert(gain < gainTo, "what fits the pool when it is empty fits some day");
    startMs = gainMs[gain];
    while (gain < gainTo && gainMs[gain] === startMs) there += gained[gain++];
    while (loss < lossTo && lossMs[loss] <= startMs) there -= lost[loss++];
  }
}

/** What is free at a later instant, as things stand. */
function freeLater(free: FreeProcs, atMs: number): number {
  let { procs } = free;
  for (let at = free.gainFrom; at < free.gainTo && free.gainMs[at] <= atMs; at++) procs += free.gained[at];
  for (let at = free.lossFrom; at < free.lossTo && free.lossMs[at] <= atMs; at++) procs -= free.lost[at];
  return procs;
}

/** Moves whichever are fewer, those before it or those after it: behind what has passed there is room. */
function insertGain(free: FreeProcs, atMs: number, procs: number): void {
  const { gainMs, gained, gainFrom, gainTo } = free;
  if (gainFrom > 0 && gainMs[(gainFrom + gainTo) >> 1] > atMs) {
    let at = gainFrom - 1;
    for (; gainMs[at + 1] <= atMs; at++) {
      gainMs[at] = gainMs[at + 1];
      gained[at] = gained[at + 1];
    }
    gainMs[at] = atMs;
    gained[at] = procs;
    free.gainFrom = gainFrom - 1;
    return;
  }
  let at = gainTo;
  for (; at > gainFrom && gainMs[at - 1] > atMs; at--) {
    gainMs[at] = gainMs[at - 1];
    gained[at] = gained[at - 1];
  }
  gainMs[at] = atMs;
  gained[at] = procs;
  free.gainTo = gainTo + 1;
}

function insertLoss(
  free: FreeProcs,
  { startMs, procs }: { readonly startMs: number; readonly procs: number },
  left: number,
): void {
  const { lossMs, lost, leftAtLoss, lossFrom } = free;
  let at = free.lossTo++;
  for (; at > lossFrom && lossMs[at - 1] > startMs; at--) {
    lossMs[at] = lossMs[at - 1];
    lost[at] = lost[at - 1];
    leftAtLoss[at] = leftAtLoss[at - 1];
  }
  lossMs[at] = startMs;
  lost[at] = procs;
  leftAtLoss[at] = left;
}
