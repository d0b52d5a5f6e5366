/**
 * The answer as one HTML page: no scripts, nothing from elsewhere, the picture with its table (rule SI-35).
 */
import { MS_PER_SECOND, percentText } from "../../base/index.ts";
import type {
  ChangedGroup,
  Grouping,
  StartErrors,
  Timing,
  WhatIfChange,
  WhatIfReport,
  WhatIfRules,
} from "../../model/index.ts";
import { linePlot, type PlotLine } from "../report/line-plot.ts";
import { type Cell, escaped, htmlTable, numberCell, tableBehind } from "../report/markup.ts";
import { lengthText } from "../report/metric-text.ts";
import { STYLE } from "../report/style.ts";
import { logTimeAxis, shareAxis } from "../report/ticks.ts";
import type { MovedJob } from "./moved-starts.ts";
import type { ComparedJob } from "./start-errors.ts";

/** Points of a line, which is as much as one sees. */
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
  const lines = linesOf(compared, moved);
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">\n` +
    `<title>${escaped(`${title}: ${trace}`)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n` +
    `<header><h1>${escaped(title)}</h1>\n<p class="faint">${escaped(trace)}; simulated by Stint ` +
    `${escaped(version)}</p>\n</header>\n${baselineSection(report)}\n${picture(lines)}\n` +
    `${change === null ? "" : changeSection(change)}\n</body>\n</html>\n`
  );
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
  return (
    `<section><h2>Today's rules against ${against}</h2>\n` +
    `<p>${escaped(rulesText(rules))}</p>\n<p>${begin}</p>\n<p>${escaped(waitText(report))}</p>\n` +
    `${htmlTable(`Simulated start less ${start} start`, heads, rows)}</section>`
  );
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

function changeSection(change: WhatIfChange): string {
  const { changes, verdict, isWithinError, waitToday, waitChanged, groups, rules } = change;
  const words = isWithinError ? `<strong>Caution:</strong> ${escaped(verdict)}` : escaped(verdict);
  const kinds = (["queue", "size", "group", "user"] as const).map((by) => groupTable(by, groups));
  return (
    `<section><h2>With ${escaped(changes.join(", "))}</h2>\n<p>${words}</p>\n` +
    `<p>${escaped(rulesText(rules))}</p>\n<p>The mean wait goes from ${lengthText(waitToday.meanSec)} to ` +
    `${lengthText(waitChanged.meanSec)}, its 95th percentile from ${lengthText(waitToday.p95Sec)} to ` +
    `${lengthText(waitChanged.p95Sec)}.</p>\n${htmlTable("All jobs", CHANGE_HEADS, [
      [{ text: "all" }, ...changeCells(change)],
    ])}${kinds.join("\n")}</section>`
  );
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

function picture(lines: readonly PlotLine[]): string {
  const most = Math.max(1, ...lines.flatMap(({ points }) => points.map(([at]) => 10 ** at)));
  const name = {
    title: "How far starts are apart",
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
  return (
    `<figure>${linePlot(name, lines, [logTimeAxis(most), shareAxis(1, 5)])}\n<figcaption>The share of jobs ` +
    "whose starts are less than a time apart; the axis is logarithmic.</figcaption></figure>\n" +
    tableBehind("Starts are at most so far apart", heads, rows)
  );
}

function linesOf(compared: readonly ComparedJob[], moved: readonly MovedJob[]): readonly PlotLine[] {
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

function rulesText({ discipline, estimates, overrun, pools }: WhatIfRules): string {
  const sizes = pools.map(
    ({ name, procs, nodes }) => `${name} ${procs}${nodes === undefined ? "" : ` × ${nodes}`}`,
  );
  const words = `Discipline ${discipline}, ${estimates} estimates, overrun ${overrun}`;
  return `${words}; processors: ${sizes.join(", ")}.`;
}

function signed(sec: number): string {
  const sign = sec < 0 ? "−" : "+";
  return sec === 0 ? "0s" : `${sign}${lengthText(Math.abs(sec))}`;
}
