/**
 * What came of usage policies: their measures run by run, each consumer's share, and use against limits
 * over time (rule SI-88).
 */
import { percentText } from "../../base/index.ts";
import { type ConsumerFacts, isByChance, type PolicyFacts } from "../../model/index.ts";
import { intervalOf } from "../scenario/intervals.ts";
import type { SiteOutcome } from "../scenario/site-outcome.ts";
import { linePlot, type PlotLine } from "./line-plot.ts";
import { type Cell, escaped, htmlTable, numberCell } from "./markup.ts";
import { lengthText } from "./metric-text.ts";
import { eachSite, firstOutcomes, type ReportMatter } from "./report-matter.ts";
import { MOST_SERIES } from "./style.ts";
import { shareAxis, timeAxisUntil } from "./ticks.ts";

/** More consumers than a person compares; the table has all of them. */
const MOST_PICTURES = 8;

/** The section; empty where no site has policies. */
export function policiesSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, namesSite) => sitePart(matter, site, namesSite));
  if (parts.every((part) => part === "")) return "";
  return (
    "<section><h2>Usage policies</h2>\n" +
    "<p>Measured as agreements are verified, over the time that counts, in parts of the capacity: " +
    "above the epoch limit (EUPV), and the part of that while somebody else was below his; above the " +
    "burst limit (BUPV); and what was entitled, asked for, and not given. Shares are of the uppermost " +
    `consumers together.</p>\n${parts.join("\n")}</section>`
  );
}

interface Column<Of> {
  readonly head: string;
  readonly value: (of: Of) => number | null;
  readonly text: (value: number) => string;
}

const TOTALS: readonly Column<PolicyFacts>[] = [
  { head: "above epoch", value: ({ aboveEpoch }) => aboveEpoch, text: (share) => percentText(share, 2) },
  {
    head: "while others wait",
    value: ({ aboveEpochContended }) => aboveEpochContended,
    text: (share) => percentText(share, 2),
  },
  { head: "above burst", value: ({ aboveBurst }) => aboveBurst, text: (share) => percentText(share, 2) },
  { head: "not given", value: ({ notGiven }) => notGiven, text: (share) => percentText(share, 2) },
  { head: "stops", value: ({ stops }) => stops, text: (value) => value.toFixed(0) },
  { head: "never started", value: ({ neverStarted }) => neverStarted, text: (value) => value.toFixed(0) },
];

const OF_CONSUMERS: readonly Column<ConsumerFacts>[] = [
  { head: "epoch share", value: ({ epochShare }) => epochShare, text: (share) => percentText(share, 2) },
  { head: "burst", value: ({ burstShare }) => burstShare, text: (share) => percentText(share, 2) },
  { head: "used", value: ({ used }) => used, text: (share) => percentText(share, 2) },
  { head: "above epoch", value: ({ aboveEpoch }) => aboveEpoch, text: (share) => percentText(share, 2) },
  { head: "above burst", value: ({ aboveBurst }) => aboveBurst, text: (share) => percentText(share, 2) },
  { head: "not given", value: ({ notGiven }) => notGiven, text: (share) => percentText(share, 2) },
  { head: "mean wait", value: ({ waitMeanSec }) => waitMeanSec, text: lengthText },
  { head: "stops", value: ({ stops }) => stops, text: (value) => value.toFixed(0) },
];

interface OfRun {
  readonly run: string;
  readonly facts: readonly PolicyFacts[];
  readonly hasChance: boolean;
}

function sitePart(matter: ReportMatter, site: string, namesSite: boolean): string {
  const { scenario, summary } = matter;
  const runs = scenario.runs.flatMap(({ name: run, sites }): OfRun[] => {
    const facts = summary.rows.flatMap((row) =>
      row.run === run && row.site === site && row.policies !== undefined ? [row.policies] : [],
    );
    const hasChance = sites.some((one) => one.name === site && isByChance(one));
    return facts.length === 0 ? [] : [{ run, facts, hasChance }];
  });
  if (runs.length === 0) return "";
  const where = namesSite ? ` at ${site}` : "";
  const totals = htmlTable(
    `Policies${where}: means over the replicates`,
    [{ text: "run" }, { text: "kept by" }, ...TOTALS.map(({ head }) => numberCell(head))],
    runs.map(({ run, facts, hasChance }) => [
      ...[{ text: run }, { text: keeperText(facts[0]) }],
      ...TOTALS.map((column) => columnCell(column, facts, hasChance)),
    ]),
  );
  const consumers = htmlTable(
    `Consumers${where}: means over the replicates`,
    [{ text: "consumer" }, { text: "run" }, ...OF_CONSUMERS.map(({ head }) => numberCell(head))],
    consumerRows(runs),
  );
  return [totals, ...pictures(firstOutcomes(matter, site), where), consumers].join("\n");
}

