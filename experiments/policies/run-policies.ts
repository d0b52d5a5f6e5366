/**
 * Figures 2 to 21 of [UP], Grid3, ART and AJC, from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import { linePlot } from "../../src/sim/report/line-plot.ts";
import { type Cell, htmlTable, numberCell } from "../../src/sim/report/markup.ts";
import { numberAxis } from "../../src/sim/report/ticks.ts";
import { type Figure, reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import {
  measureBrokers,
  measureEnforcers,
  measureFiveSites,
  measureGridThree,
  measureTwoSites,
  type TwoSites,
} from "./measure.ts";
import { type PlayedSite, partUsed } from "./play-sites.ts";
import { told, verdictsOf } from "./verdicts.ts";

/** What is to be run. */
export interface PoliciesOrder {
  readonly draws: number;
  /** Where the report goes. */
  readonly out: string;
}

/** Runs everything and writes the report. */
export async function runPolicies(
  { draws, out }: PoliciesOrder,
  tell: (text: string) => void,
): Promise<readonly Verdict[]> {
  tell(`two sites, two organisations, two groups: ${draws} draws, four ways\n`);
  const twoSites = (["entitlement", "cap"] as const).flatMap((rule) =>
    (["ours", "literal"] as const).map((form) => measureTwoSites(rule, form, draws)),
  );
  tell("five sites; six ways to enforce on one site; Grid3; brokers\n");
  const measured = {
    twoSites,
    fiveSites: measureFiveSites(draws),
    enforcers: measureEnforcers(draws),
    gridThree: measureGridThree(draws),
    brokers: measureBrokers(draws),
  };
  const verdicts = verdictsOf(measured);
  const enforcerRows = [...measured.enforcers].map(([name, { burst, epoch, used }]): Cell[] => [
    { text: name },
    ...[burst, epoch, used].map((values) => numberCell(told(values))),
  ]);
  const heads: Cell[] = [{ text: "enforced by" }, ...["BUPV", "EUPV", "ARU"].map((text) => numberCell(text))];
  const page = reportPage({
    title: "Usage policies: [UP] figures 2 to 21, Grid3, ART and AJC",
    deviations: DEVIATIONS,
    opening: htmlTable("Violations in percent of the capacity, with intervals of 95 %", heads, enforcerRows),
    figures: [
      ...twoSites.flatMap((it) => [
        sitesFigure(it, "Fig. 2–5", ["vo0", "vo1"]),
        sitesFigure(it, "Fig. 6–9", ["vo0/group0", "vo0/group1"]),
      ]),
      {
        figure: "Slide 28",
        title: "Grid3: processors in use",
        pictures: [courses(measured.gridThree.shown, ["usatlas", "gridex"], 1200)],
        caption: "35 % against 0.1 %, no burst; the big one is away from hour 6 to hour 14.",
      },
    ],
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

const DEVIATIONS: readonly string[] = [
  "The source gives neither the size of its sites nor the run times of its jobs, nor when who submits, and " +
    "its figures no numbers: sites of 20 processors, exponential run times of 10 minutes in the mean, VO0 " +
    "from minute 0 to 40, VO1 from 20 to 60; what the figures must show is our reading.",
  "Real Condor and PBS/Maui stand beside priorities in their manner, simulated, without preemption.",
  "Epochs slide. The literal logic is asked again every second while it does something, not bound by " +
    "minimum run times or budgets; ours keeps its minimum run time of a minute.",
  "Violations are those of our verification: time above the limit at the level of the organisations.",
  "Grid3 is a drawn load of the same shape on 20 processors; the source shows two weeks of a real site.",
  "ART and AJC: five sites that differ in what they give; the broker knows that, or only how large they are.",
];

function sitesFigure({ rule, form, shown }: TwoSites, figure: string, consumers: readonly string[]): Figure {
  return {
    figure,
    title: `One of the two sites, ${rule}, ${form}`,
    pictures: [courses(shown, consumers, 60)],
    caption: "Percent of the site in use, minute by minute: VO0 from 0 to 40, VO1 from 20 to 60.",
  };
}

function courses(site: PlayedSite, consumers: readonly string[], minutes: number): string {
  const step = minutes / 60;
  const lines = consumers.map((name, series) => ({
    name,
    series,
    points: Array.from({ length: 60 }, (_, at): readonly [number, number] => [
      (at + 0.5) * step,
      100 * partUsed(site, name, [at * step, (at + 1) * step]),
    ]),
  }));
  const axes = [numberAxis(minutes, 6, "minutes"), numberAxis(100, 5, "%")] as const;
  const title = `Use by ${consumers.join(" and ")}`;
  return linePlot({ title, description: "A line for each consumer, in percent of the site." }, lines, axes);
}
