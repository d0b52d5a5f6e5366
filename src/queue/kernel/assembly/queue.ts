/**
 * Waiting jobs in order of arrival, and the jobs that start at this instant.
 */
import { grownPlaces, movePlaces } from "./columns.ts";
import { pushEnd } from "./ends.ts";
import { backfilled, nowMs, order, runtimeMs } from "./site.ts";

/** The rows of the jobs that wait. */
export let waiting = new StaticArray<i32>(8);
/** Number of waiting jobs. */
export let waitingCount: i32 = 0;
let started = new StaticArray<i32>(8);
/** Number of jobs that start at this instant. */
export let startedCount: i32 = 0;

/** Puts a job behind those that wait. */
export function enqueue(row: i32): void {
  if (waitingCount === waiting.length) waiting = grownPlaces(waiting, waitingCount * 2);
  waiting[waitingCount++] = row;
}

/** Takes the jobs at the places from..end−1 out of the queue. */
export function leaveQueue(from: i32, end: i32): void {
  if (from === end) return;
  movePlaces(waiting, from, end, waitingCount);
  waitingCount -= end - from;
}

/** Takes a job out of the queue, in which it is. */
export function dequeue(row: i32): void {
  const own = order[row];
  let low = 0;
  let high = waitingCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order[waiting[middle]] < own) low = middle + 1;
    else high = middle;
  }
  leaveQueue(low, low + 1);
}

/** Marks a job as started now. */
export function noteStarted(row: i32): void {
  if (startedCount === started.length) started = grownPlaces(started, startedCount * 2);
  started[startedCount++] = row;
}

/**
 * Ends the instant: marks who started past somebody else, and notes in order of arrival when
 * they end.
 */
export function beginStarted(): void {
  if (startedCount > 1) sortStarted();
  const first = waitingCount > 0 ? order[waiting[0]] : Infinity;
  for (let i = 0; i < startedCount; i++) {
    const row = started[i];
    backfilled[row] = first < order[row] ? 1 : 0;
    pushEnd(nowMs + runtimeMs[row], row);
  }
  startedCount = 0;
}

/**
 * Puts the started jobs in order of arrival, by shell sort: they are few, and nearly always in order already.
 */
function sortStarted(): void {
  const rows = started;
  for (let gap = widestGap(); gap > 0; gap /= 3) {
    for (let i = gap; i < startedCount; i++) {
      const row = rows[i];
      const own = order[row];
      let at = i;
      for (; at >= gap && order[rows[at - gap]] > own; at -= gap) {
        rows[at] = rows[at - gap];
      }
      rows[at] = row;
    }
  }
}

/** The largest of Knuth's gaps 1, 4, 13 … below a third of the number of starts; at least 1. */
function widestGap(): i32 {
  let gap: i32 = 1;
  while (gap < startedCount / 9) gap = 3 * gap + 1;
  return gap;
}
