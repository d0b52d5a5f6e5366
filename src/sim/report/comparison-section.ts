/**
 * The runs side by side: bars with intervals, and what sets them apart from the baseline.
 */
import type { Interval, ScenarioDifference, ScenarioEstimate, ScenarioMetric } from "../../model/index.ts";
import {
  type Bar,
  barChart,
  type Cell,
  escaped,
  htmlTable,
  MOST_SERIES,
  numberCell,
  outlierAmong,
  section,
} from "../../report/index.ts";
import { metricAxis, metricHeading, metricLabel, metricValue } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";
import { rangeText } from "./run-columns.ts";

/** The section. */
export function comparisonSection(matter: ReportMatter): string {
  const { scenario, summary } = matter;
  const sites = scenario.runs[0].sites.map(({ name }) => name);
  const parts = sites.map((site) => {
    const own = summary.estimates.filter((estimate) => estimate.site === site);
    const title = sites.length > 1 ? `<h3>${escaped(site)}</h3>\n` : "";
    const charts = scenario.compare.map((metric) => barsOf(matter, metric, site, own)).join("\n");
    return `${title}<div class="pair">${charts}</div>\n${estimateTable(matter, site, own)}`;
  });
  return section("Compared", [explained(summary.estimates), ...parts, differences(matter)]);
}

function explained(estimates: readonly ScenarioEstimate[]): string {
  const hasIntervals = estimates.some(({ metrics }) => metrics.waitMeanSec.low !== null);
  const words = hasIntervals
    ? "Means over the replicates; whiskers, and what stands below a mean, are 95 % confidence intervals " +
      "(Student t)."
    : "One value a run: without several replicates that are drawn by chance there are no intervals.";
  return `<p class="faint">${words}</p>\n`;
}

/** Bar chart of a metric by run; one sentence where the value of every run is 0. */
function barsOf(
  { called }: ReportMatter,
  metric: ScenarioMetric,
  site: string,
  estimates: readonly ScenarioEstimate[],
): string {
  const shown = estimates.slice(0, MOST_SERIES).map(({ run, metrics }) => ({
    ...{ run: called(run), interval: metrics[metric] },
  }));
  const means = shown.map(({ interval }) => interval.mean);
  const heading = `<h3>${metricHeading(metric)}</h3>`;
  if (Math.max(...means) === 0) return `<figure>${heading}<p>0 in every run.</p></figure>`;
  const outlier = outlierAmong(means);
  const bars = shown.map(({ run, interval }, series): Bar => {
    const text = `${run}: ${metricValue(metric, interval.mean)}`;
    const { low, high, mean: value } = interval;
    if (series === outlier) return { text: `${text}, beyond the axis`, series, value };
    return { text, series, value, ...(low === null || high === null ? {} : { interval: [low, high] }) };
  });
  const readable = bars.filter((_, at) => at !== outlier);
  const furthest = Math.max(...readable.map(({ value, interval }) => interval?.[1] ?? value));
  const description = shown
    .map(({ run, interval }) => `${run}: ${intervalText(metric, interval)}`)
    .join("; ");
  const name = { title: `${metricLabel(metric)} at ${site}`, description };
  return `<figure>${heading}${barChart(name, metricAxis(metric, furthest), bars)}</figure>`;
}

function estimateTable(
  { scenario: { compare }, called }: ReportMatter,
  site: string,
  estimates: readonly ScenarioEstimate[],
): string {
  const heads: Cell[] = [
    { text: "run" },
    ...compare.map((metric) => numberCell(metricLabel(metric))),
    numberCell("replicates"),
  ];
  const rows = estimates.map(({ run, metrics }): Cell[] => [
    { text: called(run) },
    ...compare.map((metric) => intervalCell(metric, metrics[metric])),
    numberCell(String(metrics.waitMeanSec.count)),
  ]);
  return htmlTable(`The runs at ${site}`, heads, rows);
}

function differences({ summary, called }: ReportMatter): string {
  const { differences: all } = summary;
  if (all.length === 0) return "";
  const rows = all.map((one): Cell[] => [
    { text: called(one.run) },
    { text: one.site },
    { text: metricLabel(one.metric) },
    differenceCell(one),
    { text: CLEARNESS[clearnessOf(one)] },
  ]);
  const heads = [
    { text: "run" },
    { text: "site" },
    { text: "metric" },
    numberCell("difference"),
    { text: "clear?" },
  ];
  const baseline = called(summary.baseline);
  const caption =
    `Each run less ${baseline}, replicate by replicate ` +
    "(the runs have the same workloads where their rules allow)";
  return `<h3>Against ${escaped(baseline)}</h3>\n${htmlTable(caption, heads, rows)}`;
}

function intervalCell(metric: ScenarioMetric, interval: Interval): Cell {
  return numberCell(
    metricValue(metric, interval.mean),
    rangeText(interval, (value) => metricValue(metric, value)),
  );
}

/** A difference of two shares is in percentage points. */
function differenceCell(one: ScenarioDifference): Cell {
  const { text, note } = intervalCell(one.metric, one);
  return numberCell(text.replaceAll("%", "points"), note?.replaceAll("%", "points"));
}

function intervalText(metric: ScenarioMetric, interval: Interval): string {
  const { text, note } = intervalCell(metric, interval);
  return note === undefined ? text : `${text} (${note})`;
}

/** Significance of a difference: `unclear` where its interval includes 0, `unknown` without an interval. */
export type Clearness = "unknown" | "unclear" | "higher" | "lower";

const CLEARNESS: Readonly<Record<Clearness, string>> = {
  unknown: "one value only",
  unclear: "no: the interval contains 0",
  higher: "yes: higher",
  lower: "yes: lower",
};

/** Significance by the interval of a difference. */
export function clearnessOf({ low, high, mean }: Interval): Clearness {
  if (low === null || high === null) return "unknown";
  if (low <= 0 && high >= 0) return "unclear";
  return mean > 0 ? "higher" : "lower";
}
