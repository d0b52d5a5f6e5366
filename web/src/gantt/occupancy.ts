import { sortedPlaces } from "../../../src/base/index.ts";
import type { GanttBar } from "./bar.ts";

/** Processors in use from instant to instant, in columns. */
export interface Use {
  readonly at: Float64Array;
  readonly procs: Float64Array;
}

/** Processors in use over time: all, and mine. */
export interface UseOverTime {
  readonly all: Use;
  readonly mine: Use;
}

const kept = new WeakMap<readonly GanttBar[], UseOverTime>();

/** Use by all bars and by mine; made once for them. */
export function usesOf(bars: readonly GanttBar[]): UseOverTime {
  const known = kept.get(bars);
  if (known !== undefined) return known;
  const use = { all: occupancyOf(bars), mine: occupancyOf(bars, ({ isMine }) => isMine) };
  kept.set(bars, use);
  return use;
}

/** The most processors in use at once. */
export function mostInUse(bars: readonly GanttBar[]): number {
  return occupancyOf(bars).procs.reduce((most, procs) => Math.max(most, procs), 0);
}

/** Processors in use over time by the bars that `counts` accepts; free and offered slots use none. */
export function occupancyOf(bars: readonly GanttBar[], counts: (bar: GanttBar) => boolean = () => true): Use {
  const { froms, untils, widths } = countedIn(bars, counts);
  const all = froms.length;
  const [begins, ends] = [sortedPlaces(froms), sortedPlaces(untils)];
  const at = new Float64Array(2 * all);
  const procs = new Float64Array(2 * all);
  let size = 0;
  let sum = 0;
  for (let begun = 0, ended = 0; ended < all; ) {
    const next = begins[begun] ?? 0;
    const last = ends[ended] ?? 0;
    const isBegin = begun < all && (froms[next] ?? 0) < (untils[last] ?? 0);
    const instant = (isBegin ? froms[next] : untils[last]) ?? 0;
    sum += isBegin ? (widths[next] ?? 0) : -(widths[last] ?? 0);
    if (isBegin) begun++;
    else ended++;
    if (size === 0 || at[size - 1] !== instant) at[size++] = instant;
    procs[size - 1] = sum;
  }
  return { at: at.slice(0, size), procs: procs.slice(0, size) };
}

/** Begins, ends and processors of the bars that use some, in columns. */
function countedIn(bars: readonly GanttBar[], counts: (bar: GanttBar) => boolean) {
  const numbers = () => new Float64Array(bars.length);
  const [froms, untils, widths] = [numbers(), numbers(), numbers()];
  let size = 0;
  for (const bar of bars) {
    if (bar.kind === "offer" || bar.kind === "free" || bar.rows.length === 0) continue;
    if (bar.until <= bar.from || !counts(bar)) continue;
    froms[size] = bar.from;
    untils[size] = bar.until;
    widths[size++] = bar.procs;
  }
  return {
    froms: froms.subarray(0, size),
    untils: untils.subarray(0, size),
    widths: widths.subarray(0, size),
  };
}
