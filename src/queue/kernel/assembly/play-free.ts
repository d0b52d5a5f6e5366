/**
 * The free processors of the pool from now on, in a play.
 *
 * Who starts starts now, so what is free only ever grows by ends, which are kept in order, and shrinks where
 * something fixed begins (a reservation, the slot that is tried). Whether a rectangle fits now is asked of
 * these few instants alone.
 */
import { mixed } from "./play-queue.ts";

/** Bytes of a gain: the instant at which more is free (f64), how much, and the hash of both (i32). */
const GAIN_BYTES: usize = 16;
const GAINED: usize = 8;
const GAIN_HASH: usize = 12;

/**
 * Bytes of a loss: the begin of something fixed (f64), how much it takes, and how much is free right then
 * (i32).
 */
const LOSS_BYTES: usize = 16;
const LOST: usize = 8;
const LEFT: usize = 12;

export let nowMs: f64 = 0;
export let free: i32 = 0;
/** The sum of the hashes of what comes free: a sum, since what does at one instant is in no order. */
export let gainsHash: i32 = 0;

let gains: usize = 0;
let gainFrom: usize = 0;
let gainTo: usize = 0;
export let lossFrom: usize = 0;
export let lossTo: usize = 0;
let losses: usize = 0;
let profile: usize = 0;
let pieces: i32 = 0;

/** Result of `findStart`: the start, and the free processors at that instant. */
export let foundMs: f64 = 0;
export let foundFree: i32 = 0;

/** The present play as it was left to play a trial from it. */
let keptNowMs: f64 = 0;
let keptFree: i32 = 0;
let keptHash: i32 = 0;
let keptGainFrom: usize = 0;
let keptGainTo: usize = 0;
let keptLossFrom: usize = 0;
let keptLossTo: usize = 0;

let gainsBytes: usize = 0;
let lossesBytes: usize = 0;

/** Lays this out for a profile of so many pieces; gives where it ends. */
export function layOutFree(from: usize, pieceCount: i32, jobs: i32): usize {
  pieces = pieceCount;
  profile = from;
  gainsBytes = <usize>(pieces + jobs + 2) * GAIN_BYTES;
  lossesBytes = <usize>(pieces + 2) * LOSS_BYTES;
  gains = profile + ((<usize>pieces) << 4);
  losses = gains + 2 * gainsBytes;
  return losses + 2 * lossesBytes;
}

/** Where the profile begins: from when on, how much is free (two f64 each); the first holds now. */
export function profileTable(): usize {
  return profile;
}

/** Begins at this instant with what the profile says. */
export function openFree(atMs: f64): void {
  nowMs = atMs;
  free = <i32>load<f64>(profile, 8);
  gainsHash = 0;
  gainFrom = gains;
  gainTo = gains;
  lossFrom = losses;
  lossTo = losses;
  let before = free;
  for (let piece = 1; piece < pieces; piece++) {
    const at = profile + ((<usize>piece) << 4);
    const now = <i32>load<f64>(at, 8);
    if (now > before) insertGain(load<f64>(at), now - before);
    else if (now < before) insertLoss(load<f64>(at), before - now, now);
    before = now;
  }
}

/** Leaves this play as it is, to go on with a copy of it. */
export function branchFree(): void {
  keptNowMs = nowMs;
  keptFree = free;
  keptHash = gainsHash;
  keptGainFrom = gainFrom;
  keptGainTo = gainTo;
  keptLossFrom = lossFrom;
  keptLossTo = lossTo;
  for (let at = gainFrom; at < gainTo; at += 16) v128.store(at + gainsBytes, v128.load(at));
  for (let at = lossFrom; at < lossTo; at += 16) v128.store(at + lossesBytes, v128.load(at));
  gains += gainsBytes;
  gainFrom += gainsBytes;
  gainTo += gainsBytes;
  lossFrom += lossesBytes;
  lossTo += lossesBytes;
}

/** Goes back to what was left. */
export function returnFree(): void {
  nowMs = keptNowMs;
  free = keptFree;
  gainsHash = keptHash;
  gains -= gainsBytes;
  gainFrom = keptGainFrom;
  gainTo = keptGainTo;
  lossFrom = keptLossFrom;
  lossTo = keptLossTo;
}

/** Goes to the next instant at which something comes free; there must be one. */
export function advanceToGain(): void {
  let at = gainFrom;
  const now = load<f64>(at);
  let procs = free;
  let hash = gainsHash;
  do {
    procs += load<i32>(at, GAINED);
    hash -= load<i32>(at, GAIN_HASH);
    at += GAIN_BYTES;
  } while (at < gainTo && load<f64>(at) === now);
  gainFrom = at;
  while (lossFrom < lossTo && load<f64>(lossFrom) <= now) {
    procs -= load<i32>(lossFrom, LOST);
    lossFrom += LOSS_BYTES;
  }
  nowMs = now;
  free = procs;
  gainsHash = hash;
}

