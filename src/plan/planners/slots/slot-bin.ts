/**
 * The slots of one site during an evaluation: where a task fits, and what remains after it.
 *
 * Equivalent to `placeOnSlots` of `profile` (the source's Figure 2): the same start, slots and left-overs.
 * Differs for speed: records in typed arrays that are used again, an order that is kept instead of sorted
 * anew, and one running sum of what has begun and lasts long enough, because a slot that is active at a
 * later instant was so before. Nothing is allocated but for the growth of arrays. A property test holds both
 * equal.
 * Cost: O(slots) to find a place, but for slots that end while the start moves past them.
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
  /** Numbers of the slots in the order of records. */
  readonly sorted: Int32Array;
  /** Left-overs that end sooner after their begin are dropped: no task would fit. */
  readonly leastMs: number;
  startMs: Float64Array;
  endMs: Float64Array;
  /** Latest end of a task in it: Infinity where it can be extended. */
  lastMs: Float64Array;
  procs: Float64Array;
  root: Int32Array;
  order: Int32Array;
  /** Begin and latest end of the records in `order`: most of them are skipped by these alone. */
  orderedStartMs: Float64Array;
  orderedLastMs: Float64Array;
  /** Records with an end that `findOnSlots` has counted; later, records that a placement takes. */
  marked: Int32Array;
  /** Records that are not in `order` yet. */
  fresh: Int32Array;
  freshCount: number;
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
  const endOf = ({ startMs, durationMs }: SlotRoot): number => startMs + durationMs;
  const numbers = [...roots.keys()].sort((a, b) => {
    const [one, other] = [roots[a], roots[b]];
    return one.startMs - other.startMs || endOf(one) - endOf(other) || one.procs - other.procs || a - b;
  });
  // Written out, not spread: bins of one shape keep the compiled code valid.
  return {
    roots,
    leastMs,
    sorted: Int32Array.from(numbers),
    startMs: new Float64Array(room),
    endMs: new Float64Array(room),
    lastMs: new Float64Array(room),
    procs: new Float64Array(room),
    root: new Int32Array(room),
    order: new Int32Array(room),
    orderedStartMs: new Float64Array(room),
    orderedLastMs: new Float64Array(room),
    marked: new Int32Array(room),
    fresh: new Int32Array(room),
    freshCount: 0,
    size: 0,
    records: 0,
    foundAt: -1,
    foundFromMs: 0,
  };
}

/** Fills a bin with the slots that may be used: those whose bit, from `firstBit` on, is set. */
export function resetSlotBin(bin: SlotBin, bits: Uint8Array, firstBit: number): void {
  const { roots, sorted, leastMs } = bin;
  bin.records = 0;
  for (let at = 0; at < sorted.length; at++) {
    const root = sorted[at];
    if (bits[firstBit + root] !== 1) continue;
    const slot = roots[root];
    if (slot.durationMs < leastMs && !slot.extensible) continue;
    if (bin.records === bin.order.length) grow(bin);
    const record = bin.records++;
    bin.root[record] = root;
    bin.startMs[record] = slot.startMs;
    bin.endMs[record] = slot.startMs + slot.durationMs;
    bin.lastMs[record] = slot.extensible ? Number.POSITIVE_INFINITY : bin.endMs[record];
    bin.procs[record] = slot.procs;
    bin.order[record] = record;
    bin.orderedStartMs[record] = bin.startMs[record];
    bin.orderedLastMs[record] = bin.lastMs[record];
  }
  bin.size = bin.records;
}

