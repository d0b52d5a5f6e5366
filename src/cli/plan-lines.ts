/** A plan for people: what was understood, costs, tasks, a small Gantt chart, and the front. */
import { counted, lengthText, PROC_MS_PER_SU, sizeText, suText } from "../base/index.ts";
import type { PlanShortfall } from "../plan/index.ts";
import { instantText } from "./instant-text.ts";
import { ganttLines } from "./plan-gantt.ts";
import type { PlanAnswer } from "./plan-tools.ts";
import { printable, textTable } from "./text-table.ts";
import { workflowText } from "./workflow-text.ts";

/** Tasks and reservations that a terminal is shown; JSON has all. */
const MOST_ROWS = 40;

/** The whole text; `isPareto` adds the plans that no other beats. */
export function planLines(answer: PlanAnswer, isPareto: boolean, columns: number | undefined): string {
  return [
    summaryOf(answer),
    tasksOf(answer, columns),
    ganttLines(answer, columns),
    reservationsOf(answer, columns),
    ...(isPareto ? [frontTable(answer, columns)] : []),
  ].join("\n");
}

/** A shortfall in words: by how much the plan misses what was asked for, and what is possible. */
export function shortfallText(shortfall: PlanShortfall, answer: PlanAnswer): string {
  switch (shortfall.kind) {
    case "tasksUnplaced":
      return `${counted(shortfall.tasks, "task")} found no place in the slots of the platform`;
    case "deadlineMissed":
      return (
        "the best plan found misses the deadline" +
        `${shortfall.workflow === undefined ? "" : ` of ${printable(shortfall.workflow)}`}` +
        ` by ${lengthText(shortfall.byMs / 1000)}` +
        (shortfall.workflow === undefined ? earliestText(answer, shortfall.byMs / 1000) : "")
      );
    case "budgetExceeded":
      return (
        `the best plan found exceeds the budget by ${suIn(shortfall.bySu)}` +
        cheapestText(answer, shortfall.bySu)
      );
    case "deadlineUnsure":
      return (
        `the surest plan found keeps the deadline with probability ${shortfall.probability.toFixed(3)}, ` +
        `not ${shortfall.wanted}`
      );
  }
}

function earliestText({ bounds, makespanSec }: PlanAnswer, lateSec: number): string {
  if (bounds === undefined) return "";
  const { earliestSec, earliestBy } = bounds;
  const overSec = earliestSec - (makespanSec - lateSec);
  return overSec > 0
    ? `; the earliest end found is after ${lengthText(earliestSec)}, ${lengthText(overSec)} too late`
    : `; --planner ${earliestBy} --alpha 0 finds a plan that ends after ${lengthText(earliestSec)}`;
}

function cheapestText({ bounds, packedCostSu }: PlanAnswer, overSu: number): string {
  if (bounds === undefined) return "";
  const { leastCostSu, leastCostBy } = bounds;
  const short = leastCostSu - (packedCostSu - overSu);
  return short > 0
    ? `; the cheapest plan found costs ${suIn(leastCostSu)}, ${suIn(short)} too much`
    : `; --planner ${leastCostBy} --alpha 1 finds a plan for ${suIn(leastCostSu)}`;
}

function summaryOf(answer: PlanAnswer): string {
  const { workflow: of, makespanSec, packedCostSu, planningCostSu, planner, evaluations } = answer;
  const stopped = answer.isStopped ? ", stopped before the end of the search" : "";
  return [
    workflowText(of),
    ...workflowLines(answer),
    ...(answer.remarks ?? []).map((remark) => `note: ${printable(remark)}`),
    ...(answer.beginAt === undefined
      ? []
      : [`on the sites of the broker, from ${instantText(answer.beginAt)}, with slack in all runtimes`]),
    `makespan ${lengthText(makespanSec)}, cost ${suIn(packedCostSu)} in ` +
      `${counted(answer.reservations.length, "reservation")} (${suIn(planningCostSu)} task by task)`,
    ...uncertaintyLines(answer),
    `planner ${planner}, ${counted(evaluations, "evaluation")}, seed ${answer.seed}${stopped}`,
    "",
  ].join("\n");
}

