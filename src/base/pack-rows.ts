/**
 * Rows of a Gantt chart: which of the rows, each one processor, a bar of several processors takes.
 *
 * Bars are placed in order of their begin, as a site would place them: bars that together never use more than
 * there is always fit, though perhaps in several pieces. A bar keeps the rows that it had before, so a chart
 * that is drawn again does not jump. What is more than there is goes to further rows below.
 * Cost: O(n log n), and for each bar a look at the free pieces at its begin.
 */
import { createHeap, popHeap, pushHeap, smallestKey } from "./heap.ts";
import { sortedPlaces } from "./sorted-places.ts";

/** Rows next to each other: the first, from 0, and their number. */
export type RowSpan = readonly [first: number, count: number];

/** A bar that is to be placed. Instants in any unit; it is there from its begin until before its end. */
export interface UnplacedBar {
  readonly from: number;
  readonly until: number;
  /** Number of rows. */
  readonly procs: number;
  /** Rows that it had before; taken again where all are free. */
  readonly before?: readonly RowSpan[] | undefined;
  /** Rows that it should be in, such as those of its nodes; others only where these do not suffice. */
  readonly within?: readonly RowSpan[] | undefined;
}

/** Free rows, ascending: first and end of each piece; the last one ends at `NO_END`. Grows by doubling. */
interface Pieces {
  firsts: Int32Array;
  ends: Int32Array;
  size: number;
}

const NO_END = 2 ** 31 - 1;

const NONE: readonly RowSpan[] = [];

/** The rows of each bar, in the order of the bars; none for a bar without length or processors. */
export function packRows(bars: readonly UnplacedBar[], rows: number): readonly (readonly RowSpan[])[] {
  const placed: (readonly RowSpan[])[] = bars.map(() => NONE);
  const order = inOrder(bars);
  const ends = createHeap();
  const free: Pieces = { firsts: new Int32Array(64), ends: new Int32Array(64).fill(NO_END), size: 1 };
  for (const at of order) {
    if (bars[at].procs <= 0 || bars[at].until <= bars[at].from) continue;
    while (smallestKey(ends) <= bars[at].from) for (const span of placed[popHeap(ends)]) giveBack(free, span);
    placed[at] = rowsFor(free, bars[at], rows);
    for (const span of placed[at]) take(free, span);
    pushHeap(ends, bars[at].until, at);
  }
  return placed;
}

/** Places of the bars by their begins. */
function inOrder(bars: readonly UnplacedBar[]): Uint32Array {
  const begins = new Float64Array(bars.length);
  let areFree = true;
  for (let at = 0; at < bars.length; at++) {
    const bar = bars[at];
    begins[at] = bar.from;
    if (rankOf(bar) !== FREE) areFree = false;
  }
  const order = sortedPlaces(begins);
  if (areFree) return order;
  const rank = bars.map(rankOf);
  return order.sort((a, b) => begins[a] - begins[b] || rank[a] - rank[b] || a - b);
}

/** Rank of a bar that may be anywhere. */
const FREE = 2;

/** Of bars that begin together those that are bound to rows come first. */
function rankOf({ before, within }: UnplacedBar): number {
  if (before !== undefined) return 0;
  return within === undefined ? FREE : 1;
}

function rowsFor(free: Pieces, { procs, before, within }: UnplacedBar, rows: number): readonly RowSpan[] {
  if (before !== undefined && countOf(before) === procs && before.every((span) => isFree(free, span))) {
    return before;
  }
  const inside = within === undefined ? [] : within.flatMap((span) => freeWithin(free, span));
  if (within !== undefined && countOf(inside) >= procs) return lowest(inside, procs);
  const whole = pieceOf(free, procs, rows);
  return whole === undefined ? fewest(free, procs, rows) : [whole];
}

function countOf(spans: readonly RowSpan[]): number {
  return spans.reduce((sum, [, count]) => sum + count, 0);
}

/** The lowest rows next to each other, all of them in the chart. */
function pieceOf(free: Pieces, procs: number, rows: number): RowSpan | undefined {
  const { firsts, ends, size } = free;
  for (let at = 0; at < size; at++) {
    if (Math.min(ends[at], rows) - firsts[at] >= procs) return [firsts[at], procs];
  }
  return undefined;
}

/**
 * Rows in as few pieces as there can be: the largest in the chart, then those below it. Taking the lowest
 * instead leaves small pieces behind: 50,000 jobs on 512 processors had 8 pieces each, and have 3.
 */
