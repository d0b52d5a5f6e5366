/**
 * Figures 38 to 49 of [PROV], from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import { MS_PER_HOUR } from "../../src/base/index.ts";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import type { WorkloadJob } from "../../src/sim/workload/workload.ts";
import { jobsOf, withDuplicates, withinDays } from "../jobs-of.ts";
import { LOADS } from "../pricing/measure.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Cluster } from "../slots/clusters.ts";
import { outcomeOfAll, summary, type Verdict } from "../verdict.ts";
import { casesOf } from "./cases.ts";
import { type Tally, talliesOf } from "./tally.ts";
import { verdictsOf } from "./verdicts.ts";

/** Which jobs are there twice. */
const SEED = 1;

/** What is to be run. */
export interface VarOrder {
  readonly clusters: readonly Cluster[];
  /** Days from which waits are learnt, and days with cases. */
  readonly learnDays: number;
  readonly days: number;
  /** Where the report goes. */
  readonly out: string;
}

/** Runs everything and writes the report. */
export async function runVar(
  { clusters, learnDays, days, out }: VarOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const tallies: Tally[] = [];
  const verdicts: Verdict[] = [];
  for (const { name, trace, procs } of clusters) {
    const recorded = await jobsOf({ trace, procs, estimates: "requested" });
    for (const added of LOADS) {
      const label = added === 0 ? name : `${name} + ${added * 100} %`;
      tell(`${label}: ${days} days, twelve reservations each\n`);
      const jobs = withDuplicates(recorded, added, SEED);
      const cases = await casesOf({ jobs, siteProcs: procs, learnDays, days });
      const own = verdictsOf(label, cases);
      tallies.push(...talliesOf(label, cases));
      verdicts.push(...own, whichLoad(label, own, loadOf(jobs, { procs, days: learnDays + days })));
    }
  }
  const page = reportPage({
    title: "Virtual and priced reservations: [PROV] figures 38 to 49",
    deviations: deviations(clusters, learnDays),
    opening: table(tallies),
    figures: figuresOf(tallies),
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

/** What was asked of a cluster in its first days, over what it has. */
function loadOf(
  jobs: readonly WorkloadJob[],
  { procs, days }: { readonly procs: number; readonly days: number },
): number {
  const wanted = withinDays(jobs, days).reduce((sum, { need, runtimeMs }) => sum + need[0] * runtimeMs, 0);
  return wanted / (procs * days * 24 * MS_PER_HOUR);
}

/** The source does not say how full its cluster was; which of ours are like it is a finding. */
function whichLoad(label: string, own: readonly Verdict[], load: number): Verdict {
  return {
    figure: "Which load",
    claim: `${label}: all that figures 38 to 49 show`,
    outcome: outcomeOfAll(own.map(({ outcome }) => holds(outcome))),
    numbers: `work for ${(load * 100).toFixed(0)} % of the cluster; ${summary(own)}`,
  };
}

function holds(outcome: Verdict["outcome"]): boolean | undefined {
  return outcome === "not measured" ? undefined : outcome === "reproduced";
}

function deviations(clusters: readonly Cluster[], learnDays: number): readonly string[] {
  const sources = clusters.map(({ name, isRecorded }) =>
    isRecorded
      ? `${name}: the cleaned log; the source observed the NCSA TeraGrid cluster in 2007.`
      : `${name}: drawn from a model to look alike: no number here says anything of the source's.`,
  );
  return [
    ...sources,
    "Each day at the same time; the site is played under conservative backfilling with requested " +
      "estimates. The virtual reservation is a job put into the log: what would have come of it is " +
      "simulated exactly.",
    `Starts are predicted from past waits (as QBETS does), learnt from ${learnDays} days before. Where no ` +
      "instant has any probability, the job is submitted at once.",
    "As in the source, prices and virtual reservations do not meet: each case is looked at alone.",
    "How full the source's cluster was it does not say: each log is played as it is, and with a part of " +
      "its jobs twice, drawn by seed, as in figures 25 and 26.",
    "The run time that the site would allow is not limited.",
  ];
}

const KINDS = ["virtual", "combined", "priced"] as const;
const WORDS = { virtual: "VAR", combined: "combined", priced: "AR (priced)" } as const;

function figuresOf(tallies: readonly Tally[]): readonly Figure[] {
  return [
    figure(tallies, ["Fig. 38", 32], ["virtual", "priced"], "cost"),
    figure(tallies, ["Fig. 39", 32], ["virtual", "priced"], "success"),
    figure(tallies, ["Fig. 40", 32], ["virtual", "priced"], "cheaper"),
    figure(tallies, ["Fig. 41", 64], ["virtual", "priced"], "cost"),
    figure(tallies, ["Fig. 43", 64], ["virtual", "priced"], "success"),
    figure(tallies, ["Fig. 44", 64], ["virtual", "priced"], "cheaper"),
    figure(tallies, ["Fig. 46", 32], KINDS, "cost"),
    figure(tallies, ["Fig. 47", 32], KINDS, "success"),
    figure(tallies, ["Fig. 48", 64], KINDS, "cost"),
    figure(tallies, ["Fig. 49", 64], KINDS, "success"),
  ];
}

type Measure = "cost" | "success" | "cheaper";

const TITLES: Readonly<Record<Measure, string>> = {
  cost: "Allocation cost over n·D",
  success: "Success rate",
  cheaper: "Share of the days on which it is the cheaper one",
};

function figure(
  tallies: readonly Tally[],
  [name, procs]: readonly [figure: string, procs: number],
  kinds: readonly (typeof KINDS)[number][],
  measure: Measure,
): Figure {
  const places = [...new Set(tallies.map(({ cluster, hours }) => `${cluster} ${hours}`))].map((key) =>
    tallies.filter((it) => `${it.cluster} ${it.hours}` === key && it.procs === procs),
  );
  return {
    figure: name,
    title: `${TITLES[measure]}, ${procs} processors`,
    pictures: places.map((own) => plot(own, kinds, measure)),
    caption: "Against the hours from the request to the start (1, 4, 8).",
  };
}

function plot(own: readonly Tally[], kinds: readonly (typeof KINDS)[number][], measure: Measure): string {
  const [{ cluster, hours }] = own;
  const lines = kinds.map((kind, series) => ({
    name: WORDS[kind],
    series,
    points: own.map((it): readonly [number, number] => [it.ahead, shown(it, kind, measure)]),
  }));
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)));
  const title = `${cluster}, ${hours} h: ${TITLES[measure]}`;
  const axes = [numberAxis(8, 4, "hours ahead"), numberAxis(most, 5, `${cluster}, ${hours} h`)] as const;
  return lineChart({ title, description: `A line each for ${kinds.join(", ")}.` }, lines, axes);
}

/** 0 where nothing succeeded. */
function shown(tally: Tally, kind: (typeof KINDS)[number], measure: Measure): number {
  const value = {
    cost: tally[kind],
    success: tally[`${kind}Success`],
    cheaper: kind === "combined" ? 0 : tally[`${kind}Cheaper`],
  }[measure];
  return Number.isNaN(value) ? 0 : value;
}

function table(tallies: readonly Tally[]): string {
  const heads: Cell[] = [
    { text: "reservation" },
    ...["VAR", "succeeds", "priced", "possible", "combined", "succeeds", "VAR cheaper", "priced cheaper"].map(
      (text) => numberCell(text),
    ),
  ];
  const rows = tallies.map((it) => [
    { text: `${it.cluster}: ${it.procs} × ${it.hours} h, ${it.ahead} h ahead` },
    ...[
      it.virtual,
      it.virtualSuccess,
      it.priced,
      it.pricedSuccess,
      it.combined,
      it.combinedSuccess,
      it.virtualCheaper,
      it.pricedCheaper,
    ].map((value) => numberCell(Number.isNaN(value) ? "–" : value.toFixed(2))),
  ]);
  return htmlTable("Mean costs over n·D, and shares of the days", heads, rows);
}
