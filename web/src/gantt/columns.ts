/**
 * The bars of a chart in columns, a row a box: a bar in several pieces has several.
 *
 * Boxes are in the order of their begins, so those in sight are found by two searches, in a time that does
 * not depend on how many bars there are. What is drawn later is on top: a job within a reservation begins no
 * earlier than it, and stays above.
 */
import type { BarKind, PlacedBar, Rows } from "./bar.ts";

/** Kinds of bars in the order of their inks; what is mine has the ink behind them. */
export const KINDS: readonly BarKind[] = [
  "free",
  "past",
  "failed",
  "running",
  "queued",
  "reservation",
  "offer",
  "setAside",
  "others",
];
export const MINE = KINDS.length;

/** Boxes in the order of their begins. */
export interface Columns {
  readonly bars: readonly PlacedBar[];
  readonly size: number;
  readonly from: Float64Array;
  readonly until: Float64Array;
  readonly first: Float64Array;
  readonly count: Float64Array;
  /** Place of the bar in `bars`. */
  readonly bar: Uint32Array;
  /** Kind of the bar, by its place in {@link KINDS}. */
  readonly kind: Uint8Array;
  readonly isMine: Uint8Array;
  /** The latest end of this box and those before it. */
  readonly latest: Float64Array;
}

const kept = new WeakMap<Rows, Columns>();

/** The boxes of rows; made once for them. */
export function columnsOf(rows: Rows): Columns {
  const known = kept.get(rows);
  if (known !== undefined) return known;
  const columns = makeColumns(rows.bars);
  kept.set(rows, columns);
  return columns;
}

function makeColumns(given: readonly PlacedBar[]): Columns {
  const bars = inOrder(given);
  let size = 0;
  for (const { rows } of bars) size += rows.length;
  const numbers = () => new Float64Array(size);
  const [from, until, first, count, latest] = [numbers(), numbers(), numbers(), numbers(), numbers()];
  const bar = new Uint32Array(size);
  const kind = new Uint8Array(size);
  const isMine = new Uint8Array(size);
  let at = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < bars.length; place++) {
    const placed = bars[place] as PlacedBar;
    const { from: begin, until: end } = placed.piece ?? placed.bar;
    last = Math.max(last, end);
    for (const span of placed.rows) {
      from[at] = begin;
      until[at] = end;
      first[at] = span[0];
      count[at] = span[1];
      bar[at] = place;
      kind[at] = KINDS.indexOf(placed.bar.kind);
      isMine[at] = placed.bar.isMine ? 1 : 0;
      latest[at] = last;
      at++;
    }
  }
  return { bars, size, from, until, first, count, bar, kind, isMine, latest };
}

function inOrder(bars: readonly PlacedBar[]): readonly PlacedBar[] {
  const begins = bars.map(({ bar, piece }) => (piece ?? bar).from);
  const isSorted = begins.every((begin, at) => at === 0 || (begins[at - 1] ?? 0) <= begin);
  return isSorted ? bars : [...bars].sort((a, b) => (a.piece ?? a.bar).from - (b.piece ?? b.bar).from);
}

/** Boxes that may touch a stretch of time: from the first place until before the other. */
export function inSight(
  { size, from, latest }: Pick<Columns, "size" | "from" | "latest">,
  fromMs: number,
  untilMs: number,
): readonly [first: number, end: number] {
  return [
    firstWhere(size, (at) => (latest[at] ?? 0) >= fromMs),
    firstWhere(size, (at) => (from[at] ?? 0) > untilMs),
  ];
}

/** The first number below `size` of which something holds, where it holds of all behind it, too. */
export function firstWhere(size: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The bar on top at an instant and a row, with so much slack in time, and rows of at least that height. */
export function barAt(
  columns: Columns,
  { at, slack, row, least }: { at: number; slack: number; row: number; least: number },
): PlacedBar | undefined {
  const { from, until, first, count } = columns;
  const [low, high] = inSight(columns, at - slack, at + slack);
  for (let box = high - 1; box >= low; box--) {
    if ((until[box] ?? 0) + slack < at || (from[box] ?? 0) - slack > at) continue;
    const top = first[box] ?? 0;
    if (top <= row && row < top + Math.max(count[box] ?? 0, least)) {
      return columns.bars[columns.bar[box] ?? 0];
    }
  }
  return undefined;
}
