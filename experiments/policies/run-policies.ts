/**
 * Figures 2 to 21 of [UP], Grid3, ART and AJC, from workloads to a report.
 */
import { writeFile } from "node:fs/promises";
import { type Cell, htmlTable, numberCell } from "../../src/report/index.ts";
import { reportPage } from "../report-page.ts";
import type { Verdict } from "../verdict.ts";
import { BROKER_WAYS, measureBrokers } from "./brokers.ts";
import { told } from "./draws.ts";
import { measureEnforcers } from "./enforcers.ts";
import { courses, fiveSitesFigures, sitesFigure } from "./figures.ts";
import { FIVE_WAYS, measureFiveSites } from "./five-sites.ts";
import { measureGridThree } from "./grid-three.ts";
import { measureTwoSites, type TwoSitesWay } from "./two-sites.ts";
import { verdictsOf } from "./verdicts.ts";

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
  tell(`two sites, two organisations, two groups: ${draws} draws, four ways and two controls\n`);
  const twoSites = TWO_SITES_WAYS.map((way) => measureTwoSites(way, draws));
  tell("five sites; ways to enforce on one site; Grid3; brokers\n");
  const fiveSites = new Map(FIVE_WAYS.map((way) => [way, measureFiveSites(way, draws)]));
  const gridThree = new Map(GRID_WAYS.map((way) => [way, measureGridThree(way, draws)]));
  const measured = {
    twoSites,
    fiveSites,
    enforcers: measureEnforcers(draws),
    gridThree,
    brokers: new Map(BROKER_WAYS.map((way) => [way, measureBrokers(way, draws)])),
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
      ...fiveSitesFigures(fiveSites),
      ...[...gridThree].map(([way, { shown }]) => ({
        figure: "Slide 28",
        title: `Grid3: processors in use, by ${way}`,
        pictures: [courses([shown], ["usatlas", "gridex"], 1200)],
        caption: "35 % against 0.1 %, no burst; the big one is away from hour 6 to hour 14.",
      })),
    ],
    verdicts,
  });
  await writeFile(out, page);
  return verdicts;
}

const TWO_SITES_WAYS: readonly TwoSitesWay[] = [
  { rule: "entitlement", form: "ours" },
  { rule: "entitlement", form: "literal" },
  { rule: "cap", form: "ours" },
  { rule: "cap", form: "literal" },
  { rule: "entitlement", form: "organisations" },
  { rule: "entitlement", form: "nobody" },
];
const GRID_WAYS = ["policies", "caps", "nobody"] as const;

const DEVIATIONS: readonly string[] = [
  "The source gives neither the size of its sites nor the run times of its jobs, nor when who submits, and " +
    "its figures no numbers: sites of 20 processors, exponential run times of 10 minutes in the mean, VO0 " +
    "from minute 0 to 40, VO1 from 20 to 60; what the figures must show is our reading. Of two groups one " +
    "submits three times as much as the other: with equal work they would have equal parts anyway.",
  "Condor, PBS/Maui and Slurm are simulated, by what of each bears on shares: Maui with MAXPROC and FSCAP, " +
    "Condor with negotiation and preemption but no limits, Slurm with GrpTRES and GrpTRESMins (safe).",
  "Epochs slide. The literal logic is asked again every second while it does something, not bound by " +
    "minimum run times or budgets; ours keeps its minimum run time of a minute.",
  "Violations are those of our verification: time above the limit at the level of the organisations.",
  "Grid3 is a drawn load of the same shape on 20 processors; the source shows two weeks of a real site.",
  "ART and AJC: five sites that differ in what they give. Both brokers are Stint's recommender with the " +
    "selector for the least used site; one asks the sites' policies for their verdicts first.",
];
