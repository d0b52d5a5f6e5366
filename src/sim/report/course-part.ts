/**
 * One measure over time, of the first replicate of each run: strips, and the table behind them.
 */
import { percentText } from "../../base/index.ts";
import { type Cell, escaped, numberCell, tableBehind } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import { type Strip, strips } from "./strips.ts";
import { MOST_SERIES } from "./style.ts";
import type { Axis } from "./ticks.ts";

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
