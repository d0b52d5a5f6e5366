/**
 * A plan as one HTML page: its figures, when each task runs, what each site does, and the front.
 *
 * No scripts, nothing from elsewhere; a table for every chart.
 */
import { lengthText, PROC_MS_PER_SU, suText } from "../base/index.ts";
import { writeSafeFile } from "../formats/index.ts";
import {
  type Cell,
  escaped,
  figure,
  htmlPage,
  htmlTable,
  numberAxis,
  numberCell,
  type Panel,
  type Point,
  panelChart,
  paragraph,
  section,
  tableBehind,
  timeAxisUntil,
} from "../report/index.ts";
import { ganttSvg } from "./plan-gantt-svg.ts";
import { shortfallText, workflowLines } from "./plan-lines.ts";
import type { PlanAnswer } from "./plan-tools.ts";
import { workflowText } from "./workflow-text.ts";

/** Most tasks that have bars of their own, and rows in tables. */
const MOST_BARS = 300;
const MOST_ROWS = 1000;

/** Writes the page, which appears under its name when it is complete. */
export function writePlanPage(answer: PlanAnswer, file: string): Promise<void> {
  return writeSafeFile(file, planPage(answer));
}

/** HTML text of the page. */
export function planPage(answer: PlanAnswer): string {
  const title = `Plan of ${answer.workflow.name}`;
  return htmlPage(title, [
    `<header><h1>${escaped(title)}</h1>\n` +
      `<p class="faint">${escaped(workflowText(answer.workflow))}</p></header>\n`,
    ...workflowLines(answer).map((line) => paragraph(line.trim())),
    ...(answer.remarks ?? []).map((remark) => paragraph(`Note: ${remark}.`)),
    factsOf(answer),
    ...answer.shortfalls.map((one) => paragraph(`${shortfallText(one, answer)}.`)),
    section("When", [tasksPart(answer), sitesPart(answer)]),
    section("Reservations", [reservationsTable(answer)]),
    section("Fast or cheap", [frontPart(answer)]),
  ]);
}

function factsOf(answer: PlanAnswer): string {
  const { makespanSec, packedCostSu, planningCostSu, planner, alpha, seed, evaluations } = answer;
  const rows: readonly (readonly [string, string])[] = [
    ["Makespan", lengthText(makespanSec)],
    ["Cost of the reservations", su(packedCostSu)],
    ["Cost task by task", su(planningCostSu)],
    ["Planner", `${planner}, alpha ${alpha}, seed ${seed}, evaluations ${evaluations}`],
  ];
  const cells = rows.map(([name, value]) => [{ text: name }, { text: value }]);
  return htmlTable("The plan", [{ text: "" }, { text: "" }], cells);
}

function tasksPart(answer: PlanAnswer): string {
  const { tasks, makespanSec } = answer;
  const heads: readonly Cell[] = [
    ...[{ text: "Task" }, { text: "Site" }],
    ...["Processors", "Start", "End"].map((text) => numberCell(text)),
  ];
  const rows = [...tasks]
    .sort((one, other) => one.startSec - other.startSec)
    .slice(0, MOST_ROWS)
    .map(({ id, site, procs, startSec, endSec }) => [
      ...[{ text: id }, { text: site }],
      ...[String(procs), lengthText(startSec), lengthText(endSec)].map((text) => numberCell(text)),
    ]);
  const table = tableBehind(captionOf("Tasks by start", tasks.length), heads, rows);
  if (tasks.length === 0 || tasks.length > MOST_BARS || makespanSec <= 0) return table;
  const chart = ganttSvg(answer, "Tasks of the plan over time, by site");
  return figure("Tasks", chart, "Each bar is a task; what overlaps stands below.") + table;
}

