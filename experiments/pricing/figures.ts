/**
 * Figures 23 to 31 of [PROV], with our curves.
 */
import { type ChartLine, lineChart, numberAxis } from "../../src/report/index.ts";
import type { Figure } from "../report-page.ts";
import { ALPHAS, found, LOADS, type Measured, type Setting, SHARES } from "./measure.ts";
import { type Priced, waitRatioOf } from "./play.ts";

const NAMES = ["CTC", "SDSC"] as const;

/** Points of one curve. */
interface Curve {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
}

/** All of them. */
export function figuresOf(all: readonly Measured[]): readonly Figure[] {
  return [...priceFigures(all), ...ruleFigures(all), ...waitFigures(all)];
}

function price({ fixedSu }: Priced): number {
  return fixedSu;
}

function priceFigures(all: readonly Measured[]): readonly Figure[] {
  return [
    {
      figure: "Fig. 23",
      title: "Average price for different trade-off factors",
      pictures: [
        plot(
          ["Price (SU) against the trade-off factor", "SU"],
          NAMES.map((name) => alphaCurve(all, [name, name], {}, price)),
        ),
      ],
      caption: "10 % of the jobs reserve; conservative backfilling, exact estimates.",
    },
    {
      figure: "Fig. 25",
      title: "Price with increasing load",
      pictures: NAMES.map((name) =>
        plot(
          [`${name}: price (SU) against the trade-off factor`, `${name}: SU`],
          LOADS.map((added) => alphaCurve(all, [name, loadText(added)], { added }, price)),
        ),
      ),
      caption: "A part of the jobs is submitted twice.",
    },
    {
      figure: "Fig. 27",
      title: "Price with increasing share of reservations, α = 0",
      pictures: [
        plot(
          ["Price (SU) against the share that reserves", "SU"],
          NAMES.map((name) => ({
            name,
            points: SHARES.map((share) => [share, price(found(all, name, { share }))]),
          })),
          "share of the jobs",
        ),
      ],
      caption: "From 10 to 90 % of the jobs reserve.",
    },
  ];
}

function ruleFigures(all: readonly Measured[]): readonly Figure[] {
  return [
    {
      figure: "Fig. 29",
      title: "Conservative and aggressive backfilling, each job its own α",
      pictures: NAMES.map((name) =>
        plot(
          [`${name}: price (SU) against the utilisation`, `${name}: SU`],
          (["conservative", "easy"] as const).map((discipline) => ({
            name: discipline === "easy" ? "AB" : "CB",
            points: LOADS.map((added) => {
              const one = found(all, name, { discipline, added, alpha: "random" });
              return [one.utilisation, price(one)];
            }),
          })),
          "utilisation",
        ),
      ),
      caption: "CB: conservative; AB: aggressive (EASY).",
    },
    {
      figure: "Fig. 30",
      title: "Price with exact and with requested estimates",
      pictures: NAMES.map((name) =>
        plot(
          [`${name}: price (SU) against the trade-off factor`, `${name}: SU`],
          (["exact", "requested"] as const).map((estimates) =>
            alphaCurve(all, [name, estimates], { estimates }, price),
          ),
        ),
      ),
      caption: "Requested estimates are what people asked for.",
    },
  ];
}

function waitFigures(all: readonly Measured[]): readonly Figure[] {
  const both = (name: string, more: Partial<Setting>): readonly Curve[] => [
    alphaCurve(all, [name, "reserved"], more, ({ reservedWaitHours }) => reservedWaitHours),
    alphaCurve(all, [name, "queued"], more, ({ queuedWaitHours }) => queuedWaitHours),
  ];
  const waits = (figure: string, title: string, more: Partial<Setting>, caption: string): Figure => ({
    ...{ figure, title, caption },
    pictures: NAMES.map((name) =>
      plot([`${name}: mean wait (h) against the trade-off factor`, `${name}: hours`], both(name, more)),
    ),
  });
  return [
    waits("Fig. 24", "Average waits", {}, "10 % of the jobs reserve."),
    {
      figure: "Fig. 26",
      title: "Wait of reservations beside that of the queue, with increasing load",
      pictures: NAMES.map((name) =>
        plot(
          [`${name}: reserved ÷ queued wait`, `${name}: ratio`],
          LOADS.map((added) => alphaCurve(all, [name, loadText(added)], { added }, waitRatioOf)),
        ),
      ),
      caption: "Mean wait of those that reserved over that of those that queued.",
    },
    waits("Fig. 28", "Average waits", { share: 0.5 }, "50 % of the jobs reserve."),
    waits("Fig. 31", "Average waits", { estimates: "requested" }, "Requested estimates; 10 % reserve."),
  ];
}

function loadText(added: number): string {
  return added === 0 ? "as recorded" : `+${added * 100} % of the jobs`;
}

function alphaCurve(
  all: readonly Measured[],
  [cluster, name]: readonly [cluster: string, name: string],
  more: Partial<Setting>,
  value: (priced: Priced) => number,
): Curve {
  return { name, points: ALPHAS.map((alpha) => [alpha, value(found(all, cluster, { ...more, alpha }))]) };
}

function plot(
  [title, label]: readonly [title: string, label: string],
  curves: readonly Curve[],
  along = "trade-off factor",
): string {
  const most = Math.max(...curves.flatMap(({ points }) => points.map(([, value]) => value)));
  const lines = curves.map(({ name, points }, series): ChartLine => ({ name, series, points }));
  const description = `A line each for ${curves.map(({ name }) => name).join(", ")}.`;
  return lineChart({ title, description }, lines, [numberAxis(1, 4, along), numberAxis(most, 5, label)]);
}
