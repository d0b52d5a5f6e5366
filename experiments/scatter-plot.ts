/**
 * Points in one picture; points that a reader could not tell apart are drawn once.
 */
import { type Axis, type ChartName, type Point, panelChart } from "../src/report/index.ts";

/** Squares of this grid hold a point each. */
const GRID = 150;

/** The picture; points beyond the axes are left out. */
export function scatterPlot(
  name: ChartName,
  points: Iterable<readonly [number, number]>,
  [along, up]: readonly [Axis, Axis],
  series: number,
): string {
  const shown = new Map<string, Point>();
  for (const [at, value] of points) {
    if (at > along.to || value > up.to) continue;
    const [column, row] = [Math.floor((GRID * at) / along.to), Math.floor((GRID * value) / up.to)];
    shown.set(`${column} ${row}`, [(column * along.to) / GRID, (row * up.to) / GRID]);
  }
  const panel = {
    title: up.label,
    up,
    layers: [{ kind: "dots", series, points: [...shown.values()] }],
  } as const;
  return panelChart(name, along, [panel], { width: 460, panelHeight: 294 });
}
