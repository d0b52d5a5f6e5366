/**
 * What each site still had to offer: the slots at sampling times, where a scenario samples them.
 */
import { percentText } from "../../base/index.ts";
import { type Interval, isByChance, type SlotSummary } from "../../model/index.ts";
import { intervalOf } from "../scenario/intervals.ts";
import { coursePart, type RunSeries } from "./course-part.ts";
import { type Cell, htmlTable, numberCell } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import { eachSite, firstOutcomes, type ReportMatter } from "./report-matter.ts";
import { numberAxis } from "./ticks.ts";

/** The section; empty where nobody looked at slots. */
export function slotSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, namesSite) => sitePart(matter, site, namesSite));
  if (parts.every((part) => part === "")) return "";
  return (
    "<section><h2>Slots</h2>\n" +
    "<p>Slots are the free rectangles that the whole queue leaves: what a site could have advertised at a " +
    "sample without delaying anybody. Numbers are means over the replicates, of samples in the time that " +
    `is counted; slots-*.csv, where they are written, have every slot.</p>\n${parts.join("\n")}</section>`
  );
}

function sitePart(matter: ReportMatter, site: string, namesSite: boolean): string {
  const courses = firstOutcomes(matter, site).flatMap(({ row, course, slotCourse }): RunSeries[] => {
    if (slotCourse === undefined || slotCourse.counts.length === 0) return [];
    const { fromSec, untilSec } = course;
    return [{ name: row.run, stepSec: slotCourse.stepSec, values: slotCourse.counts, fromSec, untilSec }];
  });
  if (courses.length === 0) return "";
  const title = namesSite ? `Slots advertised at ${site}` : "Slots advertised";
  const measure = {
    title,
    axis: (most: number) => numberAxis(most, 4, "slots"),
    text: (value: number) => value.toFixed(1),
  };
  return `${coursePart(measure, courses)}${spreadTable(matter, site)}`;
}

interface Column {
  readonly head: string;
  readonly value: (slots: SlotSummary) => number | null;
  readonly text: (value: number) => string;
}

const COLUMNS: readonly Column[] = [
  { head: "samples", value: ({ samples }) => samples, text: (value) => String(Number(value.toFixed(1))) },
  { head: "slots", value: ({ count }) => count.mean, text: decimal },
  { head: "jobs there", value: ({ jobsInSystem }) => jobsInSystem.mean, text: decimal },
  { head: "correlation", value: ({ countJobsCorrelation }) => countJobsCorrelation, text: decimal },
  { head: "procs", value: ({ procs }) => procs.mean, text: decimal },
  { head: "starts in", value: ({ startSec }) => startSec.mean, text: lengthText },
  { head: "lasts", value: ({ durationSec }) => durationSec.mean, text: lengthText },
  {
    head: "extensible",
    value: ({ extensibleShare }) => extensibleShare,
    text: (value) => percentText(value),
  },
];

const CAPTION =
  "how many, how many jobs ran or waited, and the correlation of the two, over samples; then over slots";

function decimal(value: number): string {
  return `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

function spreadTable({ scenario, summary }: ReportMatter, site: string): string {
  const rows = scenario.runs.flatMap(({ name, sites }): Cell[][] => {
    const own = summary.rows.flatMap(({ run, site: at, slots }) =>
      run === name && at === site && slots !== undefined ? [slots] : [],
    );
    if (own.length === 0) return [];
    const hasChance = sites.some((one) => one.name === site && isByChance(one));
    return [[{ text: name }, ...COLUMNS.map((column) => columnCell(column, own, hasChance))]];
  });
  if (rows.length === 0) return "";
  const heads: Cell[] = [{ text: "run" }, ...COLUMNS.map(({ head }) => numberCell(head))];
  return htmlTable(`Slots at ${site}: ${CAPTION}`, heads, rows);
}

function columnCell({ value, text }: Column, all: readonly SlotSummary[], hasChance: boolean): Cell {
  const values = all.map(value).filter((one) => one !== null);
  if (values.length === 0) return numberCell("–");
  const interval = intervalOf(values, hasChance);
  return numberCell(text(interval.mean), rangeOf(interval, text));
}

function rangeOf({ low, high }: Interval, text: (value: number) => string): string | undefined {
  return low === null || high === null ? undefined : `${text(low)} to ${text(high)}`;
}
