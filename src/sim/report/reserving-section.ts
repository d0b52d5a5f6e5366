/**
 * What jobs that reserved paid and waited, and what that did to those that queued (rule SI-73).
 */
import { percentText } from "../../base/index.ts";
import { isByChance, type ReservingSummary } from "../../model/index.ts";
import { intervalOf } from "../scenario/intervals.ts";
import { type Cell, htmlTable, numberCell } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import { eachSite, type ReportMatter } from "./report-matter.ts";

/** The section; empty where no job may reserve. */
export function reservingSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site) => sitePart(matter, site));
  if (parts.every((part) => part === "")) return "";
  return (
    "<section><h2>Jobs that reserve</h2>\n" +
    "<p>They hold a slot at its price instead of queueing: one SU for each SU of it, and f, the delays " +
    "that it caused in the queue when it was accepted, each times the processors of the delayed job. " +
    `Numbers are means over the replicates, of the jobs that count.</p>\n${parts.join("\n")}</section>`
  );
}

interface Column {
  readonly head: string;
  readonly value: (reserving: ReservingSummary) => number | null;
  readonly text: (value: number) => string;
}

const COLUMNS: readonly Column[] = [
  { head: "reserved", value: ({ reservedJobs }) => reservedJobs, text: (value) => value.toFixed(0) },
  { head: "mean f (SU)", value: ({ fixedMeanSu }) => fixedMeanSu, text: decimal },
  { head: "paid per SU", value: ({ unitPrice }) => unitPrice, text: decimal },
  { head: "f = 0", value: ({ freeShare }) => freeShare, text: percentText },
  { head: "they wait", value: ({ reservedWaitMeanSec }) => reservedWaitMeanSec, text: lengthText },
  { head: "queued wait", value: ({ queuedWaitMeanSec }) => queuedWaitMeanSec, text: lengthText },
  { head: "jobs delayed", value: ({ delayedJobs }) => delayedJobs, text: (value) => value.toFixed(0) },
  { head: "mean delay", value: ({ delayMeanSec }) => delayMeanSec, text: lengthText },
  { head: "longest", value: ({ delayMaxSec }) => delayMaxSec, text: lengthText },
];

function decimal(value: number): string {
  return value.toFixed(2);
}

function sitePart({ scenario, summary }: ReportMatter, site: string): string {
  const rows = scenario.runs.flatMap(({ name, sites }): Cell[][] => {
    const own = summary.rows.flatMap(({ run, site: at, reserving }) =>
      run === name && at === site && reserving !== undefined ? [reserving] : [],
    );
    if (own.length === 0) return [];
    const hasChance = sites.some((one) => one.name === site && isByChance(one));
    return [[{ text: name }, ...COLUMNS.map((column) => columnCell(column, own, hasChance))]];
  });
  if (rows.length === 0) return "";
  const heads: Cell[] = [{ text: "run" }, ...COLUMNS.map(({ head }) => numberCell(head))];
  return htmlTable(`Jobs that reserve at ${site}; waits and delays are means`, heads, rows);
}

function columnCell({ value, text }: Column, all: readonly ReservingSummary[], hasChance: boolean): Cell {
  const values = all.map(value).filter((one) => one !== null);
  if (values.length === 0) return numberCell("–");
  const { mean, low, high } = intervalOf(values, hasChance);
  const range = low === null || high === null ? undefined : `${text(low)} to ${text(high)}`;
  return numberCell(text(mean), range);
}