/** The earliest start from `fromMs` on in this set of slots; Infinity where the task does not fit. */
export function findOnSlots(bin: SlotBin, procs: number, durationMs: number, fromMs: number): number {
  const { order, size, orderedStartMs, orderedLastMs, lastMs, procs: free, marked } = bin;
  let sum = 0;
  let marks = 0;
  let firstEndMs = Number.POSITIVE_INFINITY;
  let nowMs = fromMs;
  let untilMs = fromMs + durationMs;
  for (let at = 0; at < size; at++) {
    const endsMs = orderedLastMs[at];
    if (endsMs < untilMs) continue;
    if (orderedStartMs[at] > nowMs) {
      nowMs = orderedStartMs[at];
      untilMs = nowMs + durationMs;
      if (firstEndMs < untilMs) {
        // Slots that end too soon count no longer.
        const before = marks;
        marks = 0;
        firstEndMs = Number.POSITIVE_INFINITY;
        for (let mark = 0; mark < before; mark++) {
          const counted = marked[mark];
          if (lastMs[counted] < untilMs) sum -= free[counted];
          else {
            marked[marks++] = counted;
            if (lastMs[counted] < firstEndMs) firstEndMs = lastMs[counted];
          }
        }
      }
      if (endsMs < untilMs) continue;
    }
    sum += free[order[at]];
    if (sum >= procs) {
      bin.foundAt = at;
      bin.foundFromMs = nowMs;
      return nowMs;
    }
    if (endsMs === Number.POSITIVE_INFINITY) continue;
    marked[marks++] = order[at];
    if (endsMs < firstEndMs) firstEndMs = endsMs;
  }
  return Number.POSITIVE_INFINITY;
}

/** Takes what `findOnSlots` found, walking back from the slot that decided, and keeps the left-overs. */
export function takeFromSlots(bin: SlotBin, procs: number, endMs: number, taken: TakenParts): void {
  const { order, orderedLastMs, procs: free, root, marked } = bin;
  let missing = procs;
  let count = 0;
  let walk = bin.foundAt;
  for (; missing > 0; walk--) {
    if (orderedLastMs[walk] < endMs) continue;
    const record = order[walk];
    const part = Math.min(missing, free[record]);
    missing -= part;
    if (count === taken.root.length) growTaken(taken);
    taken.root[count] = root[record];
    taken.procs[count] = part;
    marked[count++] = record;
    order[walk] = TAKEN;
  }
  taken.count = count;
  const after = bin.foundAt + 1;
  const kept = closeGaps(bin, walk + 1, after);
  for (let at = count - 1; at >= 0; at--) leaveBefore(bin, marked[at], taken.procs[at], endMs);
  orderFresh(bin);
  // What remains before the taken parts nearly always sorts before all slots that the search did not reach.
  const isLast =
    after === bin.size || bin.freshCount === 0 || isBefore(bin, lastFresh(bin), bin.order[after]);
  moveRest(bin, after, isLast ? kept + bin.freshCount : kept);
  if (isLast) mergeFresh(bin, kept);
  else {
    bin.size += bin.freshCount;
    mergeFresh(bin, bin.size - bin.freshCount);
  }
  for (let at = count - 1; at >= 0; at--) leaveAfter(bin, marked[at], taken.procs[at], endMs);
  orderFresh(bin);
  bin.size += bin.freshCount;
  mergeFresh(bin, bin.size - bin.freshCount);
}

/** Stands in `order` for a record that is being taken out. */
const TAKEN = -1;

/** Closes the gaps of taken records in a part of the order. @returns the end of the records that remain */
function closeGaps({ order, orderedStartMs, orderedLastMs }: SlotBin, from: number, to: number): number {
  let kept = from;
  for (let at = from; at < to; at++) {
    const record = order[at];
    if (record === TAKEN) continue;
    order[kept] = record;
    orderedStartMs[kept] = orderedStartMs[at];
    orderedLastMs[kept++] = orderedLastMs[at];
  }
  return kept;
}

/** Moves the records of the order from `from` on to `to`. */
function moveRest(bin: SlotBin, from: number, to: number): void {
  const { order, orderedStartMs, orderedLastMs, size } = bin;
  const by = to - from;
  bin.size += by;
  if (by < 0) {
    for (let at = from; at < size; at++) {
      order[at + by] = order[at];
      orderedStartMs[at + by] = orderedStartMs[at];
      orderedLastMs[at + by] = orderedLastMs[at];
    }
  } else if (by > 0) {
    for (let at = size - 1; at >= from; at--) {
      order[at + by] = order[at];
      orderedStartMs[at + by] = orderedStartMs[at];
      orderedLastMs[at + by] = orderedLastMs[at];
    }
  }
}

