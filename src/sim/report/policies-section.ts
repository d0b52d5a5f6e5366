/**
 * Effects of usage policies: their measures run by run, each consumer's share, and use against limits over
 * time.
 */
import { lengthText, percentText } from "../../base/index.ts";
import type { ConsumerFacts, PolicyFacts } from "../../model/index.ts";
import {
  type Cell,
  figure,
  htmlTable,
  MOST_SERIES,
  numberCell,
  type Panel,
  panelChart,
  paragraph,
  section,
  shareAxis,
  steps,
  timeAxisUntil,
} from "../../report/index.ts";
import { eachSite, firstOutcomes, type ReportMatter } from "./report-matter.ts";
import { type Column, columnCells, type MeasuredRun, measuredRuns, wholeNumber } from "./run-columns.ts";

/** More consumers than a person compares; the table has all of them. */
const MOST_CHARTS = 8;

const OPENING = paragraph(
  "Measured as agreements are verified, over the time that counts, in parts of the capacity: " +
    "above the epoch limit (EUPV), and the part of that while somebody else was below his; above the " +
    "burst limit (BUPV); and what was entitled, asked for, and not given. Shares are of the uppermost " +
    "consumers together.",
);

/** The section; empty where no site has policies. */
export function policiesSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, where) => sitePart(matter, site, where));
  return parts.every((part) => part === "") ? "" : section("Usage policies", [OPENING, ...parts]);
}

function hundredthsOfPercent(share: number): string {
  return percentText(share, 2);
}

const TOTALS: readonly Column<PolicyFacts>[] = [
  { head: "above epoch", value: ({ aboveEpoch }) => aboveEpoch, text: hundredthsOfPercent },
  {
    head: "while others wait",
    value: ({ aboveEpochContended }) => aboveEpochContended,
    text: hundredthsOfPercent,
  },
  { head: "above burst", value: ({ aboveBurst }) => aboveBurst, text: hundredthsOfPercent },
  { head: "not given", value: ({ notGiven }) => notGiven, text: hundredthsOfPercent },
  { head: "stops", value: ({ stops }) => stops, text: wholeNumber },
  { head: "never started", value: ({ neverStarted }) => neverStarted, text: wholeNumber },
];

const OF_CONSUMERS: readonly Column<ConsumerFacts>[] = [
  { head: "epoch share", value: ({ epochShare }) => epochShare, text: hundredthsOfPercent },
  { head: "burst", value: ({ burstShare }) => burstShare, text: hundredthsOfPercent },
  { head: "used", value: ({ used }) => used, text: hundredthsOfPercent },
  { head: "above epoch", value: ({ aboveEpoch }) => aboveEpoch, text: hundredthsOfPercent },
  { head: "above burst", value: ({ aboveBurst }) => aboveBurst, text: hundredthsOfPercent },
  { head: "not given", value: ({ notGiven }) => notGiven, text: hundredthsOfPercent },
  { head: "mean wait", value: ({ waitMeanSec }) => waitMeanSec, text: lengthText },
  { head: "stops", value: ({ stops }) => stops, text: wholeNumber },
];

function sitePart(matter: ReportMatter, site: string, where: string): string {
  const runs = measuredRuns(matter, site, ({ policies }) => policies);
  if (runs.length === 0) return "";
  const totals = htmlTable(
    `Policies${where}: means over the replicates`,
    [{ text: "run" }, { text: "kept by" }, ...TOTALS.map(({ head }) => numberCell(head))],
    runs.map((run) => [{ text: run.run }, { text: keeperText(run.facts[0]) }, ...columnCells(TOTALS, run)]),
  );
  const consumers = htmlTable(
    `Consumers${where}: means over the replicates`,
    [{ text: "consumer" }, { text: "run" }, ...OF_CONSUMERS.map(({ head }) => numberCell(head))],
    consumerRows(runs),
  );
  return [totals, ...charts(matter, site, where), consumers].join("\n");
}

function keeperText({ pep }: PolicyFacts): string {
  return pep === "none" ? "nobody" : pep;
}

/** Consumer by consumer, so that its runs stand below each other. */
function consumerRows(runs: readonly MeasuredRun<PolicyFacts>[]): readonly (readonly Cell[])[] {
  const names = [...new Set(runs.flatMap(({ facts }) => facts[0].consumers.map(({ consumer }) => consumer)))];
  return names.flatMap((consumer) =>
    runs.flatMap(({ run, facts, hasChance }): Cell[][] => {
      const own = facts.flatMap(({ consumers }) => consumers.filter((one) => one.consumer === consumer));
      if (own.length === 0) return [];
      return [[{ text: consumer }, { text: run }, ...columnCells(OF_CONSUMERS, { facts: own, hasChance })]];
    }),
  );
}

/** A chart for each of the uppermost consumers: a panel for its use in each run, with what it may use. */
function charts(matter: ReportMatter, site: string, where: string): readonly string[] {
  const levels = firstOutcomes(matter, site).flatMap(({ row, course, levelSeries = [] }) =>
    levelSeries.map((level) => ({ run: matter.called(row.run), stepSec: course.stepSec, level })),
  );
  const names = [...new Set(levels.map(({ level }) => level.consumer))];
  return names.slice(0, MOST_CHARTS).map((consumer) => {
    const own = levels.filter(({ level }) => level.consumer === consumer).slice(0, MOST_SERIES);
    const [{ level }] = own;
    const lastSec = Math.max(...own.map(({ stepSec, level: { used } }) => stepSec * used.length));
    const most = Math.max(...own.flatMap(({ level: { burstShare, used } }) => [burstShare, ...used]));
    const panels = own.map(({ run, stepSec, level: { used, burstShare, epochShare } }): Panel => {
      const line = { kind: "line" } as const;
      return {
        title: run,
        up: shareAxis(most, 2),
        layers: [
          { ...line, series: 0, points: steps(used, stepSec), isFilled: true },
          { ...line, series: 1, points: steps([burstShare], lastSec) },
          { ...line, series: 2, points: steps([epochShare], lastSec) },
        ],
      };
    });
    const title = `Use of ${consumer}${where}, and what it may use`;
    const description = "Parts of the capacity over time; the numbers are in the table below.";
    const size = { width: 720, panelHeight: 80 };
    const chart = panelChart({ title, description }, timeAxisUntil(lastSec, 8), panels, size);
    const limits = [level.burstShare, level.epochShare].map(hundredthsOfPercent);
    return figure(
      title,
      chart,
      `Dashed: the burst line, ${limits[0]}; dotted: the epoch share, ${limits[1]}. ${CAPTION}`,
    );
  });
}

const CAPTION =
  "Of each run the first replicate, in means over equal steps: a limit on a long epoch may be passed in " +
  "a step and be kept over the epoch.";
