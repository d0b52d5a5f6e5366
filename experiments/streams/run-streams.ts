/**
 * Streams that share a pool: our rules beside what others do. [STREAM], whose evaluation is not in its text.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import { STREAM_VARIANTS, type StreamReport } from "../../src/stream/index.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import { geneticLoss, LOADS, type Played, playAll, trialGain } from "./play-streams.ts";
import { FIGURE, verdictsOf } from "./verdicts.ts";

/** What is to be run. */
export interface StreamsOrder {
  readonly seeds: number;
  /** Random cases of the genetic algorithm. */
  readonly cases: number;
  /** Where the report goes. */
  readonly out: string;
}

/** Sessions of a random case. */
const SESSIONS = 100;
const TRIAL_SEEDS = 400;

/** Runs everything and writes the report. */
export async function runStreams(
  { seeds, cases, out }: StreamsOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const played = playAll(seeds, tell);
  tell(`${cases} cases of the genetic algorithm\n`);
  const loss = geneticLoss(cases, SESSIONS);
  const verdicts = verdictsOf(played, { loss, cases, gain: trialGain(TRIAL_SEEDS) });
  const page = reportPage({
    title: "Streams that share a pool, [STREAM]",
    deviations: DEVIATIONS,
    opening: table(played),
    figures: [figure(played)],
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

const DEVIATIONS = [
  "The source's text ends before its evaluation; workload, baselines and claims are ours, and nothing " +
    "here is a figure of the source.",
  "A fluid model in virtual time: no latencies, blocks count for the halt mark alone. Rates of processing " +
    "are known, as after trials. Every variant has the same streams for a seed, over 8 h.",
  "The baselines stand for what other systems are said to do, in our words: processors-only for GATES, " +
    "Streamline and E-Condor, staged for Pegasus, reserved for EnLIGHTened and G-lambda.",
];

/** Mean over the seeds. */
export function meanOf({ reports }: Played, of: (report: StreamReport) => number): number {
  return reports.reduce((sum, report) => sum + of(report), 0) / reports.length;
}

const GB = 1e9;

function table(played: readonly Played[]): string {
  const heads: Cell[] = [
    { text: "variant" },
    ...[
      "load",
      "processed (GB)",
      "accepted",
      "completed",
      "wait (s)",
      "busy",
      "halts",
      "overflow (GB)",
      "Jain",
    ].map((text) => numberCell(text)),
  ];
  const rows = played.map((it) => [
    { text: it.variant },
    ...[
      String(it.load),
      (meanOf(it, ({ processedBytes }) => processedBytes) / GB).toFixed(0),
      meanOf(it, ({ accepted }) => accepted).toFixed(1),
      meanOf(it, ({ completed }) => completed).toFixed(1),
      meanOf(it, ({ meanWaitSec }) => meanWaitSec).toFixed(0),
      meanOf(it, ({ busyFraction }) => busyFraction).toFixed(3),
      meanOf(it, ({ halts }) => halts).toFixed(1),
      (meanOf(it, ({ overflowBytes }) => overflowBytes) / GB).toFixed(2),
      meanOf(it, ({ fairness }) => fairness).toFixed(3),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable("Means over the seeds", heads, rows);
}

function figure(played: readonly Played[]): Figure {
  const lines = STREAM_VARIANTS.map((variant, series) => ({
    ...{ name: variant, series },
    points: played
      .filter((it) => it.variant === variant)
      .map((it): readonly [number, number] => [
        it.load,
        meanOf(it, ({ processedBytes }) => processedBytes) / GB,
      ]),
  }));
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, bytes]) => bytes)));
  const name = { title: "Bytes processed in 8 h", description: "A line for each way to share the pool." };
  const axes = [
    numberAxis(Math.max(...LOADS), 4, "load of the tightest resource"),
    numberAxis(Math.ceil(most / 500) * 500, 5, "GB"),
  ] as const;
  return {
    figure: FIGURE,
    title: "Bytes processed by load",
    pictures: [lineChart(name, lines, [axes[0], axes[1]])],
    caption: "Means over the seeds.",
  };
}