function fewest(free: Pieces, procs: number, rows: number): readonly RowSpan[] {
  const { firsts, ends } = free;
  const picked: number[] = [];
  const taken: RowSpan[] = [];
  for (let left = procs; left > 0; ) {
    const at = largest(free, rows, picked);
    if (at === -1) return joined([...taken, [Math.max(rows, firsts[free.size - 1]), left]]);
    const count = Math.min(Math.min(ends[at], rows) - firsts[at], left);
    picked.push(at);
    taken.push([firsts[at], count]);
    left -= count;
  }
  return taken.length === 1 ? taken : taken.sort(([a], [b]) => a - b);
}

/** Index of the largest piece in the chart that is not picked; −1 for none. */
function largest({ firsts, ends, size }: Pieces, rows: number, picked: readonly number[]): number {
  let found = -1;
  let most = 0;
  for (let at = 0; at < size; at++) {
    const count = Math.min(ends[at], rows) - firsts[at];
    if (count <= most || picked.includes(at)) continue;
    found = at;
    most = count;
  }
  return found;
}

function joined(spans: RowSpan[]): readonly RowSpan[] {
  const whole: RowSpan[] = [];
  for (const [first, count] of spans.sort(([a], [b]) => a - b)) {
    const before = whole.at(-1);
    if (before === undefined || before[0] + before[1] < first) whole.push([first, count]);
    else whole[whole.length - 1] = [before[0], before[1] + count];
  }
  return whole;
}

/** The first rows of these, in several pieces. */
function lowest(spans: readonly RowSpan[], procs: number): readonly RowSpan[] {
  const taken: RowSpan[] = [];
  let left = procs;
  for (const [first, count] of spans) {
    if (left <= 0) break;
    taken.push([first, Math.min(count, left)]);
    left -= count;
  }
  return taken;
}

function freeWithin(free: Pieces, [first, count]: RowSpan): readonly RowSpan[] {
  const spans: RowSpan[] = [];
  for (let at = Math.max(0, pieceAt(free, first)); at < free.size; at++) {
    if (free.firsts[at] >= first + count) break;
    const begin = Math.max(free.firsts[at], first);
    const length = Math.min(free.ends[at], first + count) - begin;
    if (length > 0) spans.push([begin, length]);
  }
  return spans;
}

/** Index of the last piece that begins at this row or above it; −1 for none. */
function pieceAt({ firsts, size }: Pieces, row: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firsts[middle] <= row) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function isFree(free: Pieces, [first, count]: RowSpan): boolean {
  const at = pieceAt(free, first);
  return at >= 0 && free.ends[at] >= first + count;
}

function take(free: Pieces, span: RowSpan): void {
  const first = span[0];
  const next = first + span[1];
  const at = pieceAt(free, first);
  const end = free.ends[at];
  if (free.firsts[at] === first && next === end) dropPiece(free, at);
  else if (free.firsts[at] === first) free.firsts[at] = next;
  else {
    free.ends[at] = first;
    if (next < end) addPiece(free, at + 1, [next, end]);
  }
}

function giveBack(free: Pieces, span: RowSpan): void {
  const { firsts, ends, size } = free;
  const first = span[0];
  const next = first + span[1];
  const at = pieceAt(free, first);
  const joinsBefore = at >= 0 && ends[at] === first;
  const joinsAfter = at + 1 < size && firsts[at + 1] === next;
  if (joinsBefore && joinsAfter) {
    ends[at] = ends[at + 1];
    dropPiece(free, at + 1);
  } else if (joinsBefore) ends[at] = next;
  else if (joinsAfter) firsts[at + 1] = first;
  else addPiece(free, at + 1, [first, next]);
}

function addPiece(free: Pieces, at: number, [first, end]: RowSpan): void {
  if (free.size === free.firsts.length) growPieces(free);
  free.firsts.copyWithin(at + 1, at, free.size);
  free.ends.copyWithin(at + 1, at, free.size);
  free.firsts[at] = first;
  free.ends[at] = end;
  free.size++;
}

function growPieces(free: Pieces): void {
  const { firsts, ends, size } = free;
  free.firsts = new Int32Array(2 * size);
  free.firsts.set(firsts);
  free.ends = new Int32Array(2 * size);
  free.ends.set(ends);
}

function dropPiece(free: Pieces, at: number): void {
  free.firsts.copyWithin(at, at + 1, free.size);
  free.ends.copyWithin(at, at + 1, free.size);
  free.size--;
}
