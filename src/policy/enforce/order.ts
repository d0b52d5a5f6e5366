/**
 * Order of candidates in a round (rule PO-8), from the least served consumer down.
 *
 * Equivalent to descending from the top for each candidate, always to the least served level; for speed each
 * level has a heap of the levels below it, in which only levels on the path of the last candidate can have
 * moved, and those whose jobs were stopped for it. Candidates of a level itself come before those below it.
 */
import type { EnforcementCause } from "../../model/index.ts";
import { type EnforcementPass, isCandidate, type Row } from "./enforcement-pass.ts";
import { SITE_LEVEL } from "./levels.ts";
import { compareServed } from "./served.ts";

/** The remaining candidates of a round. */
export interface Order {
  readonly pass: EnforcementPass;
  readonly queues: readonly LevelQueue[];
  /** Position of each level in the heap of the level above. */
  readonly places: Int32Array;
}

interface LevelQueue {
  /** Candidates of the level itself, suspended ones first, each in order; taken from the front. */
  readonly own: Row[];
  next: number;
  /** Levels below that have candidates: a heap, the least served on top. */
  readonly below: number[];
  /** Position of its first candidate, itself or below, at the beginning of the round. */
  firstOrder: number;
  closedBy: EnforcementCause | undefined;
}

/** The candidates of a pass in its present state, with no reasons recorded yet. */
export function orderOf(pass: EnforcementPass): Order {
  const queues = pass.levels.list.map(
    (): LevelQueue => ({
      own: [],
      next: 0,
      below: [],
      firstOrder: Number.POSITIVE_INFINITY,
      closedBy: undefined,
    }),
  );
  const { list } = pass.levels;
  const order = { pass, queues, places: new Int32Array(list.length) };
  if (pass.suspendedCount > 0) {
    for (const row of pass.rows)
      if (row.state === "suspended" && isCandidate(row)) addTo(queues[row.level], row);
  }
  for (const row of pass.rows) if (row.state === "waiting" && isCandidate(row)) addTo(queues[row.level], row);
  for (let at = list.length - 1; at >= 0; at--) {
    const { index, parent } = list[at];
    const { firstOrder } = queues[index];
    if (index === SITE_LEVEL || firstOrder === Number.POSITIVE_INFINITY) continue;
    queues[parent].firstOrder = Math.min(queues[parent].firstOrder, firstOrder);
    push(order, queues[parent].below, index);
  }
  return order;
}

/** The next candidate, the same until {@link passOver}; undefined where none is left. */
export function nextCandidate({ queues }: Order): Row | undefined {
  let queue = queues[SITE_LEVEL];
  for (;;) {
    if (queue.next < queue.own.length) return queue.own[queue.next];
    if (queue.below.length === 0) return undefined;
    queue = queues[queue.below[0]];
  }
}

/** Moves on to the next candidate; the consumer may have been served meanwhile. */
export function passOver(order: Order, row: Row): void {
  const queue = order.queues[row.level];
  queue.next++;
  // While a suspended job cannot continue, none of the consumer's waiting jobs does.
  const isStuck = row.state === "suspended";
  while (isStuck && queue.next < queue.own.length && queue.own[queue.next].state === "waiting") queue.next++;
  // Only the served level has moved among the others.
  settleLine(order, row.level, row.cause === null);
}

/** Moves levels up whose jobs were stopped, with those above them, since they are served less than before. */
export function reorder(order: Order, levels: readonly number[]): void {
  const [first] = levels;
  const isOne = levels.every((level) => level === first);
  for (const level of isOne ? levels.slice(0, 1) : levels) moveUp(order, level, isOne);
}

/** A single level rises in each heap; where several have moved, each heap is rebuilt. */
function moveUp(order: Order, level: number, isOne: boolean): void {
  const { list } = order.pass.levels;
  for (let { index, parent } = list[level]; index !== SITE_LEVEL; { index, parent } = list[parent]) {
    const { below } = order.queues[parent];
    const at = order.places[index];
    if (!isOne) for (let from = (below.length >> 1) - 1; from >= 0; from--) sink(order, below, from);
    else if (below[at] === index) rise(order, below, at);
  }
}

/** Closes a level for the rest of the round, with all below it; the next candidate belongs to it. */
export function closeLevel(
  order: Order,
  row: Row,
  { level, cause }: { readonly level: number; readonly cause: EnforcementCause },
): void {
  order.queues[level].closedBy = cause;
  settleLine(order, row.level, false);
}

/** The reason why a level, or one above it, is closed; undefined where it is open. */
export function closedBy({ pass, queues }: Order, level: number): EnforcementCause | undefined {
  const { line } = pass.levels.list[level];
  for (let i = 0; i < line.length; i++) {
    const { closedBy: closed } = queues[line[i]];
    if (closed !== undefined) return closed;
  }
  return undefined;
}

function addTo(queue: LevelQueue, row: Row): void {
  row.cause = null;
  queue.own.push(row);
  queue.firstOrder = Math.min(queue.firstOrder, row.job.order);
}

/** Moves each level of a path, all on top of their heaps, to its place. */
function settleLine(order: Order, level: number, hasMoved: boolean): void {
  const { list } = order.pass.levels;
  for (let { index, parent } = list[level]; index !== SITE_LEVEL; { index, parent } = list[parent]) {
    const heap = order.queues[parent].below;
    if (isExhausted(order.queues[index])) removeTop(order, heap);
    else if (hasMoved) sink(order, heap);
  }
}

function isExhausted({ own, next, below, closedBy: closed }: LevelQueue): boolean {
  return closed !== undefined || (next >= own.length && below.length === 0);
}

function comesBefore({ pass, queues }: Order, one: number, other: number): boolean {
  const compared = compareServed(pass.served, one, other);
  return compared !== 0 ? compared < 0 : queues[one].firstOrder < queues[other].firstOrder;
}

function push(order: Order, heap: number[], level: number): void {
  rise(order, heap, heap.push(level) - 1);
}

function removeTop(order: Order, heap: number[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  sink(order, heap);
}

function rise(order: Order, heap: number[], from: number): void {
  const level = heap[from];
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!comesBefore(order, level, heap[parent])) break;
    put(order, heap, at, heap[parent]);
    at = parent;
  }
  put(order, heap, at, level);
}

function sink(order: Order, heap: number[], from = 0): void {
  const level = heap[from];
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && comesBefore(order, heap[child + 1], heap[child])) child++;
    if (!comesBefore(order, heap[child], level)) break;
    put(order, heap, at, heap[child]);
    at = child;
  }
  put(order, heap, at, level);
}

function put({ places }: Order, heap: number[], at: number, level: number): void {
  heap[at] = level;
  places[level] = at;
}
