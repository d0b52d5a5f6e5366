/** A what-if with its baseline, for a terminal. */
import { lengthText, percentText } from "../base/index.ts";
import type {
  ChangedGroup,
  Grouping,
  StartErrors,
  Timing,
  WhatIfBaseline,
  WhatIfChange,
  WhatIfReport,
} from "../model/index.ts";
import { outColours } from "./colours.ts";
import { type Column, printable, textTable } from "./text-table.ts";

/** Largest number of groups of a kind in the table; the JSON has all. */
const SHOWN = 8;
const WORDS: Readonly<Record<Grouping, string>> = {
  queue: "queue",
  size: "procs",
  group: "account",
  user: "user",
};

/** The baseline first, then the change. */
export function whatIfTable(report: WhatIfReport): string {
  const { rules, trace, baseline, change, comparedWith } = report;
  const [against, theirs] =
    comparedWith === "recorded"
      ? ["what really happened", "recorded"]
      : ["what the batch system expects", "expected"];
  const ours = `${waits(baseline.simulatedWait)} simulated`;
  const waited = `  waits: ${waits(baseline.recordedWait)} ${theirs}, ${ours}`;
  const lines = [
    outColours.bold(printable(trace)),
    `  today: discipline ${rules.discipline}, ${rules.estimates} estimates, overrun ${rules.overrun}`,
    ...(rules.policies.length === 0 ? [] : [`  policies: ${printable(rules.policies.join(", "))}`]),
    ...beginning(report),
    "",
    outColours.bold(`Today's rules against ${against}`),
    ...(baseline.jobs === 0
      ? ["  of no job is known when it expects it to start"]
      : [waited, "", errorTable(baseline)]),
  ];
  return `${lines.join("\n")}${change === null ? "" : changePart(change)}`;
}

function beginning({
  beginning: begun,
  withoutRecord,
  neverStarted,
  skipped,
  baseline,
  comparedWith,
}: WhatIfReport): string[] {
  const { fromAt, running, waiting, runningWithoutRoom } = begun;
  const from = fromAt === null ? "the first job (no period is given)" : fromAt.replace(".000Z", "Z");
  const left = [
    [withoutRecord, `without ${comparedWith === "recorded" ? "a recorded" : "an expected"} start`],
    [skipped, "left out"],
  ].flatMap(([count, words]) => (count === 0 ? [] : [`, ${count} ${words}`]));
  return [
    `  from ${from}: ${running} jobs running and ${waiting} waiting, as they were`,
    ...(runningWithoutRoom > 0
      ? [`  ${runningWithoutRoom} of those running found no room at once: the site is too small here`]
      : []),
    `  ${baseline.jobs} jobs compared${left.join("")}`,
    ...(neverStarted > 0
      ? [`  left out: ${neverStarted} cancelled while waiting, which would have started here`]
      : []),
  ];
}

const ERROR_COLUMNS: readonly Column[] = [
  { head: "jobs by" },
  { head: "" },
  ...["jobs", "median error", "p95", "mean", "bias", "≤ 15 min", "≤ 10 %"].map((head) => ({
    ...{ head, align: "right" as const },
  })),
];

function errorTable(baseline: WhatIfBaseline): string {
  const groups = (["queue", "size"] as const).flatMap((by) =>
    baseline.groups.filter((group) => group.by === by).slice(0, SHOWN),
  );
  return textTable(
    ERROR_COLUMNS,
    [
      ["  all", "", ...errorCells(baseline)],
      ...groups.map((group) => [`  ${WORDS[group.by]}`, group.name, ...errorCells(group)]),
    ],
    undefined,
  );
}

function errorCells(errors: StartErrors): string[] {
  const { jobs, medianSec, p95Sec, meanSec, biasSec, within15MinShare, within10PercentShare } = errors;
  return [
    ...[String(jobs), lengthText(medianSec), lengthText(p95Sec), lengthText(meanSec)],
    ...[signed(biasSec), percentText(within15MinShare), percentText(within10PercentShare)],
  ];
}

const CHANGE_COLUMNS: readonly Column[] = [
  { head: "jobs by" },
  { head: "" },
  ...["jobs", "earlier", "median", "p95", "later", "median", "p95", "waiting in all"].map((head) => ({
    ...{ head, align: "right" as const },
  })),
];

function changePart(change: WhatIfChange): string {
  const { changes, verdict, isWithinError, waitToday, waitChanged, groups } = change;
  const { incomparable, onlyToday } = change;
  const kinds = (["queue", "size", "group", "user"] as const).flatMap((by) => mostMoved(by, groups));
  const table = textTable(
    CHANGE_COLUMNS,
    [
      ["  all", "", ...changeCells(change)],
      ...kinds.map((group) => [`  ${WORDS[group.by]}`, group.name, ...changeCells(group)]),
    ],
    undefined,
  );
  const lines = [
    "",
    outColours.bold(`With ${printable(changes.join(", "))}`),
    `  ${isWithinError ? "CAUTION: " : ""}${verdict}`,
    `  waits: ${waits(waitToday)} today, ${waits(waitChanged)} changed`,
    ...(onlyToday > 0 ? [`  ${onlyToday} jobs start only under today's rules`] : []),
    ...(incomparable > onlyToday
      ? [`  ${incomparable - onlyToday} jobs start only under the changed rules`]
      : []),
    "",
    table,
  ];
  return lines.join("\n");
}

/** Groups with the largest changes of waits; sizes all, in their order. */
function mostMoved(by: Grouping, all: readonly ChangedGroup[]): readonly ChangedGroup[] {
  const groups = all.filter((group) => group.by === by);
  if (by === "size") return groups;
  return groups.toSorted((one, other) => Math.abs(other.netSec) - Math.abs(one.netSec)).slice(0, SHOWN);
}

function changeCells(moves: Omit<ChangedGroup, "by" | "name">): string[] {
  const { jobs, earlier, later, netSec } = moves;
  return [String(jobs), ...timing(earlier), ...timing(later), signed(netSec)];
}

function timing({ jobs, medianSec, p95Sec }: Timing): string[] {
  if (jobs === 0) return ["0", "", ""];
  return [String(jobs), lengthText(medianSec), lengthText(p95Sec)];
}

function waits({ meanSec, medianSec, p95Sec }: WhatIfBaseline["recordedWait"]): string {
  return `mean ${lengthText(meanSec)} (median ${lengthText(medianSec)}, ` + `p95 ${lengthText(p95Sec)})`;
}

function signed(sec: number): string {
  const size = lengthText(Math.abs(sec));
  if (size === "0s") return size;
  return `${sec < 0 ? "−" : "+"}${size}`;
}
