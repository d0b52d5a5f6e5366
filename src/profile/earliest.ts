/**
 * The earliest place for a rectangle: one forward scan.
 *
 * Each function exists twice: for one column, the case of nearly every real trace and the most tuned, and for
 * any number of columns. Both are the same scan, which restarts behind a step that is too low (rule PR-2).
 * Cost: O(steps passed).
 */
import { indexAt, type Need, type Profile, type Shortage } from "./profile.ts";

/**
 * The smallest s ≥ `fromMs` with `need` free on [s, s + durationMs); Infinity when there is none.
 *
 * @param durationMs > 0, may be Infinity
 */
export function earliest(profile: Profile, need: Need, durationMs: number, fromMs: number): number {
  if (need.length === 1) return earliestOneColumn(profile, need[0], durationMs, fromMs);
  const { times, tail } = profile;
  let at = indexAt(profile, fromMs);
  let start = fromMs;
  for (;;) {
    while (!isEnough(profile, need, at)) {
      if (++at === tail) return Number.POSITIVE_INFINITY;
      start = times[at];
    }
    const end = start + durationMs;
    while (++at < tail && times[at] < end && isEnough(profile, need, at));
    if (at === tail || times[at] >= end) return start;
  }
}

/** `earliest` for a profile of one column; equal to it, without the loop over columns. */
export function earliestOneColumn(
  profile: Profile,
  amount: number,
  durationMs: number,
  fromMs: number,
): number {
  const { times, tail } = profile;
  const free = profile.free[0];
  let at = indexAt(profile, fromMs);
  let start = fromMs;
  for (;;) {
    while (free[at] < amount) {
      if (++at === tail) return Number.POSITIVE_INFINITY;
      start = times[at];
    }
    // The next search begins here.
    profile.near = at;
    const end = start + durationMs;
    while (++at < tail && times[at] < end && free[at] >= amount);
    if (at === tail || times[at] >= end) return start;
  }
}

/** A rectangle in the profile, and the instant from which an earlier start is searched. */
export interface PlacedRectangle {
  need: Need;
  durationMs: number;
  startMs: number;
}

/**
 * The earliest start in [fromMs, its start) to which a rectangle could move if it were taken out of the
 * profile first; its own start when there is none.
 *
 * Equivalent to releasing it, asking `earliest`, and reserving it again; for speed, nothing is changed. A
 * window that begins before the rectangle and is free up to it is free to its end, because within the
 * rectangle its own capacity suffices, so only the steps before the rectangle are read. `beforeMs` bounds the
 * starts considered (the caller knows that no start from there on can be new).
 */
export function earlierStart(
  profile: Profile,
  placed: PlacedRectangle,
  fromMs: number,
  beforeMs: number,
): number {
  const { need, durationMs, startMs } = placed;
  if (need.length === 1) {
    return earlierStartOneColumn(profile, placed, { at: indexAt(profile, fromMs), fromMs, beforeMs });
  }
  const { times, tail } = profile;
  const bound = Math.min(startMs, beforeMs);
  let at = indexAt(profile, fromMs);
  let start = fromMs;
  while (start < bound) {
    while (!isEnough(profile, need, at)) {
      if (++at === tail || times[at] >= bound) return startMs;
      start = times[at];
    }
    const end = Math.min(start + durationMs, startMs);
    while (++at < tail && times[at] < end && isEnough(profile, need, at));
    if (at === tail || times[at] >= end) return start;
    start = times[at];
  }
  return startMs;
}

/** The range of an earlier start: [fromMs, beforeMs), of which `at` is the first step. */
export interface EarlierSearch {
  at: number;
  fromMs: number;
  beforeMs: number;
}

/** `earlierStart` for a profile of one column, where the first step to look at is known. */
export function earlierStartOneColumn(
  profile: Profile,
  { need, durationMs, startMs }: PlacedRectangle,
  search: EarlierSearch,
): number {
  const { times, tail } = profile;
  const free = profile.free[0];
  const amount = need[0];
  const bound = Math.min(startMs, search.beforeMs);
  let { at, fromMs: start } = search;
  while (start < bound) {
    while (free[at] < amount) {
      if (++at === tail || times[at] >= bound) return startMs;
      start = times[at];
    }
    profile.near = at;
    const end = Math.min(start + durationMs, startMs);
    while (++at < tail && times[at] < end && free[at] >= amount);
    if (at === tail || times[at] >= end) return start;
    start = times[at];
  }
  return startMs;
}

/** True where `need` is free on [startMs, startMs + durationMs). */
export function fits(profile: Profile, need: Need, durationMs: number, startMs: number): boolean {
  const { times, tail } = profile;
  const end = startMs + durationMs;
  let at = indexAt(profile, startMs);
  do {
    if (!isEnough(profile, need, at)) return false;
  } while (++at < tail && times[at] < end);
  return true;
}

/** The largest free amount of one column on [fromMs, beforeMs); the step at `fromMs` always counts. */
export function largestFree(profile: Profile, column: number, fromMs: number, beforeMs: number): number {
  const { times, tail } = profile;
  const free = profile.free[column];
  let at = indexAt(profile, fromMs);
  let largest = free[at];
  while (++at < tail && times[at] < beforeMs) if (free[at] > largest) largest = free[at];
  return largest;
}

/** First instant of [startMs, startMs + durationMs) at which `need` is not free; undefined where it fits. */
export function shortage(
  profile: Profile,
  need: Need,
  durationMs: number,
  startMs: number,
): Shortage | undefined {
  const { times, tail, free } = profile;
  const end = startMs + durationMs;
  let at = indexAt(profile, startMs);
  do {
    if (!isEnough(profile, need, at)) {
      const step = at;
      const missing = Array.from(need, (amount, c) => Math.max(0, amount - free[c][step]));
      return { atMs: Math.max(startMs, times[at]), missing };
    }
  } while (++at < tail && times[at] < end);
  return undefined;
}

function isEnough({ free }: Profile, need: Need, at: number): boolean {
  for (let c = 0; c < need.length; c++) if (free[c][at] < need[c]) return false;
  return true;
}
