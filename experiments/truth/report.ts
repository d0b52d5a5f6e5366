/**
 * The report: every pair as a point, priced against measured, and the tables behind it.
 */
import { release } from "node:os";
import { DISCIPLINES, type Interval } from "../../src/model/index.ts";
import {
  type Cell,
  htmlTable,
  type Layer,
  numberAxis,
  numberCell,
  panelChart,
} from "../../src/report/index.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import type { MeasuredTruth } from "./measure.ts";
import { BOUGHT_BY, type MeasuredPair } from "./pair.ts";
import { intervalText, procMinutes, type TruthSummary } from "./summary.ts";
import { HEADINGS } from "./verdicts.ts";

const SECOND_MS = 1000;

/** The HTML text. */
export function truthReport(
  measured: MeasuredTruth,
  summaries: readonly TruthSummary[],
  verdicts: readonly Verdict[],
): string {
  return reportPage({
    title: "Truth: priced delays on a real cluster, [PROV] 5.1",
    deviations: deviations(measured),
    opening: summaryTable(summaries) + disciplineTable(summaries) + summaries.map(pairTable).join(""),
    figures: summaries.map(figureOf),
    verdicts,
  });
}

function deviations({ slurmVersion, date, failures, loads }: MeasuredTruth): readonly string[] {
  const load = loads.reduce((sum, one) => sum + one, 0) / Math.max(1, loads.length);
  return [
    "The source prices slots in a simulation; that real delays are those of the price is its assumption, " +
      "and the claims are ours.",
    `${slurmVersion} on one machine (Linux ${release()}, mean load ${load.toFixed(1)}), ${date}.`,
    "Each seed is played on three clusters at once, 4 nodes of 8 processors each: without a slot, without " +
      "it again (the control), and with one that is bought through the broker when 66 seconds have passed. " +
      "Nothing runs in it.",
    `Slots are bought at the price that ${BOUGHT_BY} gives, the discipline that a Slurm site is taken to ` +
      "follow unless its settings say otherwise. Measured is what the jobs that waited at the question " +
      "started later, times their processors, against the mean of both plays without.",
    ...failures.map((text) => `Nothing came of ${text}`),
  ];
}

function figureOf(summary: TruthSummary): Figure {
  const { use, pairs } = summary;
  const heading = HEADINGS[use];
  return {
    figure: heading,
    title: `${heading}: what was measured, against what was priced, in processor-minutes`,
    pictures: [scatter(heading, pairs)],
    caption:
      "A point a slot: filled with it, hollow the two plays without it. On the line a price is what " +
      "others were delayed by.",
  };
}

function scatter(heading: string, pairs: readonly MeasuredPair[]): string {
  const points = pairs.map(({ pricedProcMs, measured, control }) =>
    [pricedProcMs, measured.laterProcMs, control.laterProcMs].map(procMinutes),
  );
  const most = Math.max(1, ...points.flat());
  const along = numberAxis(most, 5, "priced");
  const layers: readonly Layer[] = [
    {
      kind: "line",
      series: 6,
      points: [
        [0, 0],
        [along.to, along.to],
      ],
    },
    { kind: "dots", series: 1, points: points.map(([priced, , chance]) => [priced, chance]), isHollow: true },
    { kind: "dots", series: 0, points: points.map(([priced, came]) => [priced, came]) },
  ];
  const name = { title: heading, description: "Measured delays over priced ones, a point a slot." };
  const panel = { title: "measured", up: along, layers };
  return panelChart(name, along, [panel], { width: 460, panelHeight: 294 });
}

function heads(first: string, others: readonly string[]): Cell[] {
  return [{ text: first }, ...others.map((text) => numberCell(text))];
}

function summaryTable(summaries: readonly TruthSummary[]): string {
  const columns = [
    "pairs",
    "refused slots",
    "priced",
    "measured",
    "net",
    "control",
    "measured ÷ priced",
    "later jobs",
  ];
  const rows = summaries.map((it) => [
    { text: HEADINGS[it.use] },
    ...[
      ...[it.pairs.length, it.refused].map(String),
      ...[it.priced, it.measured, it.measuredNet, it.control].map((one) => intervalText(one, 1)),
      ratioText(it.ratio),
      intervalText(it.afterwards, 1),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable(
    "Means over the pairs, in processor-minutes (60 are an SU)",
    heads("limits", columns),
    rows,
  );
}

function disciplineTable(summaries: readonly TruthSummary[]): string {
  const rows = summaries.flatMap(({ use, ratioBy, ratioToSimulated }) => [
    [{ text: `${HEADINGS[use]}: the price of the same look` }, ...ratioCells(ratioBy)],
    [{ text: `${HEADINGS[use]}: our own site machine, real run times` }, ...ratioCells(ratioToSimulated)],
  ]);
  const caption = "Measured ÷ what other disciplines say, over the pairs in which the slot is possible there";
  return htmlTable(caption, heads("said by", DISCIPLINES), rows);
}

function ratioCells(ratios: TruthSummary["ratioBy"]): readonly Cell[] {
  return DISCIPLINES.map((discipline) => numberCell(ratioText(ratios[discipline])));
}

function pairTable({ use, pairs }: TruthSummary): string {
  const columns = [
    ...["slot", "begins after", "waiting", "delayed, as priced", "priced"],
    ...[...DISCIPLINES, ...DISCIPLINES.map((discipline) => `${discipline}, real`), "elsewhere"],
    ...["measured", "net", "control", "later jobs", "late without", "late with"],
  ];
  const rows = pairs.map((pair) => [
    { text: `seed ${pair.seed}` },
    ...[
      `${pair.slotProcs} × ${procMinutes(pair.slotMs)} min`,
      seconds(pair.slotAfterMs),
      String(pair.waiting),
      String(pair.delaysJobs),
      minutes(pair.pricedProcMs),
      ...[pair.planned, pair.simulated].flatMap((said) =>
        DISCIPLINES.map((discipline) => minutes(said[discipline])),
      ),
      pair.elsewhere.map(minutes).join(", ") || "–",
      ...[pair.measured.laterProcMs, pair.measured.netProcMs].map(minutes),
      ...[pair.control.laterProcMs, pair.afterwards.laterProcMs].map(minutes),
      ...[pair.lateWithoutMs, pair.lateWithMs].map(seconds),
    ].map((text) => numberCell(text)),
  ]);
  const caption =
    `${HEADINGS[use]}: every pair, in processor-minutes. By discipline: the same look priced so; real: in ` +
    "our own site machine with the real run times; elsewhere: priced by the looks at the clusters without " +
    "the slot; late: mean of start − planned start.";
  return htmlTable(caption, heads("pair", columns), rows);
}

function minutes(procMs: number | null): string {
  return procMs === null ? "–" : procMinutes(procMs).toFixed(1);
}

function seconds(ms: number): string {
  return `${Math.round(ms / SECOND_MS)} s`;
}

function ratioText(ratio: Interval | undefined): string {
  return ratio === undefined ? "–" : intervalText(ratio, 2);
}
