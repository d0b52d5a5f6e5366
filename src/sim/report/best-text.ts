/**
 * Which run is best at what, in one sentence, and by how much it leads the next.
 */
import { percentText, some } from "../../base/index.ts";
import type { Interval, ScenarioEstimate, ScenarioMetric } from "../../model/index.ts";
import { metricLabel, metricValue } from "./metric-text.ts";
import type { ReportMatter } from "./report-matter.ts";

/** Metrics of which more is better. */
const MORE: ReadonlySet<ScenarioMetric> = new Set(["utilisation"]);
/** Metrics of which neither more nor less is better. */
const NEITHER: ReadonlySet<ScenarioMetric> = new Set(["backfilled"]);

/** Lead of the best run in a metric. */
interface Lead {
  readonly run: string;
  readonly text: string;
}

/** The sentence; empty with a single run, or where no compared metric has a better and a worse. */
export function bestText({ scenario, summary, called }: ReportMatter, site: string, where: string): string {
  const own = summary.estimates.filter((estimate) => estimate.site === site);
  const metrics = scenario.compare.filter((metric) => !NEITHER.has(metric));
  if (own.length < 2 || metrics.length === 0) return "";
  const leads = metrics.map((metric) => leadIn(metric, own, called)).filter((lead) => lead !== undefined);
  if (leads.length === 0) {
    return `All runs${where} are equal in ${some(metrics.map(metricLabel))}.`;
  }
  const runs = [...new Set(leads.map(({ run }) => run))];
  const parts = runs.map((run) => {
    const texts = leads.filter((lead) => lead.run === run).map(({ text }) => text);
    return `${called(run)} in ${texts.join(", ")}`;
  });
  return `Best${where}: ${parts.join("; ")}.`;
}

/** Lead of the best run in a metric; undefined where several are equally good. */
function leadIn(
  metric: ScenarioMetric,
  own: readonly ScenarioEstimate[],
  called: ReportMatter["called"],
): Lead | undefined {
  const sign = MORE.has(metric) ? -1 : 1;
  const [best, next] = own.toSorted(
    (one, other) => sign * (one.metrics[metric].mean - other.metrics[metric].mean),
  );
  const [first, second] = [best.metrics[metric], next.metrics[metric]];
  if (first.mean === second.mean) return undefined;
  const doubt = isApart(first, second) ? "" : ", within the intervals";
  const lead = `${leadText(metric, first.mean, second.mean)} than ${called(next.run)}${doubt}`;
  return { run: best.run, text: `${metricLabel(metric)} (${metricValue(metric, first.mean)}, ${lead})` };
}

/** True where the intervals of two runs do not overlap, or one of them has no interval. */
function isApart(one: Interval, other: Interval): boolean {
  if (one.low === null || one.high === null || other.low === null || other.high === null) return true;
  return one.high < other.low || other.high < one.low;
}

function leadText(metric: ScenarioMetric, best: number, next: number): string {
  const word = best < next ? "less" : "more";
  if (metric === "utilisation") {
    return `${metricValue(metric, Math.abs(best - next)).replace("%", "points")} ${word}`;
  }
  return `${percentText(Math.abs(next - best) / next)} ${word}`;
}
