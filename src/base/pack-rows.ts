/**
 * Rows of a Gantt chart: which of the rows, each one processor, a bar of several processors takes.
 *
 * Bars are placed in order of their begin, as a site would place them: bars that together never use more than
 * there is always fit, though perhaps in several pieces. A bar keeps the rows that it had before, so a chart
 * that is drawn again does not jump. What is more than there is goes to further rows below.
 * Cost: O(n log n), and for each bar a look at the free pieces at its begin.
 */
import { createHeap, popHeap, pushHeap, smallestKey } from "./heap.ts";

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

/** Free rows, ascending: first and end of each piece; the last one has no end. */
type Pieces = [first: number, end: number][];

const NONE: readonly RowSpan[] = [];

/** The rows of each bar, in the order of the bars; none for a bar without length or processors. */
export function packRows(bars: readonly UnplacedBar[], rows: number): readonly (readonly RowSpan[])[] {
  const placed: (readonly RowSpan[])[] = bars.map(() => NONE);
  const order = bars.map((_, at) => at).filter((at) => bars[at].procs > 0 && bars[at].until > bars[at].from);
  const rank = bars.map(rankOf);
  order.sort((a, b) => bars[a].from - bars[b].from || rank[a] - rank[b] || a - b);
  const ends = createHeap();
  const free: Pieces = [[0, Number.POSITIVE_INFINITY]];
  for (const at of order) {
    while (smallestKey(ends) <= bars[at].from) for (const span of placed[popHeap(ends)]) giveBack(free, span);
    placed[at] = rowsFor(free, bars[at], rows);
    for (const span of placed[at]) take(free, span);
    pushHeap(ends, bars[at].until, at);
  }
  return placed;
}

/** Of bars that begin together those that are bound to rows come first. */
function rankOf({ before, within }: UnplacedBar): number {
  if (before !== undefined) return 0;
  return within === undefined ? 2 : 1;
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
  const at = free.findIndex((piece) => Math.min(piece[1], rows) - piece[0] >= procs);
  return at === -1 ? undefined : [free[at][0], procs];
}

/**
 * Rows in as few pieces as there can be: the largest in the chart, then those below it. Taking the lowest
 * instead leaves small pieces behind: 50,000 jobs on 512 processors had 8 pieces each, and have 3.
 */
function fewest(free: Pieces, procs: number, rows: number): readonly RowSpan[] {
  const picked: number[] = [];
  const taken: RowSpan[] = [];
  for (let left = procs; left > 0; ) {
    const at = largest(free, rows, picked);
    if (at === -1) return joined([...taken, [Math.max(rows, free[free.length - 1][0]), left]]);
    const piece = free[at];
    const count = Math.min(Math.min(piece[1], rows) - piece[0], left);
    picked.push(at);
    taken.push([piece[0], count]);
    left -= count;
  }
  return taken.length === 1 ? taken : taken.sort(([a], [b]) => a - b);
}

/** Index of the largest piece in the chart that is not picked; −1 for none. */
function largest(free: Pieces, rows: number, picked: readonly number[]): number {
  let found = -1;
  let most = 0;
  for (let at = 0; at < free.length; at++) {
    const size = Math.min(free[at][1], rows) - free[at][0];
    if (size <= most || picked.includes(at)) continue;
    found = at;
    most = size;
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
  return free.flatMap(([from, end]): RowSpan[] => {
    const begin = Math.max(from, first);
    const length = Math.min(end, first + count) - begin;
    return length > 0 ? [[begin, length]] : [];
  });
}

/** Index of the last piece that begins at this row or above it; −1 for none. */
function pieceAt(free: Pieces, row: number): number {
  let low = 0;
  let high = free.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (free[middle][0] <= row) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function isFree(free: Pieces, [first, count]: RowSpan): boolean {
  const at = pieceAt(free, first);
  return at >= 0 && free[at][1] >= first + count;
}

function take(free: Pieces, [first, count]: RowSpan): void {
  const at = pieceAt(free, first);
  const piece = free[at];
  const [from, end] = piece;
  const next = first + count;
  if (from === first && next === end) free.splice(at, 1);
  else if (from === first) piece[0] = next;
  else {
    piece[1] = first;
    if (next < end) free.splice(at + 1, 0, [next, end]);
  }
}

function giveBack(free: Pieces, [first, count]: RowSpan): void {
  const at = pieceAt(free, first);
  const joinsBefore = at >= 0 && free[at][1] === first;
  const joinsAfter = at + 1 < free.length && free[at + 1][0] === first + count;
  if (joinsBefore) {
    free[at][1] = joinsAfter ? free[at + 1][1] : first + count;
    if (joinsAfter) free.splice(at + 1, 1);
  } else if (joinsAfter) free[at + 1][0] = first;
  else free.splice(at + 1, 0, [first, first + count]);
}
