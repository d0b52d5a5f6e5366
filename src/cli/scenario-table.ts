/**
 * The runs of a scenario side by side, as a person reads them on a terminal.
 */
import type { Interval, ReservingSummary, ScenarioMetric, ScenarioSummary } from "../model/index.ts";
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
  return head + textTable(columns, rows, undefined) + reservingTable(summary);
}

const RESERVING_HEADS = ["RESERVED", "MEAN F", "PER SU", "THEY WAIT", "QUEUED WAIT", "DELAYED", "BY"];

/** A row for each run and site in which jobs may reserve, means over the replicates; else nothing. */
function reservingTable({ estimates, rows }: ScenarioSummary): string {
  const cells = estimates.flatMap(({ run, site }): string[][] => {
    const own = rows.flatMap((row) =>
      row.run === run && row.site === site && row.reserving !== undefined ? [row.reserving] : [],
    );
    if (own.length === 0) return [];
    const mean = (of: (one: ReservingSummary) => number | null, write: (value: number) => string): string => {
      const values = own.map(of).filter((value) => value !== null);
      if (values.length === 0) return "–";
      return write(values.reduce((sum, value) => sum + value, 0) / values.length);
    };
    const whole = (value: number): string => value.toFixed(0);
    return [
      [
        run,
        site,
        mean(({ reservedJobs }) => reservedJobs, whole),
        mean(
          ({ fixedMeanSu }) => fixedMeanSu,
          (su) => `${su.toFixed(2)} SU`,
        ),
        mean(
          ({ unitPrice }) => unitPrice,
          (price) => price.toFixed(2),
        ),
        mean(({ reservedWaitMeanSec }) => reservedWaitMeanSec, formatSeconds),
        mean(({ queuedWaitMeanSec }) => queuedWaitMeanSec, formatSeconds),
        mean(({ delayedJobs }) => delayedJobs, whole),
        mean(({ delayMeanSec }) => delayMeanSec, formatSeconds),
      ],
    ];
  });
  if (cells.length === 0) return "";
  const columns = [
    { head: "RUN" },
    { head: "SITE" },
    ...RESERVING_HEADS.map((text) => ({ head: text, align: "right" as const })),
  ];
  return `\n${textTable(columns, cells, undefined)}`;
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
