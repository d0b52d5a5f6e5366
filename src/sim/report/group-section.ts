/**
 * The counted jobs by class, and how evenly users were served.
 */
import { lengthText } from "../../base/index.ts";
import type { Fairness, JobGroup } from "../../model/index.ts";
import { paragraph, section } from "../../report/index.ts";
import { eachSite, type ReportMatter } from "./report-matter.ts";
import { type Column, hundredths, measuredRuns, runTable } from "./run-columns.ts";

const OPENING = paragraph(
  "Short jobs run at most an hour, narrow ones on at most 8 processors. Numbers are means over the " +
    "replicates, of the jobs that are counted; classes.csv and users.csv have medians and percentiles too.",
);

const FAIRNESS = paragraph(
  "Over the means of users, each counted once: the Gini coefficient is 0 where all users are served alike, " +
    "Jain's index is 1.",
);

const MEASURES: readonly (readonly [string, (group: JobGroup) => number, (value: number) => string])[] = [
  ["Mean wait by class", ({ waitMeanSec }) => waitMeanSec, lengthText],
  ["95th percentile of waits by class", ({ waitP95Sec }) => waitP95Sec, lengthText],
  ["Mean bounded slowdown by class", ({ boundedSlowdownMean }) => boundedSlowdownMean, hundredths],
];

const FAIRNESS_COLUMNS: readonly Column<Fairness>[] = [
  { head: "users", value: ({ count }) => count, text: (value) => String(Number(value.toFixed(1))) },
  { head: "Gini of waits", value: ({ waitGini }) => waitGini, text: thousandths },
  { head: "Jain of waits", value: ({ waitJain }) => waitJain, text: thousandths },
  { head: "Gini of slowdowns", value: ({ boundedSlowdownGini }) => boundedSlowdownGini, text: thousandths },
  { head: "Jain of slowdowns", value: ({ boundedSlowdownJain }) => boundedSlowdownJain, text: thousandths },
];

/** The section. */
export function groupSection(matter: ReportMatter): string {
  const parts = eachSite(matter, (site, where) => classTables(matter, site, where));
  const fairness = eachSite(matter, (site, where) =>
    runTable(
      `Fairness to users${where}`,
      FAIRNESS_COLUMNS,
      // A workload with one user has nobody to be fair between.
      measuredRuns(matter, site, ({ fairness: of }) => (of === undefined || of.count < 2 ? undefined : of)),
    ),
  );
  const isFair = fairness.some((part) => part !== "");
  return section("Classes and users", [OPENING, ...parts, ...(isFair ? [FAIRNESS, ...fairness] : [])]);
}

function classTables(matter: ReportMatter, site: string, where: string): string {
  const runs = measuredRuns(matter, site, ({ classes }) => classes);
  const names = [...new Set(runs.flatMap(({ facts }) => facts.flat().map(({ name }) => name)))];
  const tables = MEASURES.map(([title, measure, text]) => {
    const columns = names.map((name): Column<readonly JobGroup[]> => {
      const value = (classes: readonly JobGroup[]): number | null => {
        const group = classes.find((one) => one.name === name);
        return group === undefined ? null : measure(group);
      };
      return { head: name, value, text };
    });
    return runTable(`${title}${where}`, columns, runs);
  });
  return tables.join("");
}

function thousandths(value: number): string {
  return value.toFixed(3);
}
