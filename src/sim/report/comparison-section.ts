/**
 * The runs side by side: bars with intervals, and what sets them apart from the baseline.
 */

import type {
  Interval,
  Scenario,
  ScenarioDifference,
  ScenarioEstimate,
  ScenarioMetric,
} from "../../model/index.ts";
import { type DrawRow, type PictureName, type StackShape, stackedRows } from "./frame.ts";
import { type Cell, escaped, htmlTable, numberCell, place } from "./markup.ts";
import { metricAxis, metricLabel, metricValue, rangeText } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";
import { MOST_SERIES } from "./style.ts";
import type { Axis } from "./ticks.ts";

/** The section. */
export function comparisonSection({ scenario, summary }: ReportMatter): string {
  const sites = scenario.runs[0].sites.map(({ name }) => name);
  const parts = sites.map((site) => {
    const own = summary.estimates.filter((estimate) => estimate.site === site);
    const title = sites.length > 1 ? `<h3>${escaped(site)}</h3>\n` : "";
    const pictures = scenario.compare.map((metric) => barsOf(metric, site, own)).join("\n");
    return `${title}<div class="pair">${pictures}</div>\n${estimateTable(scenario, site, own)}`;
  });
  const body = [explained(summary.estimates), ...parts, differences(summary)].join("\n");
  return `<section><h2>Compared</h2>\n${body}</section>`;
}

function explained(estimates: readonly ScenarioEstimate[]): string {
  const hasIntervals = estimates.some(({ metrics }) => metrics.waitMeanSec.low !== null);
  const words = hasIntervals
    ? "Means over the replicates; whiskers, and what stands below a mean, are 95 % confidence intervals " +
      "(Student t)."
    : "One value a run: without several replicates that are drawn by chance there are no intervals.";
  return `<p class="faint">${words}</p>\n`;
}

function barsOf(metric: ScenarioMetric, site: string, estimates: readonly ScenarioEstimate[]): string {
  const shown = estimates.slice(0, MOST_SERIES);
  const bars = shown.map(({ run, metrics }, series): Bar => {
    const interval = metrics[metric];
    return { name: run, series, interval, text: metricValue(metric, interval.mean) };
  });
  const name = {
    title: `${metricLabel(metric)} at ${site}`,
    description: shown
      .map(({ run, metrics }) => `${run}: ${intervalText(metric, metrics[metric])}`)
      .join("; "),
  };
  const axis = metricAxis(metric, furthest(bars.map(({ interval }) => interval)));
  const label = metricLabel(metric);
  const head = `${label[0].toUpperCase()}${label.slice(1)}`;
  return `<figure><h3>${head}</h3>${intervalBars(name, bars, axis)}</figure>`;
}

function estimateTable({ compare }: Scenario, site: string, estimates: readonly ScenarioEstimate[]): string {
  const heads: Cell[] = [
    { text: "run" },
    ...compare.map((metric) => numberCell(metricLabel(metric))),
    numberCell("replicates"),
  ];
  const rows = estimates.map(({ run, metrics }): Cell[] => [
    { text: run },
    ...compare.map((metric) => intervalCell(metric, metrics[metric])),
    numberCell(String(metrics.waitMeanSec.count)),
  ]);
  return htmlTable(`The runs at ${site}`, heads, rows);
}

function differences({ differences: all, baseline }: ReportMatter["summary"]): string {
  if (all.length === 0) return "";
  const rows = all.map((one): Cell[] => [
    { text: one.run },
    { text: one.site },
    { text: metricLabel(one.metric) },
    differenceCell(one),
    { text: verdict(one) },
  ]);
  const heads = [
    { text: "run" },
    { text: "site" },
    { text: "metric" },
    numberCell("difference"),
    { text: "clear?" },
  ];
  const caption =
    `Each run less ${baseline}, replicate by replicate ` +
    "(the runs have the same workloads where their rules allow)";
  return `<h3>Against ${escaped(baseline)}</h3>\n${htmlTable(caption, heads, rows)}`;
}

function intervalCell(metric: ScenarioMetric, interval: Interval): Cell {
  return numberCell(metricValue(metric, interval.mean), rangeText(metric, interval));
}

/** A difference of two shares is in percentage points. */
function differenceCell(one: ScenarioDifference): Cell {
  const { text, note } = intervalCell(one.metric, one);
  return numberCell(text.replaceAll("%", "points"), note?.replaceAll("%", "points"));
}

function intervalText(metric: ScenarioMetric, interval: Interval): string {
  const range = rangeText(metric, interval);
  const mean = metricValue(metric, interval.mean);
  return range === undefined ? mean : `${mean} (${range})`;
}

/** Whether the interval leaves room for no difference at all. */
function verdict({ low, high, mean }: ScenarioDifference & Interval): string {
  if (low === null || high === null) return "one value only";
  if (low <= 0 && high >= 0) return "no: the interval contains 0";
  return mean > 0 ? "yes: higher" : "yes: lower";
}

/** A bar. */
interface Bar {
  readonly name: string;
  /** Its colour. */
  readonly series: number;
  readonly interval: Interval;
  /** The value in words, written behind it. */
  readonly text: string;
}

const SHAPE: StackShape = { width: 460, left: 8, right: 436, head: 4, row: 34, rowHead: 0, foot: 38 };

/** The picture; `along` reaches from 0 beyond all values. */
function intervalBars(name: PictureName, bars: readonly Bar[], along: Axis): string {
  const rows = bars.map(
    (bar): DrawRow =>
      (top, x) => [oneBar(bar, top, x)],
  );
  return stackedRows(name, SHAPE, along, rows);
}

/** The furthest that bars reach, their whiskers included. */
function furthest(intervals: readonly Interval[]): number {
  return Math.max(0, ...intervals.map(({ mean, high }) => high ?? mean));
}

function oneBar({ name, series, interval, text }: Bar, top: number, x: (value: number) => number): string {
  const { mean, low, high } = interval;
  const middle = place(top + 24);
  const bar =
    `<text x="${place(x(0))}" y="${place(top + 13)}">${escaped(name)}: ${escaped(text)}</text>` +
    `<rect class="f${series}" x="${place(x(0))}" y="${place(top + 18)}" ` +
    `width="${place(Math.max(0, x(mean) - x(0)))}" height="12" opacity="0.75"/>`;
  if (low === null || high === null) return bar;
  const [from, to] = [place(x(Math.max(0, low))), place(x(high))];
  const ends = [from, to].map(
    (at) => `<line class="whisker" x1="${at}" x2="${at}" y1="${place(top + 19)}" y2="${place(top + 29)}"/>`,
  );
  const line = `<line class="whisker" x1="${from}" x2="${to}" y1="${middle}" y2="${middle}"/>`;
  return [bar, line, ...ends].join("");
}
