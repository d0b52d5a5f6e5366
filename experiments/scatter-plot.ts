/**
 * Points in one picture; points that a reader could not tell apart are drawn once.
 */
import {
  type Area,
  axisBelow,
  axisLeft,
  type PictureName,
  scaleOf,
  svgPicture,
} from "../src/sim/report/frame.ts";
import { place } from "../src/sim/report/markup.ts";
import type { Axis } from "../src/sim/report/ticks.ts";

const WIDTH = 460;
const HEIGHT = 340;
const AREA: Area = { left: 52, right: 448, top: 10, bottom: HEIGHT - 36 };
/** A point covers this much; two in one such square are one. */
const GRAIN = 2.5;

/** The picture; points beyond the axes are left out. */
export function scatterPlot(
  name: PictureName,
  points: Iterable<readonly [number, number]>,
  [along, up]: readonly [Axis, Axis],
  series: number,
): string {
  const x = scaleOf(along, [AREA.left, AREA.right]);
  const y = scaleOf(up, [AREA.bottom, AREA.top]);
  const squares = new Set<string>();
  for (const [at, value] of points) {
    if (at > along.to || value > up.to) continue;
    const column = Math.floor(x(at) / GRAIN) * GRAIN;
    const row = Math.floor(y(value) / GRAIN) * GRAIN;
    squares.add(`M${place(column)} ${place(row)}h2v2h-2z`);
  }
  const dots = `<path class="f${series}" d="${[...squares].join("")}"/>`;
  return svgPicture(name, [WIDTH, HEIGHT], [...axisBelow(along, AREA), ...axisLeft(up, AREA), dots]);
}
