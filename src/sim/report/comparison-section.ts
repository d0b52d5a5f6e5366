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
import { type Bar, furthest, intervalBars } from "./interval-bars.ts";
import { type Cell, escaped, htmlTable, numberCell } from "./markup.ts";
import { metricAxis, metricLabel, metricValue, rangeText } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";
import { MOST_SERIES } from "./style.ts";

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
