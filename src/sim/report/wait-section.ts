/**
 * How waits are distributed: the share of jobs that had started after a time, on a logarithmic axis.
 */
import { percentText } from "../../base/index.ts";
import { addedCounts, WAIT_EDGES_SEC } from "../scenario/wait-counts.ts";
import { linePlot, type PlotLine } from "./line-plot.ts";
import { type Cell, escaped, numberCell, tableBehind } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import { eachSite, type ReportMatter } from "./report-matter.ts";
import { MOST_SERIES } from "./style.ts";
import { logTimeAxis, shareAxis } from "./ticks.ts";

/** Edges of the counts from one row of the table to the next: half a power of ten. */
const EDGES_A_ROW = 10;

/** The section. */
export function waitSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, namesSite) => sitePart(matter, site, namesSite));
  return `<section><h2>Waits</h2>\n${parts.join("\n")}</section>`;
}

/** The shares of one run's jobs, over all replicates, by edge. */
interface Shares {
  readonly run: string;
  readonly shares: readonly number[];
}

function sitePart({ scenario, outcomes }: ReportMatter, site: string, namesSite: boolean): string {
  const all = scenario.runs.flatMap(({ name }): Shares[] => {
    const own = outcomes.filter(({ row }) => row.run === name && row.site === site);
    return own.length === 0 ? [] : [{ run: name, shares: sharesOf(own.map(({ waitCounts }) => waitCounts)) }];
  });
  const shown = all.slice(0, MOST_SERIES);
  // The first edge by which all of every run have started.
  const last = Math.max(...all.map(({ shares }) => shares.findIndex((share) => share >= 1)));
  const lines = shown.map(({ run, shares }, series): PlotLine => {
    const points = WAIT_EDGES_SEC.slice(0, last + 1).map((sec, at) => [Math.log10(sec), shares[at]] as const);
    return { name: run, series, points };
  });
  const title = namesSite ? `Started within, at ${site}` : "Started within";
  const name = { title, description: "The share of jobs that had started after a time, for each run." };
  const picture = linePlot(name, lines, [logTimeAxis(WAIT_EDGES_SEC[last]), shareAxis(1, 5)]);
  const caption =
    "Of the jobs that are counted, the share that had waited less than a time, over all replicates. " +
    "The time axis is logarithmic; where a line begins is the share that waited less than a second.";
  return (
    `<figure><h3>${escaped(title)}</h3>\n${picture}\n<figcaption>${caption}</figcaption></figure>\n` +
    sharesTable(title, all, last)
  );
}

function sharesOf(counts: readonly (readonly number[])[]): readonly number[] {
  const together = counts.reduce(addedCounts);
  const jobs = together.reduce((sum, count) => sum + count, 0);
  let before = 0;
  return together.map((count) => {
    before += count;
    return before / jobs;
  });
}

function sharesTable(title: string, all: readonly Shares[], last: number): string {
  const heads: Cell[] = [{ text: "waited less than" }, ...all.map(({ run }) => numberCell(run))];
  const rows = WAIT_EDGES_SEC.flatMap((sec, at): Cell[][] => {
    if (at % EDGES_A_ROW !== 0 || at > last + EDGES_A_ROW - 1) return [];
    const cells = all.map(({ shares }) => numberCell(percentText(shares[at])));
    return [[{ text: lengthText(sec) }, ...cells]];
  });
  return tableBehind(`${title}: shares of jobs`, heads, rows);
}