function keeperText({ pep }: PolicyFacts): string {
  return pep === "none" ? "nobody" : pep;
}

/** Consumer by consumer, so that its runs stand below each other. */
function consumerRows(runs: readonly OfRun[]): readonly (readonly Cell[])[] {
  const names = [...new Set(runs.flatMap(({ facts }) => facts[0].consumers.map(({ consumer }) => consumer)))];
  return names.flatMap((consumer) =>
    runs.flatMap(({ run, facts, hasChance }): Cell[][] => {
      const own = facts.flatMap(({ consumers }) => consumers.filter((one) => one.consumer === consumer));
      if (own.length === 0) return [];
      const cells = OF_CONSUMERS.map((column) => columnCell(column, own, hasChance));
      return [[{ text: consumer }, { text: run }, ...cells]];
    }),
  );
}

function columnCell<Of>({ value, text }: Column<Of>, all: readonly Of[], hasChance: boolean): Cell {
  const values = all.map(value).filter((one) => one !== null);
  if (values.length === 0) return numberCell("–");
  const { mean, low, high } = intervalOf(values, hasChance);
  const range = low === null || high === null ? undefined : `${text(low)} to ${text(high)}`;
  return numberCell(text(mean), range);
}

/** A picture for each of the uppermost consumers: its use in each run, its epoch share and its burst. */
function pictures(outcomes: readonly SiteOutcome[], where: string): readonly string[] {
  const names = [
    ...new Set(outcomes.flatMap(({ levelSeries = [] }) => levelSeries.map(({ consumer }) => consumer))),
  ];
  return names.slice(0, MOST_PICTURES).map((consumer) => pictureOf(consumer, outcomes, where));
}

function pictureOf(consumer: string, outcomes: readonly SiteOutcome[], where: string): string {
  const its = outcomes.flatMap(({ row, course, levelSeries = [] }) =>
    levelSeries
      .filter((one) => one.consumer === consumer)
      .map((level) => ({ run: row.run, stepSec: course.stepSec, level })),
  );
  const shown = its.slice(0, MOST_SERIES - 2);
  const lastSec = Math.max(...shown.map(({ stepSec, level }) => stepSec * level.used.length));
  const most = Math.max(...shown.flatMap(({ level }) => [level.burstShare, ...level.used]));
  const [{ level: first }] = shown;
  const flat = (name: string, series: number, share: number): PlotLine => ({
    ...{ name, series },
    points: [
      [0, share],
      [lastSec, share],
    ],
  });
  const lines = [
    flat(`epoch share, ${percentText(first.epochShare, 2)}`, 0, first.epochShare),
    flat(`burst, ${percentText(first.burstShare, 2)}`, 1, first.burstShare),
    ...shown.map(({ run, stepSec, level }, at): PlotLine => {
      const points = level.used.flatMap((share, step): [number, number][] => [
        [step * stepSec, share],
        [(step + 1) * stepSec, share],
      ]);
      return { name: run, series: at + 2, points };
    }),
  ];
  const title = `Use of ${consumer}${where}, and what it may use`;
  const name = { title, description: "Parts of the capacity over time; the numbers are in the table below." };
  const picture = linePlot(name, lines, [timeAxisUntil(lastSec, 8), shareAxis(most, 5)]);
  const caption =
    "Of each run the first replicate, in means over equal steps: a limit on a long epoch may be passed in " +
    "a step and be kept over the epoch.";
  return `<figure><h3>${escaped(title)}</h3>\n${picture}\n<figcaption>${caption}</figcaption></figure>`;
}
