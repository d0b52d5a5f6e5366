/**
 * The answer as one HTML page: no scripts, nothing from elsewhere, the picture with its table (rule SI-35).
 */
import { lengthText, MS_PER_SECOND, percentText } from "../../base/index.ts";
import type {
  ChangedGroup,
  Grouping,
  StartErrors,
  Timing,
  WhatIfChange,
  WhatIfReport,
  WhatIfRules,
} from "../../model/index.ts";
import {
  type Cell,
  type ChartLine,
  escaped,
  figure,
  htmlPage,
  htmlTable,
  lineChart,
  logTimeAxis,
  numberCell,
  paragraph,
  section,
  shareAxis,
  tableBehind,
} from "../../report/index.ts";
import type { MovedJob } from "./moved-starts.ts";
import type { ComparedJob } from "./start-errors.ts";

/** Points of a line, about the resolution of a chart. */
const POINTS = 60;
/** Groups of a kind that are shown; the JSON has all. */
const MOST_GROUPS = 25;
const GROUP_WORDS: Readonly<Record<Grouping, string>> = {
  queue: "queue",
  size: "processors",
  group: "account",
  user: "user",
};

/** The HTML text. */
export function whatIfPage(
  report: WhatIfReport,
  compared: readonly ComparedJob[],
  moved: readonly MovedJob[],
): string {
  const { trace, version, change } = report;
  const title = change === null ? "Today's rules and the record" : "What if";
  const header =
    `<header><h1>${escaped(title)}</h1>\n<p class="faint">${escaped(trace)}; simulated by Stint ` +
    `${escaped(version)}</p>\n${change === null ? "" : verdictPart(change)}</header>`;
  return htmlPage(`${title}: ${trace}`, [
    header,
    baselineSection(report),
    distances(linesOf(compared, moved)),
    change === null ? "" : changeSection(change),
  ]);
}

function baselineSection(report: WhatIfReport): string {
  const { baseline, beginning, rules, withoutRecord, skipped, comparedWith } = report;
  const [against, start] =
    comparedWith === "recorded"
      ? ["what really happened", "recorded"]
      : ["what the batch system expects", "expected"];
  const { running, waiting, runningWithoutRoom } = beginning;
  const begin =
    `At the beginning ${running} jobs run and ${waiting} wait, as they did; ${runningWithoutRoom} of those ` +
    `that ran found no room at once. ${withoutRecord} jobs have no ${start} start, ${skipped} are left out.`;
  const heads = [{ text: "jobs by" }, { text: "which" }, ...ERROR_HEADS.map((head) => numberCell(head))];
  const rows = [
    [{ text: "all" }, { text: "" }, ...errorCells(baseline)],
    ...baseline.groups.map((group): Cell[] => [
      { text: GROUP_WORDS[group.by] },
      { text: group.name },
      ...errorCells(group),
    ]),
  ];
  return section(`Today's rules against ${against}`, [
    ...[rulesText(rules), begin, waitText(report)].map(paragraph),
    htmlTable(`Simulated start less ${start} start`, heads, rows),
  ]);
}

const ERROR_HEADS = [
  "jobs",
  "median error",
  "p95",
  "mean",
  "bias",
  "within 15 min",
  "within 10 % of the wait",
];

function errorCells(errors: StartErrors): Cell[] {
  const { jobs, medianSec, p95Sec, meanSec, biasSec, within15MinShare, within10PercentShare } = errors;
  return [
    ...[String(jobs), lengthText(medianSec), lengthText(p95Sec), lengthText(meanSec), signed(biasSec)],
    ...[percentText(within15MinShare), percentText(within10PercentShare)],
  ].map((text) => numberCell(text));
}

function waitText({ baseline, comparedWith }: WhatIfReport): string {
  const { recordedWait, simulatedWait, jobs } = baseline;
  if (jobs === 0) return "Of no job is known when the batch system expects it to start.";
  const jobsWait = comparedWith === "recorded" ? "Jobs waited" : "Jobs are expected to wait";
  return (
    `${jobsWait} ${lengthText(recordedWait.meanSec)} in the mean (median ` +
    `${lengthText(recordedWait.medianSec)}, p95 ${lengthText(recordedWait.p95Sec)}); simulated they wait ` +
    `${lengthText(simulatedWait.meanSec)} (${lengthText(simulatedWait.medianSec)}, ` +
    `${lengthText(simulatedWait.p95Sec)}).`
  );
}

/** The result, as the first part. */
function verdictPart({ verdict, isWithinError }: WhatIfChange): string {
  return `<p>${isWithinError ? "<strong>Caution:</strong> " : ""}${escaped(verdict)}</p>\n`;
}

