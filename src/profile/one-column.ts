/**
 * Changes of a profile of one column, where it is known that they fit.
 *
 * Equivalent to `reserve` and `release`; differs for speed in this way: what fits is not asked again, the
 * range is found once, and at each of its ends a breakpoint is made, removed or left in one step, where
 * splitting first and merging afterwards would move the others twice.
 * Cost: O(log P) to find the start, O(steps of the range), and the moves of at most two breakpoints.
 */
import { assert } from "../base/index.ts";
import type { PlacedRectangle } from "./earliest.ts";
import { closeGap, indexAt, openGap, type Profile } from "./profile.ts";

/**
 * Adds `delta` to what is free on [startMs, endMs). Below nothing or above the capacity is a programmer's
 * error.
 *
 * @param endMs > startMs, may be Infinity
 */
export function shiftOneColumn(profile: Profile, delta: number, startMs: number, endMs: number): void {
  if (delta === 0) return;
  const at = indexAt(profile, startMs);
  const { times, tail, head } = profile;
  const free = profile.free[0];
  const most = profile.capacity[0];
  const splitsStart = times[at] < startMs;
  const valueAtStart = free[at];
  let valueBeforeEnd = valueAtStart;
  let isWithin = valueAtStart + delta >= 0 && valueAtStart + delta <= most;
  if (!splitsStart) free[at] = valueAtStart + delta;
  let last = at + 1;
  for (; last < tail && times[last] < endMs; last++) {
    valueBeforeEnd = free[last];
    const value = valueBeforeEnd + delta;
    free[last] = value;
    if (value < 0 || value > most) isWithin = false;
  }
  assert(isWithin, "only what is free is taken, and only what was taken is given back");
  if (last < tail && times[last] === endMs) {
    if (free[last] === valueBeforeEnd + delta) closeGap(profile, last);
  } else if (endMs !== Number.POSITIVE_INFINITY) insertStep(profile, last, endMs, valueBeforeEnd);
  const first = at + profile.head - head;
  if (splitsStart) insertStep(profile, first + 1, startMs, valueAtStart + delta);
  else if (first > profile.head && profile.free[0][first - 1] === profile.free[0][first]) {
    closeGap(profile, first);
  }
}

function insertStep(profile: Profile, index: number, atMs: number, value: number): void {
  const opened = openGap(profile, index);
  profile.times[opened] = atMs;
  profile.free[0][opened] = value;
}

/** Moves a rectangle that is in the profile to an earlier start, where it is known to fit. */
export function moveEarlierOneColumn(profile: Profile, placed: PlacedRectangle, toMs: number): void {
  const { durationMs, startMs } = placed;
  const amount = placed.need[0];
  shiftOneColumn(profile, -amount, toMs, Math.min(toMs + durationMs, startMs));
  shiftOneColumn(profile, amount, Math.max(startMs, toMs + durationMs), startMs + durationMs);
}
