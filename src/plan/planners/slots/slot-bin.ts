/**
 * The slots of one site during an evaluation: where a task fits, and what remains after it.
 *
 * Equivalent to `placeOnSlots` of `profile` (the source's Figure 2): the same start, slots and left-overs.
 * Differs for speed: records in typed arrays that are used again, an order that is kept instead of sorted
 * anew, and one sum for all slots that have begun by the same instant, because a slot that is active at a
 * later instant was so before. A property test holds both equal.
 * Cost: O(slots) where the task fits at once.
 */
import type { SlotForSale } from "../../platform/index.ts";

/** A slot as it was sold; all left-overs of it are its records. */
export interface SlotRoot extends SlotForSale {
  /** Place in the list of the site; absent where the site sells no slots and all of it is free. */
  readonly slot?: number;
}

/** Records of free rectangles; `order` has those that are left, by start, length, processors, age. */
export interface SlotBin {
  readonly roots: readonly SlotRoot[];
  /** Left-overs that end sooner after their begin are dropped: no task would fit. */
  readonly leastMs: number;
  startMs: Float64Array;
  endMs: Float64Array;
  procs: Float64Array;
  isExtensible: Uint8Array;
  root: Int32Array;
  order: Int32Array;
  size: number;
  records: number;
  /** Place in `order` of the slot that decided in `findOnSlots`. */
  foundAt: number;
  /** The start that it found. */
  foundFromMs: number;
}

/** Parts of slots that a placement took, `count` of them. */
export interface TakenParts {
  root: Int32Array;
  procs: Float64Array;
  count: number;
}

/** A bin that has nothing yet. */
export function createSlotBin(roots: readonly SlotRoot[], leastMs = 0): SlotBin {
  const room = 4 * Math.max(16, roots.length);
  return {
    ...{ roots, leastMs },
    ...{ startMs: new Float64Array(room), endMs: new Float64Array(room), procs: new Float64Array(room) },
    ...{ isExtensible: new Uint8Array(room), root: new Int32Array(room), order: new Int32Array(room) },
    ...{ size: 0, records: 0, foundAt: -1, foundFromMs: 0 },
  };
}

/** Fills a bin with the slots that may be used: those whose bit, from `firstBit` on, is set. */
export function resetSlotBin(bin: SlotBin, bits: Uint8Array, firstBit: number): void {
  bin.size = 0;
  bin.records = 0;
  for (const [root, { startMs, durationMs, procs, extensible }] of bin.roots.entries()) {
    if (bits[firstBit + root] === 1) {
      addRecord(bin, { root, startMs, endMs: startMs + durationMs, procs, isExtensible: extensible ? 1 : 0 });
    }
  }
}

