/**
 * Several decision points: what is lost where they exchange their views seldom. [UP] slide 30, GRUBER.
 */
import { writeFile } from "node:fs/promises";
import { setImmediate as letOthers } from "node:timers/promises";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import { type Played, play, SITES } from "./play.ts";
import { FIGURE, verdictsOf } from "./verdicts.ts";

/** What is to be run. */
export interface DecisionPointsOrder {
  readonly jobs: number;
  readonly draws: number;
  /** Where the report goes. */
  readonly out: string;
}

/** A setting with the means of all draws. */
export interface Measured extends Played {
  readonly points: number;
  /** Infinity: never. */
  readonly everyMin: number;
  readonly selector: "leastUsed" | "random";
}

const MS_PER_MINUTE = 60_000;
/** How many points; one alone is what the others are held against. */
export const POINTS = [1, 2, 3, 10] as const;
/** Minutes between two exchanges. */
export const INTERVALS = [0, 1, 3, 10, 30, Number.POSITIVE_INFINITY] as const;

/** Runs everything and writes the report. */
export async function runDecisionPoints(
  { jobs, draws, out }: DecisionPointsOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const measured: Measured[] = [];
  const run = async (setting: Pick<Measured, "points" | "everyMin" | "selector">): Promise<void> => {
    tell(`${setting.points} points, exchange ${minutesText(setting.everyMin)}, ${setting.selector}\n`);
    measured.push(meanOf(setting, jobs, draws));
    await letOthers();
  };
  for (const points of POINTS) {
    for (const everyMin of points === 1 ? [0] : INTERVALS) {
      await run({ points, everyMin, selector: "leastUsed" });
    }
  }
  await run({ points: 1, everyMin: 0, selector: "random" });
  const verdicts = verdictsOf(measured);
  const page = reportPage({
    title: "Several decision points, [UP] slide 30",
    deviations: deviations(jobs, draws),
    opening: table(measured),
    figures: [figure(measured)],
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

function meanOf(
  { points, everyMin, selector }: Pick<Measured, "points" | "everyMin" | "selector">,
  jobs: number,
  draws: number,
): Measured {
  const everyMs = everyMin * MS_PER_MINUTE;
  const runs = Array.from({ length: draws }, (_, seed) => play({ points, everyMs, selector, jobs, seed }));
  const mean = (of: (run: Played) => number): number => runs.reduce((sum, run) => sum + of(run), 0) / draws;
  return {
    ...{ points, everyMin, selector, agreed: mean(({ agreed }) => agreed) },
    excess: mean(({ excess }) => excess),
    meanWaitMs: mean(({ meanWaitMs }) => meanWaitMs),
  };
}

function deviations(jobs: number, draws: number): readonly string[] {
  return [
    "The source has several decision points in its picture of the broker and no figures of them; the " +
      "claims are ours.",
    `${jobs} drawn jobs (Poisson, exponential run times of half an hour in the mean, 1 to 8 processors) at ` +
      `0.9 of ${SITES.length} sites of ${SITES.join(", ")} processors under EASY; ${draws} draws, the same ` +
      "for every setting.",
    "Points hear and count others' jobs as live brokers do, by the same code: between two exchanges " +
      "a job counts until its expected end, which is exact once it runs, and while it waits its run time " +
      "after the last exchange. An exchange takes no time and loses nothing.",
  ];
}

const minutesText = (minutes: number): string => (Number.isFinite(minutes) ? `${minutes} min` : "never");

function table(measured: readonly Measured[]): string {
  const heads: Cell[] = [
    { text: "points" },
    ...["exchange", "as one who knows all", "more used than the least (% of a site)", "mean wait (s)"].map(
      (text) => numberCell(text),
    ),
  ];
  const rows = measured.map(({ points, everyMin, selector, agreed, excess, meanWaitMs }) => [
    { text: selector === "random" ? "at random" : String(points) },
    ...[
      minutesText(everyMin),
      `${(agreed * 100).toFixed(1)} %`,
      (excess * 100).toFixed(2),
      (meanWaitMs / 1000).toFixed(1),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable("Where jobs went, by how often the points told each other", heads, rows);
}

function figure(measured: readonly Measured[]): Figure {
  const lines = POINTS.filter((points) => points > 1).map((points, series) => ({
    name: `${points} points`,
    series,
    points: measured
      .filter((it) => it.points === points && Number.isFinite(it.everyMin))
      .map(({ everyMin, agreed }): readonly [number, number] => [everyMin, agreed * 100]),
  }));
  const name = {
    title: "Jobs that went where one who knows all would have sent them",
    description: "A line for each number of decision points.",
  };
  return {
    figure: FIGURE,
    title: "Accuracy by the interval of the exchange",
    pictures: [
      lineChart(name, lines, [numberAxis(30, 6, "minutes between exchanges"), numberAxis(100, 5, "%")]),
    ],
    caption: "Of all jobs; the least used site that is wide enough is right.",
  };
}
