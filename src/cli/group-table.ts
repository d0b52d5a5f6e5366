/** The jobs of a simulation by class, user or group, for a terminal and as CSV. */
import { lengthText, percentText } from "../base/index.ts";
import type { Fairness, GroupedJobs, JobGroup, ShareDeviation, SimulationReport } from "../model/index.ts";
import { csvText } from "./output-forms.ts";
import { textTable } from "./text-table.ts";

const HEADS = ["JOBS", "OF JOBS", "PROC-HOURS", "OF WORK", "WAIT MEAN", "MEDIAN", "P95"];
const SLOWDOWN_HEADS = ["SLOWDOWN MEAN", "MEDIAN", "P95"];

/** A table for each grouping, with the fairness to its users or groups, then use beside shares. */
export function groupTables({ grouped = [], shares }: SimulationReport): string {
  const parts = grouped.map((one) => `\n${groupTable(one)}${fairnessLines(one)}`);
  return parts.join("") + (shares === undefined ? "" : `\n${shareTable(shares)}`);
}

/** The groups of one grouping; columns are the JSON keys. */
export function groupCsv({ grouped: [one] = [] }: SimulationReport): string {
  if (one === undefined) return "";
  const fields = Object.keys(one.groups[0]);
  return csvText(
    [one.by, ...fields.filter((field) => field !== "name")],
    one.groups.map((group) => ({ [one.by]: group.name, ...group })),
  );
}

function groupTable({ by, groups }: GroupedJobs): string {
  const heads = [...HEADS, ...SLOWDOWN_HEADS].map((head) => ({ head, align: "right" as const }));
  return textTable([{ head: by.toUpperCase() }, ...heads], groups.map(groupCells), undefined);
}

function groupCells(group: JobGroup): readonly string[] {
  const slowdowns = [group.boundedSlowdownMean, group.boundedSlowdownMedian, group.boundedSlowdownP95];
  return [
    group.name,
    String(group.jobs),
    percentText(group.jobShare),
    group.procHours.toFixed(1),
    percentText(group.workShare),
    ...[group.waitMeanSec, group.waitMedianSec, group.waitP95Sec].map(lengthText),
    ...slowdowns.map((value) => value.toFixed(2)),
  ];
}

function fairnessLines({ by, narrowProcs, shortSec, fairness }: GroupedJobs): string {
  if (narrowProcs !== undefined && shortSec !== undefined) {
    return `narrow: at most ${narrowProcs} processors; short: at most ${lengthText(shortSec)}\n`;
  }
  return fairness === undefined ? "" : `${fairnessText(by, fairness)}\n`;
}

function fairnessText(by: string, fairness: Fairness): string {
  const { count, waitGini, waitJain, boundedSlowdownGini, boundedSlowdownJain } = fairness;
  return (
    `over the means of ${count} ${count === 1 ? by : `${by}s`}: ` +
    `Gini ${waitGini.toFixed(3)} of waits, ${boundedSlowdownGini.toFixed(3)} of slowdowns (0 is even); ` +
    `Jain ${waitJain.toFixed(3)} and ${boundedSlowdownJain.toFixed(3)} (1 is even)`
  );
}

function shareTable({ deviation, consumers }: ShareDeviation): string {
  const heads = ["SHARE", "USED"].map((head) => ({ head, align: "right" as const }));
  const rows = consumers.map(({ consumer, share, used }) => [
    consumer,
    percentText(share, 2),
    percentText(used, 2),
  ]);
  const table = textTable([{ head: "CONSUMER" }, ...heads], rows, undefined);
  return `${table}deviation from the shares ${percentText(deviation, 2)} (0 % is in proportion)\n`;
}
