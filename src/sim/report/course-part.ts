/**
 * One measure over time, of the first replicate of each run: charts one below the other on one axis of time
 * (overlaid they could not be distinguished), and the table of their values.
 */
import { lengthText, percentText } from "../../base/index.ts";
import {
  type Axis,
  type Cell,
  escaped,
  figure,
  MOST_SERIES,
  numberCell,
  type Panel,
  panelChart,
  paragraph,
  type Span,
  steps,
  tableBehind,
  timeAxisUntil,
} from "../../report/index.ts";

/** The measure of a run over time: a value for each step from 0 on. */
export interface RunSeries {
  /** Name of the run. */
  readonly name: string;
  readonly stepSec: number;
  readonly values: readonly number[];
  /** The stretch that is counted; the rest is shaded. */
  readonly fromSec: number;
  readonly untilSec: number;
}

/** Title, axis and texts of a measure that is drawn over time. */
export interface SeriesMeasure {
  readonly title: string;
  readonly axis: (most: number) => Axis;
  readonly text: (value: number) => string;
  /** Text where all values of all runs are 0. */
  readonly ofNothing: string;
}

/** Parts of a run in the table: as many rows as a person reads. */
const PARTS = 40;
/** Ratio of the highest values of two runs up to which both can be read on one scale. */
const READABLE = 4;
const STRIP = { width: 720, panelHeight: 58 };

/** The figure with its table; at least one course. */
export function coursePart(measure: SeriesMeasure, courses: readonly RunSeries[]): string {
  const { title, axis, ofNothing } = measure;
  const shown = courses.slice(0, MOST_SERIES);
  const most = shown.map(({ values }) => Math.max(...values));
  if (Math.max(...most) === 0) return `<h3>${escaped(title)}</h3>\n${paragraph(ofNothing)}`;
  // A run without anything is on the axis of the others.
  const isApart = Math.max(...most) > READABLE * Math.min(...most.filter((value) => value > 0));
  const common = axis(Math.max(...most));
  const along = timeAxisUntil(Math.max(...shown.map(({ stepSec, values }) => stepSec * values.length)), 8);
  const panels = shown.map((course, at) =>
    strip(course, at, isApart && most[at] > 0 ? axis(most[at]) : common),
  );
  const shaded = shown.flatMap(uncounted);
  const caption = [
    `Of each run the first replicate${shaded.length > 0 ? "; shaded is what is not counted" : ""}.`,
    ...(isApart ? ["Each run has a scale of its own: compare shapes, and heights by their labels."] : []),
    ...(courses.length > shown.length
      ? [`The first ${shown.length} runs are drawn, the table has all.`]
      : []),
  ];
  const name = { title, description: "One strip for each run; the numbers are in the table below." };
  return (
    figure(title, panelChart(name, along, panels, STRIP), caption.join(" ")) + courseTable(measure, courses)
  );
}

function strip(course: RunSeries, series: number, up: Axis): Panel {
  const points = steps(course.values, course.stepSec);
  return {
    title: course.name,
    up,
    layers: [
      { kind: "line", series, points, isFilled: true },
      { kind: "band", how: "shaded", spans: uncounted(course) },
    ],
  };
}

/** Simulated but not counted spans at both ends; a last one below one step is ignored. */
function uncounted({ stepSec, values, fromSec, untilSec }: RunSeries): readonly Span[] {
  const ends: readonly Span[] = [
    [0, fromSec],
    [untilSec, stepSec * values.length],
  ];
  return ends.filter(([from, to]) => to - from >= stepSec);
}

/** Steps differ in length between runs, so a row is a part of the run. */
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
