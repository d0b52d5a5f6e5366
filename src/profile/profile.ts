/**
 * Free capacity over time as a step function on [now, ∞).
 *
 * Breakpoints are a sorted typed array with one column of free amounts per resource; `free[c][i]` holds on
 * [times[i], times[i+1]), the last one for ever. The live part is [head, tail): forgetting the past moves
 * `head`, and a new breakpoint moves whichever side of the array is shorter, which in a queue is nearly
 * always the few breakpoints that lie before it.
 *
 * Source: [PROV] ch. 3.
 * Cost: O(log P) to find a time, O(P) to insert.
 */
import { assert } from "../base/index.ts";

/** Plain data, so that it can be copied to a worker thread. Times in ms; amounts in the column's unit. */
export interface Profile {
  /** Total amount per column. */
  readonly capacity: Float64Array;
  times: Float64Array;
  readonly free: Float64Array[];
  head: number;
  tail: number;
  /** Index of the last search: a guess from which the next search begins, checked before use. */
  near: number;
}

/** Needed amounts, one per column of the profile. */
export type Need = ArrayLike<number>;

/** The first time at which something does not fit, and by how much, per column (0 where it fits). */
export interface Shortage {
  readonly atMs: number;
  readonly missing: readonly number[];
}

/** Small: see `FIRST_ROWS` of the job table in `queue`. */
const FIRST_BREAKPOINTS = 8;

/**
 * A profile with everything free from `fromMs` on.
 *
 * @param capacity integers ≥ 0, one per resource, processors first; at least one column
 */
export function createProfile(capacity: Need, fromMs: number): Profile {
  assert(capacity.length > 0, "a profile has at least one column");
  const columns = Float64Array.from(capacity);
  assert(
    columns.every((amount) => Number.isSafeInteger(amount) && amount >= 0),
    "a capacity is an integer ≥ 0",
  );
  const head = FIRST_BREAKPOINTS >> 1;
  const times = new Float64Array(FIRST_BREAKPOINTS);
  times[head] = fromMs;
  const free = Array.from(columns, (amount) => {
    const column = new Float64Array(FIRST_BREAKPOINTS);
    column[head] = amount;
    return column;
  });
  return { capacity: columns, times, free, head, tail: head + 1, near: head };
}

/** Number of live breakpoints, at least 1. */
export function breakpointCount(profile: Profile): number {
  return profile.tail - profile.head;
}

/** The first instant that the profile covers. */
export function beginsAt(profile: Profile): number {
  return profile.times[profile.head];
}

/** The last breakpoint; the free amount stays the same from there on. */
export function lastChangeAt(profile: Profile): number {
  return profile.times[profile.tail - 1];
}

/** The free amount of one column (by default processors) at an instant. */
export function freeAt(profile: Profile, atMs: number, column = 0): number {
  return profile.free[column][indexAt(profile, atMs)];
}

/**
 * Drops everything before `nowMs`, and changes nothing from `nowMs` on. Going back in time is a programming
 * error.
 */
export function advance(profile: Profile, nowMs: number): void {
  const { times, tail } = profile;
  let { head } = profile;
  assert(nowMs >= times[head], "a profile only moves forward in time");
  while (head + 1 < tail && times[head + 1] <= nowMs) head++;
  times[head] = nowMs;
  profile.head = head;
}

/**
 * The index of the step that holds at `atMs`, which must not lie before the profile's beginning.
 *
 * Searched in doubling steps from the last index found, since calls come in runs of neighbours.
 */
export function indexAt(profile: Profile, atMs: number): number {
  const { times, head, tail, near } = profile;
  assert(atMs >= times[head], "a profile is asked about now and later only");
  if (head + 1 === tail || atMs < times[head + 1]) return head;
  let low = near > head && near < tail && times[near] <= atMs ? near : head + 1;
  let step = 1;
  while (low + step < tail && times[low + step] <= atMs) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, tail);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= atMs) low = middle;
    else high = middle;
  }
  profile.near = low;
  return low;
}

