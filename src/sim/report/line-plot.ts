/**
 * Lines in one picture, with a legend in words.
 */
import { type Area, axisBelow, axisLeft, type PictureName, scaleOf, svgPicture } from "./frame.ts";
import { escaped, place } from "./markup.ts";
import { DASHES } from "./style.ts";
import type { Axis } from "./ticks.ts";

/** A line through points. */
export interface PlotLine {
  readonly name: string;
  /** Its colour and its dashes. */
  readonly series: number;
  readonly points: readonly (readonly [number, number])[];
}

const WIDTH = 720;
const HEIGHT = 300;
const AREA: Area = { left: 52, right: 700, top: 10, bottom: HEIGHT - 30 };

/** The picture, its legend above it. */
export function linePlot(
  name: PictureName,
  lines: readonly PlotLine[],
  [along, up]: readonly [Axis, Axis],
): string {
  const x = scaleOf(along, [AREA.left, AREA.right]);
  const y = scaleOf(up, [AREA.bottom, AREA.top]);
  const drawn = lines.map(({ series, points }) => {
    const places = points.map(([at, value]) => `${place(x(at))},${place(y(value))}`).join(" ");
    return `<polyline class="line l${series}"${dashes(series)} points="${places}"/>`;
  });
  const inside = [...axisBelow(along, AREA), ...axisLeft(up, AREA), ...drawn];
  return `${legend(lines)}\n${svgPicture(name, [WIDTH, HEIGHT], inside)}`;
}

function legend(lines: readonly PlotLine[]): string {
  const items = lines.map(
    ({ name, series }) =>
      `<li><svg viewBox="0 0 28 10" aria-hidden="true"><line class="line l${series}"${dashes(series)} ` +
      `x1="0" x2="28" y1="5" y2="5"/></svg>${escaped(name)}</li>`,
  );
  return `<ul class="legend">${items.join("")}</ul>`;
}

function dashes(series: number): string {
  return DASHES[series] === "" ? "" : ` stroke-dasharray="${DASHES[series]}"`;
}
