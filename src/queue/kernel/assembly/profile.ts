/**
 * The free processors over time, as a step function on [now, ∞): `free[i]` holds on [times[i], times[i+1]),
 * the last one for ever.
 *
 * Equivalent to `profile` with one column, and arranged as it: the live part is head..tail−1; forgetting the
 * past moves `head`, and a new step moves whichever side of the row is shorter. What is put in is known to
 * fit. Source: [PROV] ch. 3. Cost: O(log P) to find a time, O(P) to insert.
 */
import { grownNumbers, moveNumbers } from "./columns.ts";
import { estimateMs, procs, startMs } from "./site.ts";

export let times = new StaticArray<f64>(16);
export let free = new StaticArray<f64>(16);
export let head: i32 = 8;
export let tail: i32 = 9;
/** Where something was found last: the next search begins there. */
let near: i32 = 8;

/** Begins with everything free from the instant 0. */
export function openProfile(capacity: f64): void {
  times[head] = 0;
  free[head] = capacity;
}

/** Forgets everything before an instant. */
export function forgetPast(nowMs: f64): void {
  const t = times;
  let at = head;
  while (at + 1 < tail && t[at + 1] <= nowMs) at++;
  t[at] = nowMs;
  head = at;
}

/** The index of the step that holds at an instant, which does not lie before the first. */
export function indexAt(atMs: f64): i32 {
  const t = times;
  if (head + 1 === tail || atMs < t[head + 1]) return head;
  let low = near > head && near < tail && t[near] <= atMs ? near : head + 1;
  let step = 1;
  while (low + step < tail && t[low + step] <= atMs) {
    low += step;
    step *= 2;
  }
  let high = min(low + step, tail);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (t[middle] <= atMs) low = middle;
    else high = middle;
  }
  near = low;
  return low;
}

/** The smallest s ≥ `fromMs` with `amount` free on [s, s + durationMs) (rule PR-2). */
export function earliest(amount: f64, durationMs: f64, fromMs: f64): f64 {
  const t = times;
  const f = free;
  const end = tail;
  let at = indexAt(fromMs);
  let start = fromMs;
  while (true) {
    while (f[at] < amount) start = t[++at];
    // What is placed there next is looked for from here.
    near = at;
    const endMs = start + durationMs;
    while (++at < end && t[at] < endMs && f[at] >= amount) {}
    if (at === end || t[at] >= endMs) return start;
  }
}

/**
 * The earliest start in [fromMs, its own) to which a job that is in the profile could move if it were taken
 * out first; its own start when there is none. See `earlierStart` in `profile`.
 *
 * @param firstStep that which holds at `fromMs`
 * @param beforeMs no start from there on is of interest
 */
export function earlierStart(row: i32, firstStep: i32, fromMs: f64, beforeMs: f64): f64 {
  const t = times;
  const f = free;
  const end = tail;
  const amount = procs[row];
  const durationMs = estimateMs[row];
  const ownMs = startMs[row];
  const boundMs = min(ownMs, beforeMs);
  let at = firstStep;
  let start = fromMs;
  while (start < boundMs) {
    while (f[at] < amount) {
      if (++at === end || t[at] >= boundMs) return ownMs;
      start = t[at];
    }
    near = at;
    const endMs = min(start + durationMs, ownMs);
    while (++at < end && t[at] < endMs && f[at] >= amount) {}
    if (at === end || t[at] >= endMs) return start;
    start = t[at];
  }
  return ownMs;
}

/** Adds `delta` to what is free on [fromMs, endMs); every step stays unlike the one before it. */
export function shift(delta: f64, fromMs: f64, endMs: f64): void {
  let first = splitAt(fromMs);
  const t = times;
  const f = free;
  let at = first;
  let before: f64 = 0;
  while (at < tail && t[at] < endMs) {
    before = f[at];
    f[at++] = before + delta;
  }
  // What is before a place that opens or closes keeps its distance from the head.
  first -= head;
  if (at === tail || t[at] > endMs) openStep(at, endMs, before);
  else if (f[at] === before + delta) closeStep(at);
  first += head;
  if (first > head && free[first] === free[first - 1]) closeStep(first);
}

/** Makes a step at an instant if there is none; gives its index. */
function splitAt(atMs: f64): i32 {
  const at = indexAt(atMs);
  if (times[at] === atMs) return at;
  return openStep(at + 1, atMs, free[at]);
}

/** Puts a step at `index`, moving the shorter side; gives where it is then. */
function openStep(index: i32, atMs: f64, amount: f64): i32 {
  let at = index;
  if (head === 0 || tail === times.length) at += centre();
  if (at - head < tail - at) {
    moveNumbers(times, head - 1, head, at);
    moveNumbers(free, head - 1, head, at);
    head--;
    at--;
  } else {
    moveNumbers(times, at + 1, at, tail);
    moveNumbers(free, at + 1, at, tail);
    tail++;
  }
  times[at] = atMs;
  free[at] = amount;
  return at;
}

/** Removes a step, moving the shorter side. */
function closeStep(at: i32): void {
  if (at - head < tail - at) {
    moveNumbers(times, head + 1, head, at);
    moveNumbers(free, head + 1, head, at);
    head++;
  } else {
    moveNumbers(times, at, at + 1, tail);
    moveNumbers(free, at, at + 1, tail);
    tail--;
  }
}

/** Centres the live part in columns at least twice its size; gives by how much places moved. */
function centre(): i32 {
  const live = tail - head;
  if (live * 2 > times.length) {
    times = grownNumbers(times, times.length * 2);
    free = grownNumbers(free, free.length * 2);
  }
  const moved = ((times.length - live) >> 1) - head;
  moveNumbers(times, head + moved, head, tail);
  moveNumbers(free, head + moved, head, tail);
  head += moved;
  tail += moved;
  return moved;
}
