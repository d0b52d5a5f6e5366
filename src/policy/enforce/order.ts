/**
 * Who is served next (rule PO-8): the candidates of one pass, from the least served consumer down.
 *
 * Equivalent to going down from the top anew for each candidate, always to the least served level; for
 * speed each level keeps the levels below it in a heap, of which only those on the way of the last
 * candidate can have moved, and those whose jobs were stopped for it.
 */
import type { EnforcementCause } from "../../model/index.ts";
import { SITE_LEVEL } from "./levels.ts";
import { isCandidate, type Look, type Row } from "./look.ts";
import { compareServed } from "./served.ts";

/** The candidates that are left in a pass. */
export interface Order {
  readonly look: Look;
  readonly queues: readonly LevelQueue[];
  /** By level, where it is in the heap of the level above. */
  readonly places: Int32Array;
}

interface LevelQueue {
  /** Its own candidates, suspended ones first, each in order; taken from the front. */
  readonly own: Row[];
  next: number;
  /** The levels below that have candidates: a heap, the least served on top. */
  readonly below: number[];
  /** The place of its first candidate, itself or below, when the pass began. */
  firstOrder: number;
  closedBy: EnforcementCause | undefined;
}

/** The candidates of a look as it is now; of none is it known yet why it is not let go. */
export function orderOf(look: Look): Order {
  const queues = look.levels.list.map(
    (): LevelQueue => ({
      own: [],
      next: 0,
      below: [],
      firstOrder: Number.POSITIVE_INFINITY,
      closedBy: undefined,
    }),
  );
  const { list } = look.levels;
  const order = { look, queues, places: new Int32Array(list.length) };
  if (look.suspendedCount > 0) {
    for (const row of look.rows)
      if (row.state === "suspended" && isCandidate(row)) addTo(queues[row.level], row);
  }
  for (const row of look.rows) if (row.state === "waiting" && isCandidate(row)) addTo(queues[row.level], row);
  for (let at = list.length - 1; at >= 0; at--) {
    const { index, parent } = list[at];
    const { firstOrder } = queues[index];
    if (index === SITE_LEVEL || firstOrder === Number.POSITIVE_INFINITY) continue;
    queues[parent].firstOrder = Math.min(queues[parent].firstOrder, firstOrder);
    push(order, queues[parent].below, index);
  }
  return order;
}

/** The next candidate, which stays so until {@link passOver}; undefined where none is left. */
export function nextCandidate({ queues }: Order): Row | undefined {
  let queue = queues[SITE_LEVEL];
  for (;;) {
    if (queue.next < queue.own.length) return queue.own[queue.next];
    if (queue.below.length === 0) return undefined;
    queue = queues[queue.below[0]];
  }
}

/** Goes on behind the next candidate, whose consumer may have been served meanwhile. */
export function passOver(order: Order, row: Row): void {
  const queue = order.queues[row.level];
  queue.next++;
  // While a suspended one cannot go on, none of the consumer's waiting does.
  const isStuck = row.state === "suspended";
  while (isStuck && queue.next < queue.own.length && queue.own[queue.next].state === "waiting") queue.next++;
  // Only who was served has moved among the others.
  settleLine(order, row.level, row.cause === null);
}

/** Levels whose jobs were stopped are served less than they were: they and those above them move up. */
export function reorder(order: Order, levels: readonly number[]): void {
  const [first] = levels;
  const isOne = levels.every((level) => level === first);
  for (const level of isOne ? levels.slice(0, 1) : levels) moveUp(order, level, isOne);
}

/** One alone rises in each heap; where several have moved, each heap is made anew. */
function moveUp(order: Order, level: number, isOne: boolean): void {
  const { list } = order.look.levels;
  for (let { index, parent } = list[level]; index !== SITE_LEVEL; { index, parent } = list[parent]) {
    const { below } = order.queues[parent];
    const at = order.places[index];
    if (!isOne) for (let from = (below.length >> 1) - 1; from >= 0; from--) sink(order, below, from);
    else if (below[at] === index) rise(order, below, at);
  }
}

/** Nothing at a level or below it is let go any more in this pass; the next candidate was one of them. */
export function closeLevel(
  order: Order,
  row: Row,
  { level, cause }: { readonly level: number; readonly cause: EnforcementCause },
): void {
  order.queues[level].closedBy = cause;
  settleLine(order, row.level, false);
}

/** Why a level is closed, itself or above; undefined where it is open. */
export function closedBy({ look, queues }: Order, level: number): EnforcementCause | undefined {
  const { line } = look.levels.list[level];
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

/** Brings each level of a line, which are all on top of their heaps, to its place. */
function settleLine(order: Order, level: number, hasMoved: boolean): void {
  const { list } = order.look.levels;
  for (let { index, parent } = list[level]; index !== SITE_LEVEL; { index, parent } = list[parent]) {
    const heap = order.queues[parent].below;
    if (isExhausted(order.queues[index])) removeTop(order, heap);
    else if (hasMoved) sink(order, heap);
  }
}

function isExhausted({ own, next, below, closedBy: closed }: LevelQueue): boolean {
  return closed !== undefined || (next >= own.length && below.length === 0);
}

function comesBefore({ look, queues }: Order, one: number, other: number): boolean {
  const compared = compareServed(look.served, one, other);
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
