/**
 * Free capacity of one site over time, in the form that planners' inner loops need.
 *
 * Equivalent to `profile` (rules PR-1, PR-2), which is exact and general; differs for speed: instants and
 * amounts are doubles in arrays that are used again, nothing is checked, and breakpoints are not merged
 * (canonical form PR-6 is not kept). A property test holds both equal.
 * Cost: O(breakpoints) per question and per reservation.
 */

/** Breakpoint i is valid from `times[i]` to `times[i + 1]`, the last for ever; `free` has a row for each. */
export interface Timeline {
  readonly columnCount: number;
  times: Float64Array;
  free: Float64Array;
  size: number;
}

/** A timeline without capacity; `resetTimeline` gives it some. */
export function createTimeline(columnCount: number, room = 64): Timeline {
  return {
    columnCount,
    times: new Float64Array(room),
    free: new Float64Array(room * columnCount),
    size: 0,
  };
}

/** Makes everything free from 0 on: the row of `capacity` that begins at `from`. */
export function resetTimeline(timeline: Timeline, capacity: Float64Array, from: number): void {
  timeline.size = 1;
  timeline.times[0] = 0;
  for (let k = 0; k < timeline.columnCount; k++) timeline.free[k] = capacity[from + k];
}

/** Makes a timeline equal to another of as many columns. */
export function copyTimeline(timeline: Timeline, { times, free, size, columnCount }: Timeline): void {
  while (timeline.times.length < size) grow(timeline);
  timeline.size = size;
  timeline.times.set(times.subarray(0, size));
  timeline.free.set(free.subarray(0, size * columnCount));
}

/** Need of one task: a row of `needs`, for a duration. */
export interface Demand {
  readonly needs: Float64Array;
  row: number;
  durationMs: number;
}

/** The smallest start from `fromMs` on at which the demand is free throughout; Infinity where never. */
export function earliestStart(timeline: Timeline, demand: Demand, fromMs: number): number {
  const { times, free, size, columnCount } = timeline;
  const { needs, row, durationMs } = demand;
  if (durationMs === 0) return fromMs;
  let start = fromMs;
  for (let at = indexAt(times, size, fromMs); at < size; at++) {
    let isFree = true;
    const base = at * columnCount;
    for (let k = 0; k < columnCount; k++) {
      if (free[base + k] < needs[row + k]) {
        isFree = false;
        break;
      }
    }
    if (at + 1 === size) return isFree ? start : Number.POSITIVE_INFINITY;
    if (!isFree) start = times[at + 1];
    else if (times[at + 1] >= start + durationMs) return start;
  }
  return start;
}

/** Takes the demand away from `startMs` on, where `earliestStart` found it free. */
export function reserveOn(timeline: Timeline, demand: Demand, startMs: number): void {
  if (demand.durationMs === 0) return;
  const first = breakAt(timeline, startMs);
  const end = breakAt(timeline, startMs + demand.durationMs);
  const { free, columnCount } = timeline;
  for (let at = first * columnCount, k = 0; at < end * columnCount; at++) {
    free[at] -= demand.needs[demand.row + k];
    k = k + 1 === columnCount ? 0 : k + 1;
  }
}

/** The last breakpoint that is not after the instant. */
function indexAt(times: Float64Array, size: number, atMs: number): number {
  let low = 0;
  let high = size - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= atMs) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The breakpoint at this instant, made where there is none. */
function breakAt(timeline: Timeline, atMs: number): number {
  const at = indexAt(timeline.times, timeline.size, atMs);
  if (timeline.times[at] === atMs) return at;
  if (timeline.size === timeline.times.length) grow(timeline);
  const { times, free, columnCount, size } = timeline;
  times.copyWithin(at + 2, at + 1, size);
  free.copyWithin((at + 2) * columnCount, (at + 1) * columnCount, size * columnCount);
  times[at + 1] = atMs;
  free.copyWithin((at + 1) * columnCount, at * columnCount, (at + 1) * columnCount);
  timeline.size = size + 1;
  return at + 1;
}

function grow(timeline: Timeline): void {
  const times = new Float64Array(2 * timeline.times.length);
  const free = new Float64Array(2 * timeline.free.length);
  times.set(timeline.times);
  free.set(timeline.free);
  timeline.times = times;
  timeline.free = free;
}
