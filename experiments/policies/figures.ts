/**
 * Figures of [UP] as we find them: use minute by minute, and the workload that it is of.
 */
import { lineChart, numberAxis } from "../../src/report/index.ts";
import type { Figure } from "../report-page.ts";
import { mean } from "./draws.ts";
import type { FiveSites, FiveWay } from "./five-sites.ts";
import { type PlayedSite, partUsed } from "./play-sites.ts";
import type { TwoSites } from "./two-sites.ts";
import { MINUTE } from "./workload.ts";

const HOUR_MINUTES = 60;

/** One of the two sites. */
export function sitesFigure(
  { rule, form, shown }: TwoSites,
  figure: string,
  consumers: readonly string[],
): Figure {
  return {
    figure,
    title: `One of the two sites, ${form === "nobody" ? "nobody enforces" : `${rule}, ${form}`}`,
    pictures: [courses([shown], consumers, HOUR_MINUTES)],
    caption: "Percent of the site in use, minute by minute: VO0 from 0 to 40, VO1 from 20 to 60.",
  };
}

/** Figures 10 to 13, each under the policies and under a control. */
export function fiveSitesFigures(all: ReadonlyMap<FiveWay, FiveSites>): readonly Figure[] {
  const [held, unheld] = [all.get("policies"), all.get("nobody")];
  if (held === undefined || unheld === undefined) throw new Error("what must hold: both were played");
  const pair = (consumers: readonly string[]) =>
    [held, unheld].map(({ shown }) => courses(shown, consumers, HOUR_MINUTES));
  const beside = "left under the policies, right where nobody enforces";
  return [
    {
      figure: "Fig. 10–11",
      title: "Fig. 10: overall workload",
      pictures: [workload(held)],
      caption: "Jobs that had been submitted to the five sites, by organisation.",
    },
    {
      figure: "Fig. 10–11",
      title: "Fig. 11: overall CPU utilisation",
      pictures: pair([""]),
      caption: `Percent of the five sites in use: ${beside}.`,
    },
    {
      figure: "Fig. 12",
      title: "Use of VO0 and of the others on five sites",
      pictures: pair(["vo0", "vo1", "vo2"]),
      caption: `VO0 has 20 %, VO1 30 and VO2 50, from minutes 0, 10 and 20 on: ${beside}.`,
    },
    {
      figure: "Fig. 13",
      title: "Use of VO0's groups on five sites",
      pictures: pair(["vo0/group0", "vo0/group1"]),
      caption: `A half of VO0's each; Group0 submits three times as many jobs: ${beside}.`,
    },
  ];
}

/** Use minute by minute, a line for each consumer; the mean of the sites. */
export function courses(sites: readonly PlayedSite[], consumers: readonly string[], minutes: number): string {
  const step = minutes / HOUR_MINUTES;
  const lines = consumers.map((name, series) => ({
    name: name === "" ? "all" : name,
    series,
    points: Array.from({ length: HOUR_MINUTES }, (_, at): readonly [number, number] => [
      (at + 0.5) * step,
      100 * mean(sites.map((site) => partUsed(site, name, [at * step, (at + 1) * step]))),
    ]),
  }));
  const axes = [numberAxis(minutes, 6, "minutes"), numberAxis(100, 5, "%")] as const;
  const title = `Use by ${lines.map(({ name }) => name).join(" and ")}`;
  return lineChart({ title, description: "A line for each consumer, in percent of the sites." }, lines, axes);
}

function workload({ jobs }: FiveSites): string {
  const names = [...new Set(jobs.map(({ consumer }) => consumer.split("/")[0] ?? consumer))].sort();
  const lines = names.map((name, series) => {
    const own = jobs.filter(({ consumer }) => consumer.startsWith(`${name}/`));
    const points = Array.from({ length: HOUR_MINUTES + 1 }, (_, minute): readonly [number, number] => [
      minute,
      own.filter(({ submitMs }) => submitMs <= minute * MINUTE).length,
    ]);
    return { name, series, points };
  });
  const most = Math.max(...lines.flatMap(({ points }) => points.map(([, count]) => count)));
  const axes = [numberAxis(HOUR_MINUTES, 6, "minutes"), numberAxis(most, 5, "jobs")] as const;
  return lineChart({ title: "Jobs submitted", description: "A line for each organisation." }, lines, axes);
}
