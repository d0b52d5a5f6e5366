/**
 * Distribution of waits: the share of jobs that had started after a time, on a logarithmic axis.
 */
import { lengthText, percentText } from "../../base/index.ts";
import {
  type Cell,
  type ChartLine,
  escaped,
  figure,
  lineChart,
  logTimeAxis,
  MOST_SERIES,
  numberCell,
  paragraph,
  section,
  shareAxis,
  tableBehind,
} from "../../report/index.ts";
import { addedCounts, WAIT_EDGES_SEC } from "../scenario/wait-counts.ts";
import { eachSite, type ReportMatter } from "./report-matter.ts";

/** Edges of the counts from one row of the table to the next: half a power of ten. */
const EDGES_A_ROW = 10;

/** The section. */
export function waitSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, where) => sitePart(matter, site, where));
  return section("Waits", parts);
}

/** The shares of one run's jobs, over all replicates, by edge. */
interface Shares {
  readonly run: string;
  readonly shares: readonly number[];
}

function sitePart({ scenario, outcomes, called }: ReportMatter, site: string, where: string): string {
  const all = scenario.runs.flatMap(({ name }): Shares[] => {
    const own = outcomes.filter(({ row }) => row.run === name && row.site === site);
    return own.length === 0
      ? []
      : [{ run: called(name), shares: sharesOf(own.map(({ waitCounts }) => waitCounts)) }];
  });
  const heading = where === "" ? "Started within" : `Started within,${where}`;
  const shown = all.slice(0, MOST_SERIES);
  // The first edge by which all of every run have started.
  const last = Math.max(...all.map(({ shares }) => shares.findIndex((share) => share >= 1)));
  if (last === 0) return `<h3>${escaped(heading)}</h3>\n${paragraph("Every job started within a second.")}`;
  const lines = shown.map(({ run, shares }, series): ChartLine => {
    const points = WAIT_EDGES_SEC.slice(0, last + 1).map((sec, at) => [Math.log10(sec), shares[at]] as const);
    return { name: run, series, points };
  });
  const name = {
    title: heading,
    description: "The share of jobs that had started after a time, for each run.",
  };
  const chart = lineChart(name, lines, [logTimeAxis(WAIT_EDGES_SEC[last]), shareAxis(1, 5)]);
  const caption =
    "Of the jobs that are counted, the share that had waited less than a time, over all replicates. " +
    "The time axis is logarithmic; where a line begins is the share that waited less than a second.";
  return figure(heading, chart, caption) + sharesTable(heading, all, last);
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
