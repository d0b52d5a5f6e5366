/**
 * Price-sensitive and strategic users: [PROV] chapters 5 and 8, from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, lineChart, numberAxis, numberCell } from "../../src/report/index.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Cluster } from "../slots/clusters.ts";
import type { Verdict } from "../verdict.ts";
import { type MeasuredUsers, measureUsers, SHARES } from "./measure.ts";
import { BALANCE, verdictsOf } from "./verdicts.ts";

/** What is to be run. */
export interface UsersOrder {
  readonly clusters: readonly Cluster[];
  readonly days: number;
  /** Where the report goes. */
  readonly out: string;
}

/** Runs everything and writes the report. */
export async function runUsers(
  { clusters, days, out }: UsersOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  const measured = await measureUsers(clusters, days, tell);
  const verdicts = verdictsOf(measured);
  const page = reportPage({
    title: "Users: load balancing and lies, [PROV] chapters 5 and 8",
    deviations: deviations(measured, days),
    opening: spreadTable(measured) + lieTable(measured),
    figures: [balanceFigure(measured)],
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

function deviations({ sites }: MeasuredUsers, days: number): readonly string[] {
  return [
    "The source has no experiment of these: it says what prices can lead to, and leaves strategic users " +
      "to future work. The claims are its sentences, or where it has none, ours.",
    `Sites: ${sites.join(", ")}; ${days} days, conservative backfilling, exact estimates where nothing ` +
      "else is said. The second is the busiest, the last is the same machine a period later.",
    "Jobs that look everywhere choose by α over the lists of all sites that are wide enough, put together; " +
      "their data is everywhere.",
    "A twentieth of the jobs lies, all at once; each is compared with itself when all are honest. That is " +
      "near to one liar among honest people, and not the same.",
  ];
}

function balanceFigure({ spreads }: MeasuredUsers): Figure {
  const looks = ["at home", "everywhere"] as const;
  const lines = looks.map((where, series) => ({
    name: where,
    series,
    points: SHARES.map((share): readonly [number, number] => {
      const one = spreads.find((it) => it.share === share && it.alpha === 0.5 && it.looks === where);
      return [share, (one?.widest ?? 0) * 100];
    }),
  }));
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)));
  const name = {
    title: "Difference between the busiest and the idlest site",
    description: "A line for jobs that look at home, one for jobs that look everywhere.",
  };
  return {
    figure: BALANCE,
    title: "Utilisation of the busiest site less that of the idlest, α = 0.5",
    pictures: [
      lineChart(name, lines, [numberAxis(1, 4, "share of the jobs"), numberAxis(most, 5, "percent points")]),
    ],
    caption: "Against the share of jobs that look for prices.",
  };
}

function spreadTable({ sites, spreads }: MeasuredUsers): string {
  const heads: Cell[] = [
    { text: "who looks" },
    ...["α", ...sites, "mean f (SU)", "they wait (h)", "queued wait (h)", "moved"].map((text) =>
      numberCell(text),
    ),
  ];
  const rows = spreads.map(({ share, alpha, looks, utilisation, ...one }) => [
    { text: `${share * 100} % ${looks}` },
    ...[
      String(alpha),
      ...utilisation.map((busy) => `${(busy * 100).toFixed(1)} %`),
      one.fixedSu.toFixed(2),
      one.reservedWaitHours.toFixed(2),
      one.queuedWaitHours.toFixed(2),
      String(one.moved),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable("Three sites, their utilisation, prices and waits", heads, rows);
}

function lieTable({ lies }: MeasuredUsers): string {
  const heads: Cell[] = [
    { text: "who lies, and how" },
    ...["amount", "liars", "wait honest (h)", "wait lying (h)", "they pay f (SU)"].map((text) =>
      numberCell(text),
    ),
  ];
  const rows = lies.map(({ cluster, estimates, lie, amount, ...one }) => [
    { text: `${cluster}, ${estimates} estimates: ${lie}` },
    ...[
      String(amount),
      String(one.liars),
      one.honestWaitHours.toFixed(2),
      one.lyingWaitHours.toFixed(2),
      one.lyingFixedSu.toFixed(2),
    ].map((text) => numberCell(text)),
  ]);
  return htmlTable("Lies; the amount is a factor, of those that reserve it is α", heads, rows);
}
