/**
 * One measure over time, of the first replicate of each run: strips, and the table behind them.
 */

import { percentText } from "../../base/index.ts";
import {
  type Area,
  axisLeft,
  type DrawRow,
  type PictureName,
  type StackShape,
  scaleOf,
  stackedRows,
} from "./frame.ts";
import { type Cell, escaped, numberCell, place, tableBehind } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import { MOST_SERIES } from "./style.ts";
import { type Axis, timeAxisUntil } from "./ticks.ts";

/** The measure of a run over time, `name` being the run's. */
export type RunSeries = Omit<Strip, "series">;

/** What is drawn, and how its values read. */
export interface SeriesMeasure {
  readonly title: string;
  readonly axis: (most: number) => Axis;
  readonly text: (value: number) => string;
}

/** Parts of a run in the table: as many rows as a person reads. */
const PARTS = 40;

/** The figure with its table; at least one course. */
export function coursePart(measure: SeriesMeasure, courses: readonly RunSeries[]): string {
  const { title, axis } = measure;
  const shown = courses.slice(0, MOST_SERIES).map((course, series): Strip => ({ ...course, series }));
  const left = courses.length - shown.length;
  const rest = left > 0 ? ` The first ${shown.length} runs are drawn, the table has all.` : "";
  const most = Math.max(...shown.flatMap(({ values }) => values));
  const name = { title, description: "One strip for each run; the numbers are in the table below." };
  const picture = strips(name, shown, axis(most));
  const caption = `Of each run the first replicate; shaded is what is not counted.${rest}`;
  return (
    `<figure><h3>${escaped(title)}</h3>\n${picture}\n<figcaption>${caption}</figcaption></figure>\n` +
    courseTable(measure, courses)
  );
}

/** Each run has steps of its own length, so a row says by its share of the run where it is. */
function courseTable({ title, text }: SeriesMeasure, courses: readonly RunSeries[]): string {
  const heads: Cell[] = [
    { text: "part of the run" },
    ...courses.flatMap(({ name }) => [numberCell(`${name}: from`), numberCell(name)]),
  ];
  const parts = Math.min(PARTS, Math.max(...courses.map(({ values }) => values.length)));
  const rows = Array.from({ length: parts }, (_, part): Cell[] => [
    { text: percentText(part / parts) },
    ...courses.flatMap(({ values, stepSec }) => {
      const from = Math.floor((part * values.length) / parts);
      const until = Math.floor(((part + 1) * values.length) / parts);
      const some = values.slice(from, Math.max(from + 1, until));
      const mean = some.reduce((sum, value) => sum + value, 0) / some.length;
      return [numberCell(lengthText(from * stepSec)), numberCell(text(mean))];
    }),
  ]);
  return tableBehind(`${title}: means over ${parts} parts of each run`, heads, rows);
}

// Courses over time, one strip below the other on one axis of time: what lies over each other in one
// picture could not be told apart.

/** A course: a value for each step of time from 0 on. */
interface Strip {
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
function strips(name: PictureName, all: readonly Strip[], up: Axis): string {
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
