/**
 * Reserving rectangles in a profile and releasing them.
 *
 * The free amount is never negative and never above the capacity: what does not fit changes nothing and is
 * answered with the first instant at which it does not, and the shortage there (rules PR-1, PR-6).
 * Cost: O(steps of the rectangle), and the moves of at most two inserted breakpoints.
 */
import { assert } from "../base/index.ts";
import { shortage } from "./earliest.ts";
import { shiftOneColumn } from "./one-column.ts";
import { indexAt, mergeAt, type Need, type Profile, type Shortage, splitAt } from "./profile.ts";

/**
 * Reserves `need` on [startMs, startMs + durationMs).
 *
 * @param durationMs > 0, may be Infinity (for ever)
 * @returns undefined when done, else the instant and the shortage, with the profile unchanged
 */
export function reserve(
  profile: Profile,
  need: Need,
  durationMs: number,
  startMs: number,
): Shortage | undefined {
  assert(durationMs > 0, "a rectangle has a duration");
  const missing = shortage(profile, need, durationMs, startMs);
  if (missing === undefined) change(profile, need, -1, [startMs, startMs + durationMs]);
  return missing;
}

/**
 * Releases `need` on [startMs, startMs + durationMs); the reverse of `reserve`.
 *
 * @returns undefined when done, else the instant and the amount by which free would pass the capacity
 */
export function release(
  profile: Profile,
  need: Need,
  durationMs: number,
  startMs: number,
): Shortage | undefined {
  assert(durationMs > 0, "a rectangle has a duration");
  const surplus = surplusOf(profile, need, durationMs, startMs);
  if (surplus === undefined) change(profile, need, 1, [startMs, startMs + durationMs]);
  return surplus;
}

/** `reserve` for what is known to be free, without the check. */
export function take(profile: Profile, need: Need, durationMs: number, startMs: number): void {
  change(profile, need, -1, [startMs, startMs + durationMs]);
}

/** `release` for what is known to be reserved, without the check. */
export function giveBack(profile: Profile, need: Need, durationMs: number, startMs: number): void {
  change(profile, need, 1, [startMs, startMs + durationMs]);
}

/** Adds sign·need on [startMs, endMs). Moving the steps before an index shifts `head` by the same amount. */
function change(profile: Profile, need: Need, sign: 1 | -1, [startMs, endMs]: [number, number]): void {
  if (need.length === 1) {
    shiftOneColumn(profile, sign * need[0], startMs, endMs);
    return;
  }
  let first = splitAt(profile, startMs);
  let head = profile.head;
  const last = endMs === Number.POSITIVE_INFINITY ? profile.tail : splitAt(profile, endMs);
  first += profile.head - head;
  head = profile.head;
  for (let c = 0; c < need.length; c++) {
    const column = profile.free[c];
    const amount = sign * need[c];
    for (let at = first; at < last; at++) column[at] += amount;
  }
  mergeAt(profile, last);
  first += profile.head - head;
  mergeAt(profile, first);
}

function surplusOf(profile: Profile, need: Need, durationMs: number, startMs: number): Shortage | undefined {
  const { times, tail, free, capacity } = profile;
  const end = startMs + durationMs;
  let at = indexAt(profile, startMs);
  do {
    for (let c = 0; c < need.length; c++) {
      if (free[c][at] + need[c] > capacity[c]) return surplusAt(profile, need, at, startMs);
    }
  } while (++at < tail && times[at] < end);
  return undefined;
}

function surplusAt({ times, free, capacity }: Profile, need: Need, at: number, startMs: number): Shortage {
  const missing = Array.from(need, (amount, c) => Math.max(0, free[c][at] + amount - capacity[c]));
  return { atMs: Math.max(startMs, times[at]), missing };
}
