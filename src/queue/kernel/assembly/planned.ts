/**
 * Which waiting job has the next planned start: a heap of rows by their start, in which each knows its place,
 * so that a job that moves is moved in it. Ties are in no order: what is due starts together.
 */
import { grownPlaces } from "./columns.ts";
import { startMs } from "./site.ts";

let rows = new StaticArray<i32>(8);
/** One more than the place in `rows`, by row; 0 where it is not in it. */
let place = new StaticArray<i32>(8);
let size: i32 = 0;

/** The next planned start, or Infinity. */
export function nextPlannedMs(): f64 {
  return size === 0 ? Infinity : startMs[rows[0]];
}

/** Puts a job in, or to its new place after its start has changed. */
export function schedule(row: i32): void {
  while (row >= place.length) place = grownPlaces(place, place.length * 2);
  let at = place[row] - 1;
  if (at < 0) {
    if (size === rows.length) rows = grownPlaces(rows, size * 2);
    at = size++;
    rows[at] = row;
  }
  settle(at);
}

/** Takes the job out that starts next; there must be one. */
export function popPlanned(): i32 {
  const first = rows[0];
  place[first] = 0;
  size--;
  if (size > 0) {
    rows[0] = rows[size];
    settle(0);
  }
  return first;
}

/** Moves what is at a place up or down until it is where it belongs. */
function settle(from: i32): void {
  const r = rows;
  const row = r[from];
  const key = startMs[row];
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (startMs[r[parent]] <= key) break;
    move(parent, at);
    at = parent;
  }
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && startAt(child + 1) < startAt(child)) child++;
    if (startAt(child) >= key) break;
    move(child, at);
    at = child;
  }
  r[at] = row;
  place[row] = at + 1;
}

function startAt(at: i32): f64 {
  return startMs[rows[at]];
}

function move(from: i32, to: i32): void {
  const row = rows[from];
  rows[to] = row;
  place[row] = to + 1;
}
