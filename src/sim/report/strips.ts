/**
 * Courses over time, one strip below the other on one axis of time: what lies over each other in one
 * picture could not be told apart.
 */
import {
  type Area,
  axisLeft,
  type DrawRow,
  type PictureName,
  type StackShape,
  scaleOf,
  stackedRows,
} from "./frame.ts";
import { escaped, place } from "./markup.ts";
import { type Axis, timeAxisUntil } from "./ticks.ts";

/** A course: a value for each step of time from 0 on. */
export interface Strip {
  readonly name: string;
  /** Its colour. */
  readonly series: number;
  readonly stepSec: number;
  readonly values: readonly number[];
  /** The stretch that is counted; the rest is shaded. */
  readonly fromSec: number;
  readonly untilSec: number;
}

const SHAPE: StackShape = { width: 720, left: 52, right: 706, head: 0, row: 80, rowHead: 22, foot: 36 };

/** The picture; all strips have the axis `up`. */
export function strips(name: PictureName, all: readonly Strip[], up: Axis): string {
  const lastSec = Math.max(...all.map(({ stepSec, values }) => stepSec * values.length));
  const along = timeAxisUntil(lastSec, 8);
  const { left, right, row, rowHead } = SHAPE;
  const rows = all.map((strip): DrawRow => {
    const area = (top: number): Area => ({ left, right, top: top + rowHead, bottom: top + row });
    return (top, x) => oneStrip(strip, up, x, area(top));
  });
  return stackedRows(name, SHAPE, along, rows);
}

function oneStrip(strip: Strip, up: Axis, x: (value: number) => number, area: Area): string[] {
  const y = scaleOf(up, [area.bottom, area.top]);
  const few: Axis = { ...up, ticks: [up.ticks[0], up.ticks[up.ticks.length - 1]] };
  const points = strip.values.flatMap((value, step) => {
    const high = place(y(Math.min(value, up.to)));
    return [`${place(x(step * strip.stepSec))},${high}`, `${place(x((step + 1) * strip.stepSec))},${high}`];
  });
  const endSec = strip.stepSec * strip.values.length;
  const [begin, end] = [`${place(x(0))},${place(area.bottom)}`, `${place(x(endSec))},${place(area.bottom)}`];
  return [
    ...axisLeft(few, area),
    `<polygon class="f${strip.series}" points="${begin} ${points.join(" ")} ${end}"/>`,
    shade(area, x(0), x(strip.fromSec)),
    shade(area, x(strip.untilSec), x(endSec)),
    `<text x="${place(area.left)}" y="${place(area.top - 5)}">${escaped(strip.name)}</text>`,
  ];
}

function shade({ top, bottom }: Area, from: number, to: number): string {
  if (to - from < 0.5) return "";
  return (
    `<rect class="uncounted" x="${place(from)}" y="${place(top)}" ` +
    `width="${place(to - from)}" height="${place(bottom - top)}"/>`
  );
}
