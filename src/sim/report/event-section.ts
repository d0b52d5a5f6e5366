/**
 * What befell jobs beside starting and ending: of workloads that have cancellations and outages.
 */
import { MS_PER_HOUR, MS_PER_SECOND } from "../../base/index.ts";
import type { ScenarioRow, WorkloadFacts } from "../../model/index.ts";
import { type Cell, htmlTable, numberCell } from "./markup.ts";
import type { ReportMatter } from "./report-matter.ts";

const COLUMNS: readonly (readonly [head: string, value: (facts: WorkloadFacts) => string])[] = [
  ["cancelled", ({ cancelled }) => String(cancelled.waiting + cancelled.running)],
  ["outages", ({ outages }) => String(outages)],
  ["stopped", ({ stopped }) => String(stopped)],
  ["came again", ({ requeued }) => String(requeued)],
  ["lost", ({ lost }) => String(lost)],
  ["SU wasted", ({ wastedProcSec }) => serviceUnits(wastedProcSec)],
  ["SU down", ({ downProcSec }) => serviceUnits(downProcSec)],
];

/** The section; empty where no workload has events. */
export function eventSection({ summary }: ReportMatter): string {
  const rows = summary.rows.flatMap((row: ScenarioRow): Cell[][] => {
    const { run, site, workload } = row;
    if (workload === undefined) return [];
    return [[{ text: run }, { text: site }, ...COLUMNS.map(([, value]) => numberCell(value(workload)))]];
  });
  if (rows.length === 0) return "";
  const heads: Cell[] = [{ text: "run" }, { text: "site" }, ...COLUMNS.map(([head]) => numberCell(head))];
  return (
    "<section><h2>Cancellations and outages</h2>\n" +
    "<p>Of the whole of each workload; jobs that were stopped came again or were lost. Everything else in " +
    "this report is of the jobs that came to their end.</p>\n" +
    `${htmlTable("Jobs and processor time", heads, rows)}</section>`
  );
}

function serviceUnits(procSec: number): string {
  return ((procSec * MS_PER_SECOND) / MS_PER_HOUR).toFixed(1);
}
