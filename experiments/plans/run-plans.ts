/**
 * Figures 13 to 19 and 52 to 56 of [PROV], from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Cluster } from "../slots/clusters.ts";
import type { Verdict } from "../verdict.ts";
import { type Effort, type Loaded, loadedClusters, measureAll, type Point } from "./measure.ts";
import { meanOutcome, ratioOf, verdictsOf } from "./verdicts.ts";

/** Pairs of the whole seismic workflow. */
export const WHOLE_SEISMIC = 4017;

/** What is to be run. */
export interface PlansOrder extends Effort {
  readonly clusters: readonly Cluster[];
  /** Where the report goes. */
  readonly out: string;
}

/** Runs everything and writes the report. */
export async function runPlans(
  { clusters, out, ...effort }: PlansOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const loaded = await loadedClusters(clusters);
  const points = measureAll(loaded, effort, tell);
  const verdicts = verdictsOf(points, effort.pairs === WHOLE_SEISMIC);
  const page = reportPage({
    title: "Plans of workflows: [PROV] figures 13 to 19 and 52 to 56",
    deviations: deviations(clusters, effort),
    opening: loadTable(loaded) + pointTable(points),
    figures: figuresOf(points),
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

function deviations(
  clusters: readonly Cluster[],
  { submissions, evaluations, pairs }: Effort,
): readonly string[] {
  return [
    ...clusters.map(({ name, isRecorded }) =>
      isRecorded
        ? `${name}: the cleaned log; the source used the whole one.`
        : `${name}: drawn from a model to look alike: no number here says anything of the source's.`,
    ),
    "Conservative backfilling, exact estimates, each site alone. Lower loads by dropping jobs, higher ones " +
      "by a second copy of some, drawn by seed.",
    `${submissions} submissions of one drawn application (the source: 50, 10 for several sites; the ` +
      "seismic workflow a fifth of them), at instants stratified over the log; MOGA with " +
      `${evaluations} evaluations (the source: 1,000; the seismic workflow a fifth).`,
    `Of the seismic workflow ${pairs} of its ${WHOLE_SEISMIC} pairs of tasks.`,
    "Makespan and planning cost are read off the plan. Best effort is simulated on copies of the sites " +
      "among the jobs that really came later; its cost is nominal.",
    "MOGA's plans are on the slots that are free beside the queue; those of the greedy planner on prices, " +
      "which delay queued jobs, by the price lists of market, c = 1, f₀ = 0.",
    "Every plan has passed the independent checker of plans; of the seismic workflow and of greedy plans " +
      "it saw when and where tasks run, not what is reserved.",
    "Of figure 54 SDSC is run with 1, 3, 6, 9 processors alone; figures 9, 12, 17 and 50 are tests.",
  ];
}

function loadTable(loaded: readonly Loaded[]): string {
  const rows = loaded.map(({ cluster, wanted, reached, played }): Cell[] => [
    { text: cluster },
    ...[`${wanted} %`, `${reached.toFixed(1)} %`, String(played.jobs.length)].map((text) => numberCell(text)),
  ]);
  return htmlTable(
    "Loads",
    [{ text: "" }, ...["wanted", "reached", "jobs"].map((text) => numberCell(text))],
    rows,
  );
}

function pointTable(points: readonly Point[]): string {
  const rows = points.map((point): Cell[] => {
    const { figures, place, x, planner, alpha, planned, queued } = point;
    const values = [
      ...[meanOutcome(planned, "hours"), meanOutcome(queued, "hours"), ratioOf(point, "hours").mean],
      ...[meanOutcome(planned, "su"), meanOutcome(queued, "su"), ratioOf(point, "su").mean],
    ];
    const name = `Fig. ${figures.join(", ")}: ${place}, ${x}, ${planner}, α = ${alpha}`;
    return [{ text: name }, ...values.map((value) => numberCell(value.toFixed(2)))];
  });
  const heads = ["hours", "best effort", "ratio", "SU", "best effort", "ratio"].map((text) =>
    numberCell(text),
  );
  return htmlTable("All points, means over the submissions", [{ text: "" }, ...heads], rows);
}

const AXES = {
  "13": "α",
  "14": "tasks",
  "15": "processors",
  "16": "load in %",
  "18": "load in %",
  "19": "sites",
  "52": "α",
  "53": "tasks",
  "54": "processors",
  "55": "load in %",
  "56": "sites",
} as const;

function figuresOf(points: readonly Point[]): readonly Figure[] {
  return Object.entries(AXES).flatMap(([figure, label]) => {
    const own = points.filter(({ figures }) => figures.includes(figure));
    const places = [...new Set(own.map(({ place }) => place))];
    return places.map((place) => ({
      figure: `Fig. ${figure}`,
      title: `${place}: plan over best effort`,
      pictures: (["hours", "su"] as const).map((key) =>
        plot(
          own.filter((one) => one.place === place),
          key,
          label,
        ),
      ),
      caption: "Mean of the ratios of makespans, and of costs; 1 is best effort.",
    }));
  });
}

function plot(points: readonly Point[], key: "hours" | "su", label: string): string {
  const isByAlpha = label === "α";
  const alphas = isByAlpha ? [-1] : [...new Set(points.map(({ alpha }) => alpha))];
  const lines = alphas.map((alpha, series) => ({
    ...{ name: isByAlpha ? "plan" : `α = ${alpha}`, series },
    points: points
      .filter((one) => isByAlpha || one.alpha === alpha)
      .map((one): readonly [number, number] => [isByAlpha ? one.alpha : one.x, ratioOf(one, key).mean]),
  }));
  const ends = lines.flatMap(({ points: own }) => own);
  const axes = [
    numberAxis(Math.max(...ends.map(([x]) => x)), 5, label),
    numberAxis(Math.max(...ends.map(([, value]) => value)), 5, key === "hours" ? "makespan" : "cost"),
  ] as const;
  const title = `${key === "hours" ? "Makespan" : "Cost"} over best effort`;
  return lineChart({ title, description: `Against ${label}.` }, lines, axes);
}
