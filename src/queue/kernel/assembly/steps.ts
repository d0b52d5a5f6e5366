/**
 * Free processors as steps over a fixed grid of instants, to place rectangles on again and again.
 *
 * Equivalent to `impact/step-chain` with one column; differs for speed in these ways:
 * 1. Steps lie side by side (`blocks`), so what is free is compared four steps at a time, and a search looks
 *    at the runs of steps with room alone.
 * 2. Where each step of the grid lies is known, so a job that keeps its place is not looked for.
 */
import {
  addStep,
  endOf,
  freeAt,
  gridStepAt,
  LOG2_PLACES,
  nextOf,
  placeOf,
  setFree,
  stepsIn,
  timeAt,
  whereFree,
} from "./blocks.ts";

/** Place of the step in which the last found rectangle starts; below it, the start. */
let foundPlace: i32 = 0;
export let foundMs: f64 = 0;

/** Every step of a block. */
const ALL: u64 = u64.MAX_VALUE;

/** Takes what is known to be free, between two steps of the grid. */
export function takeSteps(first: i32, end: i32, amount: i32): void {
  takeBetween(placeOf(first), placeOf(end), amount);
}

/** Takes a rectangle between two steps of the grid, if it is free; else changes nothing. */
export function takeIfFree(first: i32, end: i32, amount: i32): bool {
  const from = placeOf(first);
  const to = placeOf(end);
  if (!isFreeBetween(from, to, amount)) return false;
  takeBetween(from, to, amount);
  return true;
}

function isFreeBetween(from: i32, to: i32, amount: i32): bool {
  const last = to >> LOG2_PLACES;
  let at = from;
  for (let block = from >> LOG2_PLACES; block !== last; block = nextOf(block), at = block << LOG2_PLACES) {
    if (!isFreeInBlock(at, endOf(block), amount)) return false;
  }
  return isFreeInBlock(at, to, amount);
}

function isFreeInBlock(from: i32, to: i32, amount: i32): bool {
  const wanted = i32x4.splat(amount);
  let at = from;
  for (; at + 4 <= to; at += 4) {
    if (v128.any_true(i32x4.lt_s(v128.load(whereFree(at)), wanted))) return false;
  }
  for (; at < to; at++) if (freeAt(at) < amount) return false;
  return true;
}

function takeBetween(from: i32, to: i32, amount: i32): void {
  const last = to >> LOG2_PLACES;
  let at = from;
  for (let block = from >> LOG2_PLACES; block !== last; block = nextOf(block), at = block << LOG2_PLACES) {
    takeInBlock(at, endOf(block), amount);
  }
  takeInBlock(at, to, amount);
}

function takeInBlock(from: i32, to: i32, amount: i32): void {
  const taken = i32x4.splat(amount);
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const here = whereFree(at);
    v128.store(here, i32x4.sub(v128.load(here), taken));
  }
  for (; at < to; at++) setFree(at, freeAt(at) - amount);
}

/**
 * Finds the earliest start of a rectangle from `fromMs` on, which there must be. The search may begin at any
 * place where a step lay once that begins no later, since steps only move on.
 */
export function findEarliest(amount: i32, durationMs: f64, fromMs: f64, searchPlace: i32): void {
  let block = searchPlace >> LOG2_PLACES;
  let room = roomIn(block, amount);
  for (;;) {
    // Of each run of steps with room the first one, and the one behind it.
    let firsts = room & ~(room << 1);
    let ends = ~room & (room << 1);
    while (firsts !== 0) {
      const place = (block << LOG2_PLACES) + <i32>ctz(firsts);
      let end = <i32>ctz(ends);
      const startMs = max(fromMs, timeAt(place));
      if (timeAt((block << LOG2_PLACES) + end) - startMs >= durationMs) {
        noteFound(place, startMs);
        return;
      }
      firsts &= firsts - 1;
      ends &= ends - 1;
      if (end < stepsIn(block)) continue;
      // It may go on in the blocks behind.
      do {
        block = nextOf(block);
        room = roomIn(block, amount);
        end = <i32>ctz(~room);
        if (timeAt((block << LOG2_PLACES) + end) - startMs >= durationMs) {
          noteFound(place, startMs);
          return;
        }
      } while (end === stepsIn(block));
      room &= ALL << end;
      firsts = room & ~(room << 1);
      ends = ~room & (room << 1);
    }
    block = nextOf(block);
    room = roomIn(block, amount);
  }
}

function noteFound(place: i32, startMs: f64): void {
  foundPlace = place;
  foundMs = startMs;
}

/** Which steps of a block have room, the first in the lowest bit. */
function roomIn(block: i32, amount: i32): u64 {
  const steps = stepsIn(block);
  const wanted = i32x4.splat(amount);
  const from = whereFree(block << LOG2_PLACES);
  let room: u64 = 0;
  for (let at = 0; at < steps; at += 16) {
    const here = from + ((<usize>at) << 2);
    const low = i16x8.narrow_i32x4_s(
      i32x4.ge_s(v128.load(here), wanted),
      i32x4.ge_s(v128.load(here, 16), wanted),
    );
    const high = i16x8.narrow_i32x4_s(
      i32x4.ge_s(v128.load(here, 32), wanted),
      i32x4.ge_s(v128.load(here, 48), wanted),
    );
    room |= (<u64>(<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high)))) << at;
  }
  return room & (((<u64>1) << steps) - 1);
}

/** Takes a rectangle where it was found last; gives a place for searches from its start on. */
export function takeFound(amount: i32, durationMs: f64): i32 {
  const startMs = foundMs;
  const within = stepBefore(foundPlace, startMs);
  const first = timeAt(within) < startMs ? addStep(within, startMs) : within;
  takeUntil(first, startMs + durationMs, amount);
  return first;
}

/** Takes a reservation, which is known to be free, from an instant on. */
export function takeReservation(amount: i32, fromMs: f64, durationMs: f64): void {
  noteFound(placeOf(gridStepAt(fromMs)), fromMs);
  takeFound(amount, durationMs);
}

/** The last step from a place on that begins at an instant or before it. */
function stepBefore(from: i32, atMs: f64): i32 {
  let place = from;
  while (timeAt(place + 1) <= atMs) {
    const block = place >> LOG2_PLACES;
    place = place + 1 < endOf(block) ? place + 1 : nextOf(block) << LOG2_PLACES;
  }
  return place;
}

/** Takes what is known to be free from a step on, and adds a step where it ends if there is none. */
function takeUntil(first: i32, endMs: f64, amount: i32): void {
  let place = first;
  for (;;) {
    const end = endOf(place >> LOG2_PLACES);
    for (; timeAt(place) < endMs && place < end; place++) setFree(place, freeAt(place) - amount);
    if (timeAt(place) >= endMs) break;
    place = nextOf(place >> LOG2_PLACES) << LOG2_PLACES;
  }
  if (timeAt(place) === endMs) return;
  const added = addStep(place - 1, endMs);
  setFree(added, freeAt(added) + amount);
}
