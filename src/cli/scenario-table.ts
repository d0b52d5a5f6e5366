/** The runs of a scenario side by side, for a terminal. */
import { lengthText, percentText } from "../base/index.ts";
import type {
  ConsumerFacts,
  Interval,
  ReservingSummary,
  ScenarioMetric,
  ScenarioSummary,
} from "../model/index.ts";
import { textTable } from "./text-table.ts";

/** A row for each run and site; the compared metrics, with half of their interval behind ±. */
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
  return head + textTable(columns, rows, undefined) + reservingTable(summary) + policiesTable(summary);
}

const RESERVING_HEADS = ["RESERVED", "MEAN F", "PER SU", "THEY WAIT", "QUEUED WAIT", "DELAYED", "BY"];

/** A row for each run and site in which jobs may reserve, means over the replicates; else empty. */
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
        mean(({ reservedWaitMeanSec }) => reservedWaitMeanSec, lengthText),
        mean(({ queuedWaitMeanSec }) => queuedWaitMeanSec, lengthText),
        mean(({ delayedJobs }) => delayedJobs, whole),
        mean(({ delayMeanSec }) => delayMeanSec, lengthText),
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

const POLICY_HEADS = ["SHARE", "USED", "ABOVE EPOCH", "ABOVE BURST", "NOT GIVEN", "MEAN WAIT", "STOPS"];

/** A row for each consumer and run where a site has policies, means over the replicates; else empty. */
function policiesTable({ estimates, rows }: ScenarioSummary): string {
  const all = rows.flatMap(({ run, site, policies }) =>
    (policies?.consumers ?? []).map((facts) => ({ run, site, facts })),
  );
  if (all.length === 0) return "";
  const names = [...new Set(all.map(({ site, facts }) => `${site} ${facts.consumer}`))];
  const cells = names.flatMap((name) =>
    estimates.flatMap(({ run, site }): string[][] => {
      const own = all.filter((one) => one.run === run && one.site === site);
      const its = own.filter(({ facts }) => `${site} ${facts.consumer}` === name).map(({ facts }) => facts);
      return its.length === 0 ? [] : [[its[0].consumer, site, run, ...policyCells(its)]];
    }),
  );
  const columns = [
    ...["CONSUMER", "SITE", "RUN"].map((head) => ({ head })),
    ...POLICY_HEADS.map((head) => ({ head, align: "right" as const })),
  ];
  return `\n${textTable(columns, cells, undefined)}`;
}

function policyCells(its: readonly ConsumerFacts[]): readonly string[] {
  const mean = (of: (one: ConsumerFacts) => number): number =>
    its.reduce((sum, one) => sum + of(one), 0) / its.length;
  const percent = (of: (one: ConsumerFacts) => number): string => percentText(mean(of), 2);
  const waits = its.flatMap(({ waitMeanSec }) => (waitMeanSec === null ? [] : [waitMeanSec]));
  return [
    percent(({ epochShare }) => epochShare),
    percent(({ used }) => used),
    percent(({ aboveEpoch }) => aboveEpoch),
    percent(({ aboveBurst }) => aboveBurst),
    percent(({ notGiven }) => notGiven),
    waits.length === 0 ? "–" : lengthText(waits.reduce((sum, sec) => sum + sec, 0) / waits.length),
    mean(({ stops }) => stops).toFixed(0),
  ];
}

/** Heading of a metric: `waitMeanSec` as `WAIT MEAN`. */
function headOf(metric: ScenarioMetric): string {
  const words = metric.replace(/Sec$/, "").replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return words.toUpperCase();
}

function estimateText(metric: ScenarioMetric, { mean, high }: Interval): string {
  const write = writerOf(metric);
  return high === null ? write(mean) : `${write(mean)} ± ${write(high - mean)}`;
}

function writerOf(metric: ScenarioMetric): (value: number) => string {
  if (metric.endsWith("Sec")) return lengthText;
  if (metric === "utilisation") return (share) => percentText(share, 2);
  return (value) => value.toFixed(2);
}
