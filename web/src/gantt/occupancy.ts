import type { GanttBar } from "./bar.ts";

/** Processors in use from instant to instant, in columns. */
export interface Use {
  readonly at: Float64Array;
  readonly procs: Float64Array;
}

/** Processors in use over time by the bars of which something holds; what is only offered uses none. */
export function occupancyOf(bars: readonly GanttBar[], counts: (bar: GanttBar) => boolean = () => true): Use {
  const counted = bars.filter(
    (bar) => bar.kind !== "offer" && bar.rows.length > 0 && bar.until > bar.from && counts(bar),
  );
  const begins = inOrder(counted, (bar) => bar.from);
  const ends = inOrder(counted, (bar) => bar.until);
  const at = new Float64Array(2 * counted.length);
  const procs = new Float64Array(2 * counted.length);
  let size = 0;
  let sum = 0;
  const note = (instant: number): void => {
    if (size === 0 || at[size - 1] !== instant) at[size++] = instant;
    procs[size - 1] = sum;
  };
  for (let begun = 0, ended = 0; ended < ends.length; ) {
    const next = begins[begun];
    const last = ends[ended] as GanttBar;
    if (next !== undefined && next.from < last.until) {
      sum += next.procs;
      begun++;
      note(next.from);
    } else {
      sum -= last.procs;
      ended++;
      note(last.until);
    }
  }
  return { at: at.slice(0, size), procs: procs.slice(0, size) };
}

/** The most that a whole number can hold beside the place of one of so many bars. */
const PLACES = 2 ** 17;
const MOST = 2 ** 36;

/** Bars by a key. Keys that are whole numbers are sorted as numbers that have the places of bars, too. */
function inOrder(bars: readonly GanttBar[], keyOf: (bar: GanttBar) => number): readonly GanttBar[] {
  const keys = Float64Array.from(bars, keyOf);
  let isSorted = true;
  let arePacked = keys.length < PLACES;
  const least = keys.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0;
    isSorted &&= at === 0 || (keys[at - 1] ?? 0) <= key;
    arePacked &&= key - least < MOST && Number.isInteger(key);
  }
  if (isSorted) return bars;
  if (!arePacked) return [...bars].sort((a, b) => keyOf(a) - keyOf(b));
  for (let at = 0; at < keys.length; at++) keys[at] = ((keys[at] ?? 0) - least) * PLACES + at;
  keys.sort();
  return Array.from(keys, (packed) => bars[packed % PLACES] as GanttBar);
}