function changeSection(change: WhatIfChange): string {
  const { changes, waitToday, waitChanged, groups, rules } = change;
  const waits =
    `The mean wait goes from ${lengthText(waitToday.meanSec)} to ${lengthText(waitChanged.meanSec)}, its ` +
    `95th percentile from ${lengthText(waitToday.p95Sec)} to ${lengthText(waitChanged.p95Sec)}.`;
  const kinds = (["queue", "size", "group", "user"] as const).map((by) => groupTable(by, groups));
  return section(`With ${changes.join(", ")}`, [
    ...[rulesText(rules), waits].map(paragraph),
    htmlTable("All jobs", CHANGE_HEADS, [[{ text: "all" }, ...changeCells(change)]]),
    ...kinds,
  ]);
}

const CHANGE_HEADS: readonly Cell[] = [
  { text: "" },
  ...["jobs", "start earlier", "by (median, p95)", "start later", "by (median, p95)", "waiting in all"].map(
    (head) => numberCell(head),
  ),
];

function groupTable(by: Grouping, all: readonly ChangedGroup[]): string {
  const groups = all.filter((group) => group.by === by);
  if (groups.length === 0) return "";
  const shown = groups.slice(0, MOST_GROUPS);
  const rest = groups.length - shown.length;
  const caption = `By ${GROUP_WORDS[by]}${rest > 0 ? `; ${rest} with fewer jobs are in the JSON` : ""}`;
  return htmlTable(
    caption,
    CHANGE_HEADS,
    shown.map((group) => [{ text: group.name }, ...changeCells(group)]),
  );
}

function changeCells(moves: Omit<ChangedGroup, "by" | "name">): Cell[] {
  const { jobs, earlier, later, netSec } = moves;
  const texts = [String(jobs), ...timingTexts(earlier), ...timingTexts(later), signed(netSec)];
  return texts.map((text) => numberCell(text));
}

function timingTexts({ jobs, medianSec, p95Sec }: Timing): readonly [string, string] {
  return [String(jobs), jobs === 0 ? "" : `${lengthText(medianSec)}, ${lengthText(p95Sec)}`];
}

/** Distances of starts as a chart, or a sentence without any. */
function distances(lines: readonly ChartLine[]): string {
  const title = "How far starts are apart";
  const most = Math.max(1, ...lines.flatMap(({ points }) => points.map(([at]) => 10 ** at)));
  if (most === 1) return paragraph("No two starts of a job are more than a second apart.");
  const name = {
    title,
    description: "The share of jobs whose starts are less than a time apart.",
  };
  const heads: Cell[] = [{ text: "share of jobs" }, ...lines.map((line) => numberCell(line.name))];
  const rows = [0.25, 0.5, 0.75, 0.9, 0.95, 1].map((share): Cell[] => [
    { text: percentText(share) },
    ...lines.map(({ points }) => {
      const at = points.find(([, reached]) => reached >= share - 1e-9)?.[0] ?? 0;
      return numberCell(at === 0 ? "1s or less" : lengthText(10 ** at));
    }),
  ]);
  const chart = lineChart(name, lines, [logTimeAxis(most), shareAxis(1, 5)]);
  const caption = "The share of jobs whose starts are less than a time apart; the axis is logarithmic.";
  return figure(title, chart, caption) + tableBehind("Starts are at most so far apart", heads, rows);
}

function linesOf(compared: readonly ComparedJob[], moved: readonly MovedJob[]): readonly ChartLine[] {
  const errors = compared.map(({ job, recordedMs }) => Math.abs(job.startMs - recordedMs));
  const effects = moved.map(({ job, changedStartMs }) => Math.abs(changedStartMs - job.startMs));
  const lines = [{ name: "today's rules and the record", series: 0, points: pointsOf(errors) }];
  if (effects.length === 0) return lines;
  return [...lines, { name: "the change and today's rules", series: 1, points: pointsOf(effects) }];
}

/** log10 of seconds, from a second on, and the share of values up to there. */
function pointsOf(valuesMs: readonly number[]): (readonly [number, number])[] {
  const sorted = valuesMs.toSorted((one, other) => one - other);
  return Array.from({ length: POINTS + 1 }, (_, i) => {
    const rank = Math.round((i / POINTS) * (sorted.length - 1));
    const sec = Math.max(1, sorted[rank] / MS_PER_SECOND);
    return [Math.log10(sec), (rank + 1) / sorted.length] as const;
  });
}

function rulesText({ discipline, estimates, overrun, pools, policies }: WhatIfRules): string {
  const sizes = pools.map(
    ({ name, procs, nodes }) => `${name} ${procs}${nodes === undefined ? "" : ` × ${nodes}`}`,
  );
  const words = `Discipline ${discipline}, ${estimates} estimates, overrun ${overrun}`;
  const enforced = policies.length === 0 ? "" : `; policies ${policies.join(", ")}`;
  return `${words}${enforced}; processors: ${sizes.join(", ")}.`;
}

function signed(sec: number): string {
  const sign = sec < 0 ? "−" : "+";
  return sec === 0 ? "0s" : `${sign}${lengthText(Math.abs(sec))}`;
}
