/**
 * Figures 23 to 31 of [PROV], from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, numberCell } from "../../src/report/index.ts";
import { reportPage } from "../report-page.ts";
import type { Cluster } from "../slots/clusters.ts";
import type { Verdict } from "../verdict.ts";
import { figuresOf } from "./figures.ts";
import { type Measured, measureAll, type PricingScope } from "./measure.ts";
import { verdictsOf } from "./verdicts.ts";

/** What is to be run. */
export interface PricingOrder extends PricingScope {
  readonly clusters: readonly Cluster[];
  /** Where the report goes. */
  readonly out: string;
}

/** Runs everything and writes the report. */
export async function runPricing(
  { clusters, out, ...scope }: PricingOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const all = await measureAll(clusters, scope, tell);
  const verdicts = verdictsOf(all);
  const page = reportPage({
    title: "Prices: [PROV] figures 23 to 31",
    deviations: deviations(clusters, scope),
    opening: runTable(all),
    figures: figuresOf(all),
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

function deviations(clusters: readonly Cluster[], { days, draws }: PricingScope): readonly string[] {
  const sources = clusters.map(({ name, isRecorded }) =>
    isRecorded
      ? `${name}: the first ${days} days of the cleaned log; the source took those of the whole one.`
      : `${name}: drawn from a model (Lublin–Feitelson) to look alike: no number here says anything ` +
        "of the source's.",
  );
  return [
    ...sources,
    `Who reserves is drawn ${draws} times, and numbers are means of these; the source drew once. ` +
      "A whole log, EASY, which takes the longest, and figure 29 are drawn once.",
    "The load grows by jobs that are submitted twice at the same time, drawn by seed; which the source " +
      "took twice is not said.",
    "Reserved are a job's processors for its estimate: with requested estimates for as long as was asked. " +
      "A reservation that is done early is given back. The source is silent on both.",
    "Prices compare with promises, which jobs keep that still fit. Runs that are “planned anew” have those " +
      "after the letter of Fig. 22, where the whole queue is planned twice, without the slot and with it.",
    "Utilisation is what was busy until the last submission.",
  ];
}

function runTable(all: readonly Measured[]): string {
  const heads: Cell[] = [
    { text: "workload" },
    { text: "discipline, estimates" },
    ...[
      "jobs",
      "reserve",
      "α",
      "twice",
      "utilisation",
      "mean f (SU)",
      "they wait (h)",
      "queued wait (h)",
    ].map((text) => numberCell(text)),
  ];
  const rows = all.map((one) => [
    { text: `${one.cluster.name}, ${one.period}` },
    { text: `${one.discipline}, ${one.estimates}${one.prices === "anew" ? ", planned anew" : ""}` },
    ...[
      String(one.jobs),
      `${one.share * 100} %`,
      String(one.alpha),
      `${one.added * 100} %`,
      `${(one.priced.utilisation * 100).toFixed(1)} %`,
      one.priced.fixedSu.toFixed(2),
      one.priced.reservedWaitHours.toFixed(2),
      one.priced.queuedWaitHours.toFixed(2),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable("All runs", heads, rows);
}
