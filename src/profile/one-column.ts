/**
 * Changes of a profile of one column that are known to fit.
 *
 * Equivalent to `reserve` and `release`; for speed, the fit is not checked again, the range is found once,
 * and at each end a breakpoint is made, removed or left in one step, where splitting first and merging
 * afterwards would move the others twice. Where one end makes a breakpoint and the other removes one, as when
 * a queue moves up, only those between them move.
 * Cost: O(log P) to find the start, O(steps of the range), and the moves of at most two breakpoints.
 */
import { assert } from "../base/index.ts";
import type { PlacedRectangle } from "./earliest.ts";
import { closeGap, indexAt, openGap, type Profile } from "./profile.ts";

/**
 * Adds `delta` to the free amount on [startMs, endMs). A result below 0 or above the capacity is a
 * programming error.
 *
 * @param endMs > startMs, may be Infinity
 */
export function shiftOneColumn(profile: Profile, delta: number, startMs: number, endMs: number): void {
  if (delta === 0) return;
  const { times, tail, head } = profile;
  const free = profile.free[0];
  const most = profile.capacity[0];
  let first = indexAt(profile, startMs);
  const opensStart = times[first] < startMs;
  let beforeEnd = free[first];
  let isWithin = beforeEnd + delta >= 0 && beforeEnd + delta <= most;
  if (opensStart) first++;
  else free[first] = beforeEnd + delta;
  const atStart = beforeEnd + delta;
  let end = opensStart ? first : first + 1;
  for (; end < tail && times[end] < endMs; end++) {
    beforeEnd = free[end];
    free[end] = beforeEnd + delta;
    if (beforeEnd + delta < 0 || beforeEnd + delta > most) isWithin = false;
  }
  assert(isWithin, "only what is free is taken, and only what was taken is given back");
  const hasEnd = end < tail && times[end] === endMs;
  const closesEnd = hasEnd && free[end] === beforeEnd + delta;
  const opensEnd = !hasEnd && endMs !== Number.POSITIVE_INFINITY;
  const closesStart = !opensStart && first > head && free[first - 1] === atStart;
  if (opensStart && closesEnd) {
    moveStepsUp(profile, first, end);
    setStep(profile, first, startMs, atStart);
  } else if (closesStart && opensEnd) {
    moveStepsDown(profile, first + 1, end);
    setStep(profile, end - 1, endMs, beforeEnd);
  } else {
    if (closesEnd) closeGap(profile, end);
    else if (opensEnd) setStep(profile, openGap(profile, end), endMs, beforeEnd);
    first += profile.head - head;
    if (opensStart) setStep(profile, openGap(profile, first), startMs, atStart);
    else if (closesStart) closeGap(profile, first);
  }
}

function setStep({ times, free }: Profile, at: number, atMs: number, value: number): void {
  times[at] = atMs;
  free[0][at] = value;
}

/** Moves the steps from..end−1 one place up, over the step at `end`. */
function moveStepsUp({ times, free: [free] }: Profile, from: number, end: number): void {
  for (let at = end; at > from; at--) {
    times[at] = times[at - 1];
    free[at] = free[at - 1];
  }
}

/** Moves the steps from..end−1 one place down, over the step at `from` − 1. */
function moveStepsDown({ times, free: [free] }: Profile, from: number, end: number): void {
  for (let at = from; at < end; at++) {
    times[at - 1] = times[at];
    free[at - 1] = free[at];
  }
}

/** Moves a rectangle of the profile to an earlier start that is known to fit. */
export function moveEarlierOneColumn(profile: Profile, placed: PlacedRectangle, toMs: number): void {
  const { durationMs, startMs } = placed;
  const amount = placed.need[0];
  shiftOneColumn(profile, -amount, toMs, Math.min(toMs + durationMs, startMs));
  shiftOneColumn(profile, amount, Math.max(startMs, toMs + durationMs), startMs + durationMs);
}
