/**
 * The runs of a scenario side by side, as a person reads them on a terminal.
 */
import type { Interval, ScenarioMetric, ScenarioSummary } from "../model/index.ts";
import { textTable } from "./text-table.ts";
import { formatSeconds } from "./times.ts";

/** A row for each run and site; the metrics that are compared, with half of their interval behind ±. */
export function scenarioTable(summary: ScenarioSummary): string {
  const { compare, estimates, scenario, simulationsDone } = summary;
  const head = `${scenario}: ${simulationsDone} simulations, seed ${summary.seed}\n\n`;
  const columns = [
    { head: "RUN" },
    { head: "SITE" },
    { head: "REPLICATES", align: "right" as const },
    ...compare.map((metric) => ({ head: headOf(metric), align: "right" as const })),
  ];
  const rows = estimates.map(({ run, site, metrics }) => [
    run,
    site,
    String(metrics.waitMeanSec.count),
    ...compare.map((metric) => estimateText(metric, metrics[metric])),
  ]);
  return head + textTable(columns, rows, undefined);
}

/** `waitMeanSec` as `WAIT MEAN`. */
function headOf(metric: ScenarioMetric): string {
  const words = metric.replace(/Sec$/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return words.toUpperCase();
}

function estimateText(metric: ScenarioMetric, { mean, high }: Interval): string {
  const write = writerOf(metric);
  return high === null ? write(mean) : `${write(mean)} ± ${write(high - mean)}`;
}

function writerOf(metric: ScenarioMetric): (value: number) => string {
  if (metric.endsWith("Sec")) return formatSeconds;
  if (metric === "utilisation") return (share) => `${(share * 100).toFixed(2)} %`;
  return (value) => value.toFixed(2);
}