/** Processors in use at each site, with what is reserved. */
function sitesPart({ sites, tasks, reservations, makespanSec }: PlanAnswer): string {
  const used = sites.filter(({ name, procs }) => procs > 0 && tasks.some(({ site }) => site === name));
  if (used.length === 0 || makespanSec <= 0) return "";
  const lastSec = reservations.reduce((last, { endSec }) => Math.max(last, endSec), makespanSec);
  const panels = used.map(({ name, procs }): Panel => {
    const at = <Item extends { readonly site: string }>(items: readonly Item[]): readonly Item[] =>
      items.filter(({ site }) => site === name);
    return {
      title: name,
      up: numberAxis(procs, 3, ""),
      layers: [
        { kind: "line", series: 0, points: courseOf(at(tasks)), isFilled: true },
        { kind: "line", series: 1, points: courseOf(at(reservations)) },
      ],
    };
  });
  const chart = panelChart(
    { title: "Processors of each site over time", description: "In use, and reserved." },
    timeAxisUntil(lastSec, 6),
    panels,
    { width: 720, panelHeight: 110 },
  );
  return figure("Processors in use", chart, "Filled: tasks. Line: reserved.");
}

/** The sum of processors over time, as a line of steps. */
function courseOf(
  spans: readonly { readonly procs: number; readonly startSec: number; readonly endSec: number }[],
): readonly Point[] {
  const changes = new Map<number, number>([[0, 0]]);
  for (const { procs, startSec, endSec } of spans) {
    changes.set(startSec, (changes.get(startSec) ?? 0) + procs);
    changes.set(endSec, (changes.get(endSec) ?? 0) - procs);
  }
  let now = 0;
  return [...changes.entries()]
    .sort(([one], [other]) => one - other)
    .flatMap(([at, by]): readonly Point[] => {
      const before = now;
      now += by;
      return [
        [at, before],
        [at, now],
      ];
    });
}

function reservationsTable({ reservations }: PlanAnswer): string {
  if (reservations.length === 0) return paragraph("The plan reserves nothing.");
  const heads = [{ text: "Site" }, ...["Processors", "Start", "End", "Cost"].map((text) => numberCell(text))];
  const rows = reservations.slice(0, MOST_ROWS).map(({ site, slot, procs, startSec, endSec, costSu }) => {
    const figures = [String(procs), lengthText(startSec), lengthText(endSec), su(costSu)];
    return [
      { text: slot === undefined ? site : `${site} slot ${slot}` },
      ...figures.map((text) => numberCell(text)),
    ];
  });
  return htmlTable(captionOf("What is reserved", reservations.length), heads, rows);
}

/** The plans that no other beats, as dots; the chosen one is filled. */
function frontPart({ front }: PlanAnswer): string {
  if (front.length < 2) return "";
  const dots = (isChosen: boolean): readonly Point[] =>
    front
      .filter((one) => one.isChosen === isChosen)
      .map(({ makespanSec, packedCostSu }) => [makespanSec, packedCostSu]);
  const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0);
  const chart = panelChart(
    {
      title: "Makespan and cost of the plans",
      description: "No other plan found beats one of these in both.",
    },
    timeAxisUntil(1.05 * most(front.map(({ makespanSec }) => makespanSec)), 6),
    [
      {
        title: "cost, SU",
        up: numberAxis(most(front.map(({ packedCostSu }) => packedCostSu)), 5, ""),
        layers: [
          { kind: "dots", series: 0, points: dots(false), isHollow: true },
          { kind: "dots", series: 1, points: dots(true) },
        ],
      },
    ],
  );
  const heads = [{ text: "" }, numberCell("Makespan"), numberCell("Cost")];
  const rows = front.map(({ makespanSec, packedCostSu, isChosen }) => [
    { text: isChosen ? "chosen" : "" },
    ...[numberCell(lengthText(makespanSec)), numberCell(su(packedCostSu))],
  ]);
  return (
    figure("Plans that no other beats", chart, "Filled: the plan of this page, chosen by alpha.") +
    tableBehind("The front, the fastest first", heads, rows)
  );
}

function captionOf(what: string, count: number): string {
  return count > MOST_ROWS ? `${what}, the first ${MOST_ROWS} of ${count}` : what;
}

function su(value: number): string {
  return suText(value * PROC_MS_PER_SU);
}
