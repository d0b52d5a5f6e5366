/**
 * Tables of runs: a column for each measure, its mean over the replicates, its interval where chance had a
 * part.
 */
import { type Interval, isByChance, type ScenarioRow } from "../../model/index.ts";
import { type Cell, htmlTable, numberCell } from "../../report/index.ts";
import { intervalOf } from "../scenario/intervals.ts";
import type { ReportMatter } from "./report-matter.ts";

/** A measure of what replicates are described by. */
export interface Column<Of> {
  readonly head: string;
  readonly value: (of: Of) => number | null;
  readonly text: (value: number) => string;
}

/** A run of which a replicate is done. */
export interface MeasuredRun<Of> {
  /** As the report calls it. */
  readonly run: string;
  readonly facts: readonly Of[];
  readonly hasChance: boolean;
}

/** The runs of a site whose rows have what is measured. */
export function measuredRuns<Of>(
  { scenario, summary, called }: ReportMatter,
  site: string,
  factsOf: (row: ScenarioRow) => Of | undefined,
): readonly MeasuredRun<Of>[] {
  return scenario.runs.flatMap(({ name, sites }): MeasuredRun<Of>[] => {
    const own = summary.rows.filter(({ run, site: at }) => run === name && at === site);
    const facts = own.map(factsOf).filter((fact) => fact !== undefined);
    const hasChance = sites.some((one) => one.name === site && isByChance(one));
    return facts.length === 0 ? [] : [{ run: called(name), facts, hasChance }];
  });
}

/** A row for each run; empty where there is none. */
export function runTable<Of>(
  caption: string,
  columns: readonly Column<Of>[],
  runs: readonly MeasuredRun<Of>[],
): string {
  if (runs.length === 0) return "";
  const rows = runs.map((run): Cell[] => [{ text: run.run }, ...columnCells(columns, run)]);
  return htmlTable(caption, [{ text: "run" }, ...columns.map(({ head }) => numberCell(head))], rows);
}

/** The cells of a run, without its name. */
export function columnCells<Of>(
  columns: readonly Column<Of>[],
  { facts, hasChance }: Omit<MeasuredRun<Of>, "run">,
): readonly Cell[] {
  return columns.map(({ value, text }) => {
    const values = facts.map(value).filter((one) => one !== null);
    if (values.length === 0) return numberCell("–");
    const interval = intervalOf(values, hasChance);
    return numberCell(text(interval.mean), rangeText(interval, text));
  });
}

/** The interval alone: `11m02s to 13m58s`; undefined where there is none. */
export function rangeText({ low, high }: Interval, text: (value: number) => string): string | undefined {
  return low === null || high === null ? undefined : `${text(low)} to ${text(high)}`;
}

/** A count. */
export function wholeNumber(value: number): string {
  return value.toFixed(0);
}

/** A number to hundredths, with a minus sign that is as wide as a digit. */
export function hundredths(value: number): string {
  return `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}
