/**
 * Figures 4 to 8 of [PROV], with our curves.
 */
import { type Axis, type ChartLine, lineChart, numberAxis, shareAxis } from "../../src/report/index.ts";
import type { Figure } from "../report-page.ts";
import { scatterPlot } from "../scatter-plot.ts";
import { type Measured, runOf } from "./measure.ts";
import { type Histogram, shareWithin } from "./observed.ts";

const NAMES = ["CTC", "SDSC"] as const;
/** Where the ranges of figure 4 end. */
const MOST_COUNTED = 58;
/** Of the axes of figures 5, 6 and 8: about what the source draws; what lies beyond is not shown. */
const MOST_JOBS = 150;
const MOST_SLOTS = 120;
const MOST_HOURS = 100;

/** All of them. */
export function figuresOf(all: readonly Measured[]): readonly Figure[] {
  const exact = NAMES.map((name) => runOf(all, name, "exact"));
  const requested = NAMES.map((name) => runOf(all, name, "requested"));
  return [
    {
      figure: "Fig. 4",
      title: "Number of available slots",
      pictures: [histogramPlot("Slots advertised", exact, ({ counts }) => counts, countBins())],
      caption:
        "The share of samples by how many slots there were, in the source's ranges (0–1, 2–4, 5–7 …). " +
        `More than ${MOST_COUNTED}: ${beyond(exact)}.`,
    },
    {
      figure: "Fig. 5",
      title: "Slots against jobs in the system",
      pictures: exact.map(loadPlot),
      caption: "A point for each number of jobs (across) and of slots (up) that was seen together.",
    },
    {
      figure: "Fig. 6",
      title: "Start and duration of slots, exact estimates",
      pictures: exact.map(shapePlot),
      caption: "Start from the sample (across) and duration (up), in hours.",
    },
    {
      figure: "Fig. 7",
      title: "Processors of slots",
      pictures: [histogramPlot("Processors of slots", exact, ({ procs }) => procs, procBins())],
      caption: "The share of slots by their processors, in the source's ranges (1, 2–5, 6–9 …).",
    },
    {
      figure: "Fig. 8",
      title: "Start and duration of slots, requested estimates",
      pictures: requested.map(shapePlot),
      caption: "As figure 6, with the estimates that people asked for.",
    },
  ];
}

function beyond(runs: readonly Measured[]): string {
  const shares = runs.map(({ cluster, observed }) => {
    const share = shareWithin(observed.counts, MOST_COUNTED + 1, Number.POSITIVE_INFINITY);
    return `${cluster.name} ${(share * 100).toFixed(1)} %`;
  });
  return shares.join(", ");
}

type Bin = readonly [from: number, to: number];

function countBins(): readonly Bin[] {
  return [[0, 1], ...Array.from({ length: 19 }, (_, i): Bin => [3 * i + 2, 3 * i + 4])];
}

function procBins(): readonly Bin[] {
  return [[1, 1], ...Array.from({ length: 16 }, (_, i): Bin => [4 * i + 2, 4 * i + 5])];
}

function histogramPlot(
  title: string,
  runs: readonly Measured[],
  histogram: (observed: Measured["observed"]) => Histogram,
  bins: readonly Bin[],
): string {
  const lines = runs.map(
    ({ cluster, observed }, series): ChartLine => ({
      name: cluster.name,
      series,
      points: bins.map(([from, to]) => [(from + to) / 2, shareWithin(histogram(observed), from, to)]),
    }),
  );
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, share]) => share)));
  const along = numberAxis(bins[bins.length - 1][1], 12, "");
  return lineChart({ title, description: `A line each for ${NAMES.join(" and ")}.` }, lines, [
    along,
    shareAxis(most, 6),
  ]);
}

function loadPlot({ cluster, observed }: Measured, series: number): string {
  const name = { title: `${cluster.name}: slots against jobs`, description: "Points." };
  const axes = [axis(MOST_JOBS, `${cluster.name}: jobs in the system`), axis(MOST_SLOTS, "slots")] as const;
  return scatterPlot(name, observed.loads, axes, series);
}

function shapePlot({ cluster, estimates, observed }: Measured, series: number): string {
  const name = {
    title: `${cluster.name}: start and duration, ${estimates} estimates`,
    description: "Points.",
  };
  const axes = [axis(MOST_HOURS, `${cluster.name}: start (h)`), axis(MOST_HOURS, "duration (h)")] as const;
  return scatterPlot(name, observed.shapes, axes, series);
}

function axis(most: number, label: string): Axis {
  return numberAxis(most, 5, label);
}
