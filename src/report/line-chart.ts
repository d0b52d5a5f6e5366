/**
 * Lines in one panel, with a legend in words above it.
 */
import type { Axis } from "./axis.ts";
import { type ChartName, panelChart } from "./chart.ts";
import { DASHES } from "./style.ts";
import { escaped } from "./table.ts";

/** A line through points. */
export interface ChartLine {
  readonly name: string;
  /** Number of the series; selects colour and dashes. */
  readonly series: number;
  readonly points: readonly (readonly [along: number, value: number])[];
}

/** The chart, its legend above it. */
export function lineChart(
  name: ChartName,
  lines: readonly ChartLine[],
  [along, up]: readonly [Axis, Axis],
): string {
  const layers = lines.map(({ series, points }) => ({ kind: "line" as const, series, points }));
  const panel = up.label === "%" || up.label === "" ? { up, layers } : { title: up.label, up, layers };
  return `${legend(lines)}\n${panelChart(name, along, [panel])}`;
}

function legend(lines: readonly ChartLine[]): string {
  const items = lines.map(
    ({ name, series }) =>
      `<li><svg viewBox="0 0 28 10" aria-hidden="true"><line class="l${series}" x1="0" x2="28" ` +
      `y1="5" y2="5" stroke-width="1.8" stroke-dasharray="${DASHES[series]}"/></svg>${escaped(name)}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}
