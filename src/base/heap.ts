/**
 * A priority queue of small integers by time: smallest key first, equal keys in order of arrival.
 *
 * First-in tie-breaking makes simulations repeatable; in common fast heaps ties depend on the shape of the
 * heap. Binary, on typed arrays; allocates only to grow.
 * Cost: O(log n) per push and pop.
 */
import { assert } from "./assert.ts";

/** Plain data, so that it can be copied to a worker thread. */
export interface Heap {
  keys: Float64Array;
  /** Sequence numbers of the entries: the order of arrival, for ties. */
  tickets: Float64Array;
  values: Int32Array;
  size: number;
  nextTicket: number;
}

/** An empty heap; `capacity` is the initial size of its arrays. */
export function createHeap(capacity = 8): Heap {
  assert(capacity > 0, "a heap grows by doubling, from at least one place");
  return {
    keys: new Float64Array(capacity),
    tickets: new Float64Array(capacity),
    values: new Int32Array(capacity),
    size: 0,
    nextTicket: 0,
  };
}

/** The smallest key; Infinity when the heap is empty. */
export function smallestKey(heap: Heap): number {
  return heap.size === 0 ? Number.POSITIVE_INFINITY : heap.keys[0];
}

/** The value that `popHeap` would return next; the heap must not be empty. */
export function peekHeap(heap: Heap): number {
  assert(heap.size > 0, "only a heap that holds something has a first value");
  return heap.values[0];
}

/** Adds a value under a key, which may be Infinity. */
export function pushHeap(heap: Heap, key: number, value: number): void {
  if (heap.size === heap.keys.length) growHeap(heap);
  const ticket = heap.nextTicket++;
  let at = heap.size++;
  const { keys, tickets, values } = heap;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (keys[parent] <= key) break;
    keys[at] = keys[parent];
    tickets[at] = tickets[parent];
    values[at] = values[parent];
    at = parent;
  }
  keys[at] = key;
  tickets[at] = ticket;
  values[at] = value;
}

/** Removes the value with the smallest key; of equal keys the one that came first. */
export function popHeap(heap: Heap): number {
  const first = peekHeap(heap);
  const last = --heap.size;
  if (last > 0) sinkFromTop(heap, last);
  return first;
}

/** A copy that shares no arrays with `heap`. */
export function copyHeap(heap: Heap): Heap {
  return {
    keys: heap.keys.slice(),
    tickets: heap.tickets.slice(),
    values: heap.values.slice(),
    size: heap.size,
    nextTicket: heap.nextTicket,
  };
}

function sinkFromTop(heap: Heap, last: number): void {
  const { keys, tickets, values } = heap;
  const key = keys[last];
  const ticket = tickets[last];
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= last) break;
    const other = child + 1;
    if (
      other < last &&
      (keys[other] < keys[child] || (keys[other] === keys[child] && tickets[other] < tickets[child]))
    ) {
      child = other;
    }
    if (key < keys[child] || (key === keys[child] && ticket < tickets[child])) break;
    keys[at] = keys[child];
    tickets[at] = tickets[child];
    values[at] = values[child];
    at = child;
  }
  keys[at] = key;
  tickets[at] = ticket;
  values[at] = values[last];
}

function growHeap(heap: Heap): void {
  const capacity = heap.keys.length * 2;
  const keys = new Float64Array(capacity);
  const tickets = new Float64Array(capacity);
  const values = new Int32Array(capacity);
  keys.set(heap.keys);
  tickets.set(heap.tickets);
  values.set(heap.values);
  heap.keys = keys;
  heap.tickets = tickets;
  heap.values = values;
}
