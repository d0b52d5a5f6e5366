/**
 * Figures 14 to 21 of [UP] on real clusters under Slurm, from clusters to a report.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import { told } from "../policies/draws.ts";
import { partUsed } from "../policies/play-sites.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import { type MeasuredPlay, type MeasuredPlays, measurePlays } from "./measure.ts";
import { valuesOf, verdictsOf } from "./verdicts.ts";
import { WAYS } from "./ways.ts";
import { PLAY_MS } from "./workload.ts";

/** What is to be run. */
export interface PoliciesSlurmOrder {
  /** Each is played three times at once, on three clusters. */
  readonly seeds: number;
  /** Where the report goes. */
  readonly out: string;
}

const FIRST_SEED = 2005;
const MINUTE_MS = 60_000;
const STEPS = 48;

/** Runs everything and writes the report. @throws Fault where there can be no test cluster */
export async function runPoliciesSlurm(
  { seeds, out }: PoliciesSlurmOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const measured = await measurePlays(
    Array.from({ length: seeds }, (_, at) => FIRST_SEED + at),
    tell,
  );
  const { html, verdicts } = policiesSlurmReport(measured);
  await writeFile(out, html);
  return verdicts;
}

/** What came of the plays, told. */
export function policiesSlurmReport(measured: MeasuredPlays): {
  readonly html: string;
  readonly verdicts: readonly Verdict[];
} {
  const { plays } = measured;
  const verdicts = verdictsOf(plays);
  const heads: Cell[] = [{ text: "enforced by" }, ...["BUPV", "EUPV", "ARU"].map((text) => numberCell(text))];
  const rows = WAYS.map((way): Cell[] => [
    { text: way },
    ...(["burst", "epoch", "used"] as const).map((it) => numberCell(told(valuesOf(plays, way, it)))),
  ]);
  const html = reportPage({
    title: "Usage policies on a real cluster: [UP] figures 14 to 21",
    deviations: deviations(measured),
    opening: htmlTable("Violations in percent of the capacity, with intervals of 95 %", heads, rows),
    figures: plays.map(figureOf),
    verdicts,
  });
  return { html, verdicts };
}

function deviations({ slurmVersion, load, told: words, plays }: MeasuredPlays): readonly string[] {
  const seeds = new Set(plays.map(({ seed }) => seed)).size;
  return [
    `${slurmVersion} on one machine (mean load ${load.toFixed(1)}): ${seeds} draws, each on three clusters ` +
      "of 20 processors at once. The source had Condor and PBS with Maui.",
    "Its hour is eight minutes, and so is every time: (400,20)(4,60) and (400,80)(4,90), jobs of 80 " +
      "seconds in the mean.",
    "Jobs are submitted to Slurm past Stint, and start at once where there is room. The enforcer looks " +
      "once a second, where the machine is quick enough; as the source's, it caps, and may hold and suspend.",
    `Slurm's own shares are the policies compiled: ${words.join("; ")}. It reckons them once a minute at ` +
      "the most often, of an epoch that is not seven minutes here.",
    "Use is that of the accounting, less the time for which jobs were seen suspended, to the second.",
  ];
}

function figureOf({ way, seed, site }: MeasuredPlay): Figure {
  const step = PLAY_MS / STEPS / MINUTE_MS;
  const lines = ["vo0", "vo1"].map((name, series) => ({
    name,
    series,
    points: Array.from({ length: STEPS }, (_, at): readonly [number, number] => [
      (at + 0.5) * step,
      100 * partUsed(site, name, [at * step, (at + 1) * step]),
    ]),
  }));
  const axes = [numberAxis(PLAY_MS / MINUTE_MS, 4, "minutes"), numberAxis(100, 5, "%")] as const;
  const about = { title: `Use under ${way}`, description: "A line for each organisation, in percent." };
  return {
    figure: "Fig. 14–21",
    title: `${way}, draw ${seed}: percent of the cluster in use`,
    pictures: [lineChart(about, lines, axes)],
    caption: "VO0 submits for the first two thirds of the time, VO1 for the last two thirds.",
  };
}