/**
 * True where both profiles have the same free processors at every instant from `fromMs` on, which must lie
 * within both.
 * Cost: O(P).
 */
export function isSameFrom(one: Profile, other: Profile, fromMs: number): boolean {
  let a = indexAt(one, fromMs);
  let b = indexAt(other, fromMs);
  for (;;) {
    if (one.free[0][a] !== other.free[0][b]) return false;
    const nextA = a + 1 < one.tail ? one.times[a + 1] : Number.POSITIVE_INFINITY;
    const nextB = b + 1 < other.tail ? other.times[b + 1] : Number.POSITIVE_INFINITY;
    const nextMs = Math.min(nextA, nextB);
    if (nextMs === Number.POSITIVE_INFINITY) return true;
    if (nextA === nextMs) a++;
    if (nextB === nextMs) b++;
  }
}

/** Makes a breakpoint at `atMs` if there is none (the steps beside it are then equal); returns its index. */
export function splitAt(profile: Profile, atMs: number): number {
  const at = indexAt(profile, atMs);
  if (profile.times[at] === atMs) return at;
  const opened = openGap(profile, at + 1);
  profile.times[opened] = atMs;
  for (const column of profile.free) column[opened] = column[opened - 1];
  return opened;
}

/** Removes the breakpoint at `index` if nothing changes there (rule PR-6). */
export function mergeAt(profile: Profile, index: number): void {
  if (index <= profile.head || index >= profile.tail) return;
  for (const column of profile.free) if (column[index] !== column[index - 1]) return;
  closeGap(profile, index);
}

/** Makes room at `index`, moving the shorter side; returns the index of the free place. */
export function openGap(profile: Profile, index: number): number {
  if (profile.head === 0 || profile.tail === profile.times.length) index += makeRoom(profile);
  const { times, free, head, tail } = profile;
  if (index - head < tail - index) {
    moveSteps(times, head - 1, head, index);
    for (let c = 0; c < free.length; c++) moveSteps(free[c], head - 1, head, index);
    profile.head = head - 1;
    return index - 1;
  }
  moveSteps(times, index + 1, index, tail);
  for (let c = 0; c < free.length; c++) moveSteps(free[c], index + 1, index, tail);
  profile.tail = tail + 1;
  return index;
}

/** Removes the breakpoint at `index`, moving the shorter side. */
export function closeGap(profile: Profile, index: number): void {
  const { times, free, head, tail } = profile;
  if (index - head < tail - index) {
    moveSteps(times, head + 1, head, index);
    for (let c = 0; c < free.length; c++) moveSteps(free[c], head + 1, head, index);
    profile.head = head + 1;
    return;
  }
  moveSteps(times, index, index + 1, tail);
  for (let c = 0; c < free.length; c++) moveSteps(free[c], index, index + 1, tail);
  profile.tail = tail - 1;
}

/** Up to this number of elements a loop is faster than calling the system's copy. */
const FEW = 24;

/** Copies [from, end) to `to`, which is one place beside `from`. */
function moveSteps(values: Float64Array, to: number, from: number, end: number): void {
  if (end - from > FEW) values.copyWithin(to, from, end);
  else if (to < from) for (let i = from; i < end; i++) values[i - 1] = values[i];
  else for (let i = end - 1; i >= from; i--) values[i + 1] = values[i];
}

/** Centres the live part in arrays at least twice its size; returns the shift of the indices. */
function makeRoom(profile: Profile): number {
  const { times, head, tail } = profile;
  const live = tail - head;
  const size = live * 2 > times.length ? times.length * 2 : times.length;
  const newHead = (size - live) >> 1;
  profile.times = recentred(times, profile, size);
  for (let c = 0; c < profile.free.length; c++) {
    profile.free[c] = recentred(profile.free[c], profile, size);
  }
  profile.head = newHead;
  profile.tail = newHead + live;
  return newHead - head;
}

function recentred(values: Float64Array, { head, tail }: Profile, size: number): Float64Array {
  const result = new Float64Array(size);
  result.set(values.subarray(head, tail), (size - (tail - head)) >> 1);
  return result;
}