/** Instant of a loss: the begin of something fixed. */
export function lossMs(loss: usize): f64 {
  return load<f64>(loss);
}

/** Free processors at the instant of a fixed beginning. */
export function leftAt(loss: usize): i32 {
  return load<i32>(loss, LEFT);
}

/** The fixed beginning after this one. */
export function nextLoss(loss: usize): usize {
  return loss + LOSS_BYTES;
}

/** True where `procs` processors are free from now until `endMs`. */
export function fitsNow(procs: i32, endMs: f64): bool {
  if (procs > free) return false;
  for (let loss = lossFrom; loss < lossTo && lossMs(loss) < endMs; loss += LOSS_BYTES) {
    if (leftAt(loss) < procs) return false;
  }
  return true;
}

/** Takes what is free from now until then. */
export function takeNow(procs: i32, endMs: f64): void {
  free -= procs;
  for (let loss = lossFrom; loss < lossTo && lossMs(loss) < endMs; loss += LOSS_BYTES) {
    store<i32>(loss, leftAt(loss) - procs, LEFT);
  }
  insertGain(endMs, procs);
}

/** Takes what is free on [startMs, endMs), or on what is left of it. */
export function takeFixed(procs: i32, startMs: f64, endMs: f64): void {
  for (let loss = lossFrom; loss < lossTo; loss += LOSS_BYTES) {
    if (lossMs(loss) >= startMs && lossMs(loss) < endMs) store<i32>(loss, leftAt(loss) - procs, LEFT);
  }
  if (startMs <= nowMs) free -= procs;
  else insertLoss(startMs, procs, freeLater(startMs) - procs);
  insertGain(endMs, procs);
}

/** Finds the earliest start of a rectangle from now on; there must be one. */
export function findStart(procs: i32, durationMs: f64): void {
  let startMs = nowMs;
  let there = free;
  let gain = gainFrom;
  let loss = lossFrom;
  for (;;) {
    if (there >= procs) {
      const endMs = startMs + durationMs;
      let at = loss;
      while (at < lossTo && lossMs(at) < endMs && leftAt(at) >= procs) at += LOSS_BYTES;
      if (at === lossTo || lossMs(at) >= endMs) {
        foundMs = startMs;
        foundFree = there;
        return;
      }
      // Whatever begins before this instant runs into it.
      const blockedMs = lossMs(at);
      there = leftAt(at);
      while (gain < gainTo && load<f64>(gain) <= blockedMs) gain += GAIN_BYTES;
      loss = at;
      while (loss < lossTo && lossMs(loss) <= blockedMs) loss += LOSS_BYTES;
    }
    startMs = load<f64>(gain);
    do {
      there += load<i32>(gain, GAINED);
      gain += GAIN_BYTES;
    } while (gain < gainTo && load<f64>(gain) === startMs);
    while (loss < lossTo && lossMs(loss) <= startMs) {
      there -= load<i32>(loss, LOST);
      loss += LOSS_BYTES;
    }
  }
}

/** Free processors at a later instant, if no further job starts. */
function freeLater(atMs: f64): i32 {
  let procs = free;
  for (let at = gainFrom; at < gainTo && load<f64>(at) <= atMs; at += GAIN_BYTES)
    procs += load<i32>(at, GAINED);
  for (let at = lossFrom; at < lossTo && lossMs(at) <= atMs; at += LOSS_BYTES) procs -= load<i32>(at, LOST);
  return procs;
}

/** Moves whichever are fewer, those before it or those after it: behind what has passed there is room. */
function insertGain(atMs: f64, procs: i32): void {
  const bits = reinterpret<i64>(atMs);
  const hash = mixed(<i32>(bits >> 32) ^ <i32>bits, procs);
  gainsHash += hash;
  let at: usize;
  const middle = gainFrom + (((gainTo - gainFrom) >> 5) << 4);
  if (gainFrom > gains && load<f64>(middle) > atMs) {
    at = gainFrom - GAIN_BYTES;
    gainFrom = at;
    while (load<f64>(at, GAIN_BYTES) <= atMs) {
      v128.store(at, v128.load(at, GAIN_BYTES));
      at += GAIN_BYTES;
    }
  } else {
    at = gainTo;
    gainTo = at + GAIN_BYTES;
    while (at > gainFrom && load<f64>(at - GAIN_BYTES) > atMs) {
      v128.store(at, v128.load(at - GAIN_BYTES));
      at -= GAIN_BYTES;
    }
  }
  store<f64>(at, atMs);
  store<i32>(at, procs, GAINED);
  store<i32>(at, hash, GAIN_HASH);
}

function insertLoss(atMs: f64, procs: i32, left: i32): void {
  let at = lossTo;
  lossTo = at + LOSS_BYTES;
  while (at > lossFrom && lossMs(at - LOSS_BYTES) > atMs) {
    v128.store(at, v128.load(at - LOSS_BYTES));
    at -= LOSS_BYTES;
  }
  store<f64>(at, atMs);
  store<i32>(at, procs, LOST);
  store<i32>(at, left, LEFT);
}