/** Adds what remains of a record beside the part that was taken, and before it. */
function leaveBefore(bin: SlotBin, record: number, part: number, untilMs: number): void {
  const startMs = bin.startMs[record];
  const lastMs = bin.lastMs[record];
  const endMs = Math.max(bin.endMs[record], untilMs);
  const fromMs = bin.foundFromMs;
  const beside = bin.procs[record] - part;
  if (beside > 0) sizeRecord(bin, addRecord(bin, record, startMs, lastMs), endMs, beside);
  // What lies before it ends where the part begins, also of a slot that can be extended.
  if (fromMs > startMs) sizeRecord(bin, addRecord(bin, record, startMs, fromMs), fromMs, part);
}

/** Adds what remains of a record after the part that was taken. */
function leaveAfter(bin: SlotBin, record: number, part: number, untilMs: number): void {
  const lastMs = bin.lastMs[record];
  const endMs = Math.max(bin.endMs[record], untilMs);
  if (lastMs > untilMs) sizeRecord(bin, addRecord(bin, record, untilMs, lastMs), endMs, part);
}

/** Adds a rectangle of the slot of another record, whose place follows; −1 where no task would fit. */
function addRecord(bin: SlotBin, of: number, startMs: number, lastMs: number): number {
  if (lastMs - startMs < bin.leastMs) return -1;
  if (bin.records === bin.order.length) grow(bin);
  const record = bin.records++;
  bin.root[record] = bin.root[of];
  bin.startMs[record] = startMs;
  bin.lastMs[record] = lastMs;
  bin.fresh[bin.freshCount++] = record;
  return record;
}

function sizeRecord(bin: SlotBin, record: number, endMs: number, procs: number): void {
  if (record < 0) return;
  bin.endMs[record] = endMs;
  bin.procs[record] = procs;
}

/** Sorts new records, which come nearly in order; of equal ones those that came later are first. */
function orderFresh(bin: SlotBin): void {
  const { fresh, freshCount } = bin;
  for (let at = 1; at < freshCount; at++) {
    const record = fresh[at];
    let to = at;
    for (; to > 0 && !isBefore(bin, fresh[to - 1], record); to--) fresh[to] = fresh[to - 1];
    fresh[to] = record;
  }
}

function lastFresh({ fresh, freshCount }: SlotBin): number {
  return fresh[freshCount - 1];
}

/** Merges new records into the first `size` of the order, from the end; there is room after them. */
function mergeFresh(bin: SlotBin, size: number): void {
  const { order, orderedStartMs, orderedLastMs, fresh, freshCount, startMs, lastMs } = bin;
  let old = size - 1;
  let to = old + freshCount;
  for (let next = freshCount - 1; next >= 0; next--) {
    const record = fresh[next];
    const beginMs = startMs[record];
    for (; old >= 0; old--) {
      const otherMs = orderedStartMs[old];
      if (otherMs < beginMs || (otherMs === beginMs && !isBefore(bin, record, order[old]))) break;
      order[to] = order[old];
      orderedStartMs[to] = otherMs;
      orderedLastMs[to--] = orderedLastMs[old];
    }
    order[to] = record;
    orderedStartMs[to] = beginMs;
    orderedLastMs[to--] = lastMs[record];
  }
  bin.freshCount = 0;
}

/** By start, length, processors; of equal ones the older is first. */
function isBefore({ startMs, endMs, procs }: SlotBin, one: number, other: number): boolean {
  if (startMs[one] !== startMs[other]) return startMs[one] < startMs[other];
  if (endMs[one] !== endMs[other]) return endMs[one] < endMs[other];
  return procs[one] < procs[other];
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
  bin.startMs = doubles(bin.startMs);
  bin.endMs = doubles(bin.endMs);
  bin.lastMs = doubles(bin.lastMs);
  bin.procs = doubles(bin.procs);
  bin.root = integers(bin.root);
  bin.order = integers(bin.order);
  bin.orderedStartMs = doubles(bin.orderedStartMs);
  bin.orderedLastMs = doubles(bin.orderedLastMs);
  bin.marked = integers(bin.marked);
  bin.fresh = integers(bin.fresh);
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
