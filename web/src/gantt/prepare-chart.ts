import type { GanttBar } from "./bar.ts";
import { columnsOf } from "./columns.ts";
import { usesOf } from "./occupancy.ts";
import { rowsOf } from "./rows.ts";

/** Computes in steps what a chart keeps of its bars, so that a chart of them is drawn at once later. */
export function* prepareChart(bars: readonly GanttBar[], processors: number): Generator<undefined, void> {
  const rows = rowsOf(bars, "processor", processors);
  yield;
  columnsOf(rows);
  yield;
  usesOf(bars);
  yield;
}