/** The earliest start from `fromMs` on in this set of slots; Infinity where the task does not fit. */
export function findOnSlots(bin: SlotBin, procs: number, durationMs: number, fromMs: number): number {
  const { order, size, startMs, endMs, procs: free, isExtensible } = bin;
  let at = 0;
  let sum = 0;
  for (; at < size; at++) {
    const record = order[at];
    if (startMs[record] > fromMs) break;
    if (endMs[record] < fromMs + durationMs && isExtensible[record] === 0) continue;
    sum += free[record];
    if (sum >= procs) {
      bin.foundAt = at;
      bin.foundFromMs = fromMs;
      return fromMs;
    }
  }
  while (at < size) {
    const nowMs = startMs[order[at]];
    const untilMs = nowMs + durationMs;
    sum = 0;
    for (let before = 0; before < at; before++) {
      const record = order[before];
      if (endMs[record] >= untilMs || isExtensible[record] === 1) sum += free[record];
    }
    for (; at < size && startMs[order[at]] === nowMs; at++) {
      const record = order[at];
      if (endMs[record] < untilMs && isExtensible[record] === 0) continue;
      sum += free[record];
      if (sum >= procs) {
        bin.foundAt = at;
        bin.foundFromMs = nowMs;
        return nowMs;
      }
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** The time that a placement takes. */
interface UsedSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Takes what `findOnSlots` found, walking back from the slot that decided, and keeps the left-overs. */
export function takeFromSlots(bin: SlotBin, procs: number, span: UsedSpan, taken: TakenParts): void {
  const { endMs: until } = span;
  taken.count = 0;
  let missing = procs;
  let walk = bin.foundAt;
  const cut: number[] = [];
  for (; missing > 0; walk--) {
    const record = bin.order[walk];
    if (bin.endMs[record] < until && bin.isExtensible[record] === 0) continue;
    const part = Math.min(missing, bin.procs[record]);
    missing -= part;
    if (taken.count === taken.root.length) growTaken(taken);
    taken.root[taken.count] = bin.root[record];
    taken.procs[taken.count++] = part;
    bin.order.copyWithin(walk, walk + 1, bin.size--);
    cut.push(record, part);
  }
  for (let at = 0; at < cut.length; at += 2) leaveOver(bin, cut[at], cut[at + 1], span);
}

function leaveOver(
  bin: SlotBin,
  record: number,
  part: number,
  { startMs: from, endMs: until }: UsedSpan,
): void {
  const root = bin.root[record];
  const startMs = bin.startMs[record];
  const endMs = Math.max(bin.endMs[record], until);
  const isExtensible = bin.isExtensible[record];
  const beside = bin.procs[record] - part;
  if (beside > 0) addRecord(bin, { root, startMs, endMs, procs: beside, isExtensible });
  if (from > startMs) addRecord(bin, { root, startMs, endMs: from, procs: part, isExtensible: 0 });
  if (endMs > until || isExtensible === 1) {
    addRecord(bin, { root, startMs: until, endMs, procs: part, isExtensible });
  }
}

interface NewRecord {
  readonly root: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly procs: number;
  readonly isExtensible: number;
}

function addRecord(bin: SlotBin, { root, startMs, endMs, procs, isExtensible }: NewRecord): void {
  if (endMs - startMs < bin.leastMs && isExtensible === 0) return;
  if (bin.records === bin.startMs.length) grow(bin);
  const record = bin.records++;
  bin.root[record] = root;
  bin.startMs[record] = startMs;
  bin.endMs[record] = endMs;
  bin.procs[record] = procs;
  bin.isExtensible[record] = isExtensible;
  let low = 0;
  let high = bin.size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(bin, bin.order[middle], record)) low = middle + 1;
    else high = middle;
  }
  bin.order.copyWithin(low + 1, low, bin.size++);
  bin.order[low] = record;
}

/** By start, length, processors; of equal ones the older. */
function isBefore({ startMs, endMs, procs }: SlotBin, one: number, other: number): boolean {
  if (startMs[one] !== startMs[other]) return startMs[one] < startMs[other];
  if (endMs[one] !== endMs[other]) return endMs[one] < endMs[other];
  return procs[one] <= procs[other];
}

function grow(bin: SlotBin): void {
  const room = 2 * bin.startMs.length;
  const doubles = (of: Float64Array) => {
    const wider = new Float64Array(room);
    wider.set(of);
    return wider;
  };
  const integers = (of: Int32Array) => {
    const wider = new Int32Array(room);
    wider.set(of);
    return wider;
  };
  const flags = new Uint8Array(room);
  flags.set(bin.isExtensible);
  bin.startMs = doubles(bin.startMs);
  bin.endMs = doubles(bin.endMs);
  bin.procs = doubles(bin.procs);
  bin.root = integers(bin.root);
  bin.order = integers(bin.order);
  bin.isExtensible = flags;
}

/** Room for the parts of a placement. */
export function createTakenParts(): TakenParts {
  return { root: new Int32Array(64), procs: new Float64Array(64), count: 0 };
}

function growTaken(taken: TakenParts): void {
  const root = new Int32Array(2 * taken.root.length);
  const procs = new Float64Array(2 * taken.procs.length);
  root.set(taken.root);
  procs.set(taken.procs);
  taken.root = root;
  taken.procs = procs;
}
