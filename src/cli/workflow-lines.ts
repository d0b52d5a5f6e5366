/** An executed workflow for people: counts, promise against reality, and its tasks as a tree of levels. */
import type { WorkflowView } from "../api/client/index.ts";
import { counted, formatSize, lengthText, PROC_MS_PER_SU, suText } from "../base/index.ts";
import { instantText, whenText } from "./instant-text.ts";
import { printable, textTable } from "./text-table.ts";

/** Tasks that are shown one by one; of more, levels alone. */
const MOST_TASKS = 60;

type Task = WorkflowView["tasks"][number];

/** The whole text. */
export function workflowLines(view: WorkflowView, nowMs: number, columns: number | undefined): string {
  const parts = [headOf(view, nowMs), treeOf(view, columns), filesOf(view, columns)];
  return [...parts.filter((one) => one !== ""), reservationsOf(view, nowMs, columns)].join("\n");
}

function headOf(view: WorkflowView, nowMs: number): string {
  const { id, name, state, counts, startedAt, endedAt } = view;
  const { waiting, ordered, running, done, failed } = counts;
  const total = waiting + ordered + running + done + failed;
  const ended = endedAt === null ? "" : `, ended ${whenText(endedAt, nowMs)}`;
  return [
    `${id}  ${printable(name)}  ${state}: ${done} of ${counted(total, "task")} done, ${running} running, ` +
      `${waiting + ordered} waiting, ${failed} failed`,
    `started ${whenText(startedAt, nowMs)}${ended}`,
    ...promiseOf(view, nowMs),
    ...abortOf(view),
    ...departuresOf(view),
    "",
  ].join("\n");
}

function abortOf({ aborted }: WorkflowView): readonly string[] {
  return aborted === null
    ? []
    : [`ended early by the exit code of ${printable(aborted.task)}, with result ${aborted.result}`];
}

/** Planned values of a workflow, compared with its execution. */
function promiseOf(
  { promisedEndAt, promisedSu, expectedEndAt, endedAt, costSu, bestEffort }: WorkflowView,
  nowMs: number,
): readonly string[] {
  const queued = bestEffort ? ["tasks without a reservation are queued like jobs"] : [];
  if (promisedEndAt === null) return queued;
  const end = endedAt ?? expectedEndAt ?? promisedEndAt;
  const lateSec = (Date.parse(end) - Date.parse(promisedEndAt)) / 1000;
  const by =
    Math.abs(lateSec) < 1 ? "in time" : `${lengthText(Math.abs(lateSec))} ${lateSec > 0 ? "late" : "early"}`;
  const isOver = endedAt !== null;
  const left = lengthText(Math.max(0, (Date.parse(end) - nowMs) / 1000));
  const cost = (su: number | null): string => suText((su ?? 0) * PROC_MS_PER_SU);
  return [
    [
      `promised end ${instantText(promisedEndAt)}`,
      isOver ? `ended ${by}` : `expected in ${left}, ${by}`,
    ].join(", "),
    `promised cost ${cost(promisedSu)}, charged ${cost(costSu)}`,
    ...queued,
  ];
}

function departuresOf({ departures, replans, lostSu, left }: WorkflowView): readonly string[] {
  const { late, failed, lost } = departures;
  const sites = left.map(
    ({ site, why, tasks, costSu }) =>
      `left ${site}, since ${printable(why)}: ${counted(tasks, "task")} planned again; ` +
      `reservations there cost ${suText(costSu * PROC_MS_PER_SU)}`,
  );
  if (late + failed + lost + replans === 0) return sites;
  return [
    ...sites,
    `departed from the plan: ${late} late, ${failed} failed, ${lost} lost; ` +
      `planned again ${counted(replans, "time")}, ${suText(lostSu * PROC_MS_PER_SU)} in vain`,
  ];
}

/** Tasks by level, parents above children. */
function treeOf({ tasks }: WorkflowView, columns: number | undefined): string {
  const levels = levelsOf(tasks);
  const rows = levels.flatMap((own, level) => [
    [
      `level ${level}`,
      `${own.filter(({ state }) => state === "DONE").length}/${own.length} done`,
      "",
      "",
      "",
    ],
    ...(tasks.length > MOST_TASKS ? [] : own.map(taskRow)),
  ]);
  const heads = ["TASK", "STATE", "SITE", "PLANNED END", "ENDED"].map((head) => ({
    head,
    ...(head === "TASK" ? { isFlexible: true } : {}),
  }));
  return textTable(heads, rows, columns);
}

function taskRow({ id, state, site, plannedEndAt, endedAt, exitCode, job }: Task): readonly string[] {
  const failed = exitCode === null || exitCode === 0 ? "" : ` (exit ${exitCode})`;
  return [
    `  ${id}`,
    `${state}${failed}`,
    site ?? (job === null ? "" : "queue"),
    clock(plannedEndAt),
    clock(endedAt),
  ];
}

/** Files that tasks read and write, with where they are. */
function filesOf({ files }: WorkflowView, columns: number | undefined): string {
  if (files.length === 0) return "";
  if (files.length > MOST_TASKS) {
    const stored = files.filter(({ result, state }) => result && state === "STORED").length;
    const results = files.filter(({ result }) => result).length;
    return `${counted(files.length, "file")}, ${stored} of ${counted(results, "result")} at the broker\n`;
  }
  const rows = files.map(({ name, result, state, bytes, writer, sites }) => [
    printable(name),
    state === "STORED" && result ? "RESULT" : state,
    bytes === null ? "" : formatSize(bytes),
    writer ?? "yours",
    sites.join(", "),
  ]);
  const heads = ["FILE", "STATE", "SIZE", "WRITTEN BY", "AT SITES"].map((head) => ({
    head,
    ...(head === "FILE" ? { isFlexible: true } : {}),
  }));
  return textTable(heads, rows, columns);
}

function clock(at: string | null): string {
  return at === null ? "" : at.slice(11, 19);
}

function levelsOf(tasks: readonly Task[]): readonly (readonly Task[])[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const known = new Map<string, number>();
  const levels: Task[][] = [];
  // A stack in place of recursion: chains may be long.
  for (const task of tasks) {
    const open = [task];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const missing = top.parents.flatMap((id) => {
        const parent = byId.get(id);
        return parent === undefined || known.has(id) ? [] : [parent];
      });
      if (missing.length > 0) {
        open.push(...missing);
        continue;
      }
      open.pop();
      if (known.has(top.id)) continue;
      const level = Math.max(-1, ...top.parents.map((id) => known.get(id) ?? -1)) + 1;
      known.set(top.id, level);
      while (levels.length <= level) levels.push([]);
      levels[level].push(top);
    }
  }
  return levels;
}

function reservationsOf({ reservations }: WorkflowView, nowMs: number, columns: number | undefined): string {
  if (reservations.length === 0) return "";
  return textTable(
    [
      { head: "RESERVATION" },
      { head: "SITE" },
      { head: "PROCS", align: "right" },
      { head: "START" },
      { head: "END" },
      { head: "STATE" },
      { head: "COST", align: "right" },
    ],
    reservations.map(({ id, site, procs, startAt, endAt, state, costSu }) => [
      ...[id, site, String(procs), whenText(startAt, nowMs), whenText(endAt, nowMs), state],
      suText(costSu * PROC_MS_PER_SU),
    ]),
    columns,
  );
}