/** Each of several workflows: its makespan and its deadline. */
export function workflowLines({ workflows = [] }: PlanAnswer): readonly string[] {
  return workflows.map(({ name, tasks, makespanSec, deadlineSec, missedBySec }) => {
    const missed = missedBySec === undefined ? "" : `, missed by ${lengthText(missedBySec)}`;
    const deadline = deadlineSec === undefined ? "" : `, deadline ${lengthText(deadlineSec)}${missed}`;
    return `  ${printable(name)}: ${counted(tasks, "task")}, makespan ${lengthText(makespanSec)}${deadline}`;
  });
}

/** Probability of meeting the deadline, the expected end, and the cost of the added certainty. */
function uncertaintyLines({ uncertainty }: PlanAnswer): readonly string[] {
  if (uncertainty === undefined) return [];
  const { executions, deadlineProbability: kept, meanMakespanSec, meanCostSu } = uncertainty;
  const { runtimeProbability: level, suretyCostSu, choosingProbability: chosen } = uncertainty;
  const deadline = kept === undefined ? "" : `keeps the deadline with probability ${kept.toFixed(3)}, `;
  const others = chosen === undefined ? "" : " (others than those it was chosen by)";
  return [
    `in ${executions} simulated executions${others} ${deadline}` +
      `mean makespan ${lengthText(Math.round(meanMakespanSec))}, mean cost ${suIn(meanCostSu)}`,
    ...(level === undefined
      ? []
      : [
          `each task has time enough with probability ${level}` +
            `${suretyCostSu === undefined ? "" : `; this costs ${suIn(suretyCostSu)} more`}`,
        ]),
  ];
}

function tasksOf({ tasks }: PlanAnswer, columns: number | undefined): string {
  const byStart = [...tasks].sort((one, other) => one.startSec - other.startSec);
  const hasStaging = tasks.some(({ stageInSec }) => stageInSec !== undefined);
  const table = textTable(
    [
      { head: "TASK", isFlexible: true },
      { head: "SITE" },
      { head: "PROCS", align: "right" },
      { head: "START", align: "right" },
      ...(hasStaging ? [{ head: "STAGE-IN", align: "right" as const }] : []),
      { head: "END", align: "right" },
    ],
    byStart
      .slice(0, MOST_ROWS)
      .map(({ id, site, procs, startSec, endSec, stageInSec }) => [
        ...[id, site, String(procs), lengthText(startSec)],
        ...(hasStaging ? [stageInSec === undefined ? "" : lengthText(stageInSec)] : []),
        lengthText(endSec),
      ]),
    columns,
  );
  return table + left(tasks.length, "task");
}

function reservationsOf({ reservations }: PlanAnswer, columns: number | undefined): string {
  if (reservations.length === 0) return "";
  const hasMemory = reservations.some(({ memoryBytes }) => memoryBytes !== undefined);
  const hasGpus = reservations.some(({ gpus }) => gpus !== undefined);
  const table = textTable(
    [
      { head: "RESERVATION" },
      { head: "PROCS", align: "right" },
      ...(hasMemory ? [{ head: "MEMORY", align: "right" as const }] : []),
      ...(hasGpus ? [{ head: "GPUS", align: "right" as const }] : []),
      { head: "START", align: "right" },
      { head: "END", align: "right" },
      { head: "COST", align: "right" },
    ],
    reservations
      .slice(0, MOST_ROWS)
      .map(({ site, slot, procs, memoryBytes = 0, gpus = 0, startSec, endSec, costSu }) => [
        ...[slot === undefined ? site : `${site} slot ${slot}`, String(procs)],
        ...(hasMemory ? [memoryBytes === 0 ? "" : sizeText(memoryBytes)] : []),
        ...(hasGpus ? [gpus === 0 ? "" : String(gpus)] : []),
        ...[lengthText(startSec), lengthText(endSec), suIn(costSu)],
      ]),
    columns,
  );
  return table + left(reservations.length, "reservation");
}

function frontTable({ front }: PlanAnswer, columns: number | undefined): string {
  return textTable(
    [{ head: "" }, { head: "MAKESPAN", align: "right" }, { head: "COST", align: "right" }],
    front.map(({ makespanSec, packedCostSu, isChosen }) => [
      ...[isChosen ? ">" : "", lengthText(makespanSec), suIn(packedCostSu)],
    ]),
    columns,
  );
}

function left(count: number, noun: string): string {
  return count > MOST_ROWS ? `… and ${counted(count - MOST_ROWS, `more ${noun}`)}; -o json has all\n` : "";
}

function suIn(su: number): string {
  return suText(su * PROC_MS_PER_SU);
}
