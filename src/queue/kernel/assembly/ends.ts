/**
 * The real ends of the jobs that run: a binary heap by instant, of equal ones the first that came.
 */
import { grownNumbers, grownPlaces } from "./columns.ts";

let keys = new StaticArray<f64>(8);
let tickets = new StaticArray<f64>(8);
let values = new StaticArray<i32>(8);
let size: i32 = 0;
let nextTicket: f64 = 0;

/** The next end, or Infinity. */
export function nextEndMs(): f64 {
  return size === 0 ? Infinity : keys[0];
}

/** Notes when a job ends. */
export function pushEnd(atMs: f64, row: i32): void {
  if (size === keys.length) {
    keys = grownNumbers(keys, size * 2);
    tickets = grownNumbers(tickets, size * 2);
    values = grownPlaces(values, size * 2);
  }
  const k = keys;
  const t = tickets;
  const v = values;
  let at = size++;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (k[parent] <= atMs) break;
    k[at] = k[parent];
    t[at] = t[parent];
    v[at] = v[parent];
    at = parent;
  }
  k[at] = atMs;
  t[at] = nextTicket;
  v[at] = row;
  nextTicket += 1;
}

/** Takes out the job that ends next; there must be one. */
export function popEnd(): i32 {
  const first = values[0];
  size--;
  if (size > 0) sinkFromTop();
  return first;
}

/** Puts what stood last where the first was, and lets it down to its place. */
function sinkFromTop(): void {
  const k = keys;
  const t = tickets;
  const v = values;
  const last = size;
  const key = k[last];
  const ticket = t[last];
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= last) break;
    if (child + 1 < last && isBefore(child + 1, k[child], t[child])) child++;
    if (!isBefore(child, key, ticket)) break;
    k[at] = k[child];
    t[at] = t[child];
    v[at] = v[child];
    at = child;
  }
  k[at] = key;
  t[at] = ticket;
  v[at] = v[last];
}

function isBefore(at: i32, key: f64, ticket: f64): bool {
  const own = keys[at];
  return own < key || (own === key && tickets[at] < ticket);
}
