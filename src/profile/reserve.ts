/**
 * Taking rectangles out of a profile and giving them back.
 *
 * Never negative, never above capacity: what does not fit changes nothing and is answered with the
 * first time at which it does not and the shortage there (rules PR-1, PR-3, PR-4, PR-6).
 * Cost: O(steps of the rectangle), and the moves of at most two inserted breakpoints.
 */
import { assert } from "../base/index.ts";
import { shortage } from "./earliest.ts";
import { shiftOneColumn } from "./one-column.ts";
import { indexAt, mergeAt, type Need, type Profile, type Shortage, splitAt } from "./profile.ts";

/**
 * Takes `need` out of [startMs, startMs + durationMs).
 *
 * @param durationMs > 0, may be Infinity (for ever)
 * @returns undefined when done, else where and what is missing, with the profile unchanged
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
 * Gives `need` back on [startMs, startMs + durationMs); the reverse of `reserve`.
 *
 * @returns undefined when done, else where free would pass the capacity and by how much, unchanged
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

/** Takes what is known to be free: `reserve` without asking whether it fits. */
export function take(profile: Profile, need: Need, durationMs: number, startMs: number): void {
  change(profile, need, -1, [startMs, startMs + durationMs]);
}

/** Gives back what is known to have been taken: `release` without asking. */
export function giveBack(profile: Profile, need: Need, durationMs: number, startMs: number): void {
  change(profile, need, 1, [startMs, startMs + durationMs]);
}

/** Adds sign·need on [startMs, endMs). Whatever moves the steps before an index moves `head` as far. */
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
