/** Part of a workflow that has yet to be planned: tasks without a place, and all that depend on them. */
import type { WorkflowRecord, WorkflowTask } from "../../../model/index.ts";
import type { Projection } from "../../state/projection.ts";
import { tasksLeftOut } from "./left-out.ts";
import { isAtWork, tasksOf } from "./task-changes.ts";

/** Tasks to be planned again; none where nothing has to be. */
interface Remainder {
  readonly record: WorkflowRecord;
  readonly tasks: readonly WorkflowTask[];
  /** Running tasks that the rest depends on or shares a limit with, each with its planned end. */
  readonly running: readonly { readonly task: WorkflowTask; readonly endMs: number }[];
}

/**
 * Part of a running workflow that has to be planned; undefined if there is none, or planning is not allowed.
 */
export function remainderOf(projection: Projection, workflow: string, nowMs: number): Remainder | undefined {
  const record = projection.books.workflows.get(workflow);
  if (record?.state !== "RUNNING" || record.isBestEffort) return undefined;
  const tasks = tasksOf(projection, record);
  const leftOut = tasksLeftOut(tasks, record);
  const mayRun = ({ at, state }: WorkflowTask): boolean => state === "WAITING" && !leftOut.has(at);
  const isLeft = tasks.map((task) => mayRun(task) && task.place === null);
  // Parents may come after their children in the file: until nothing changes.
  let isSettled = false;
  while (!isSettled) {
    isSettled = true;
    for (const task of tasks) {
      if (isLeft[task.at] || !mayRun(task) || !task.parents.some((parent) => isLeft[parent])) continue;
      isLeft[task.at] = true;
      isSettled = false;
    }
  }
  const left = tasks.filter(({ at }) => isLeft[at]);
  if (left.length === 0) return undefined;
  const before = new Set(left.flatMap(({ parents }) => parents.filter((parent) => !isLeft[parent])));
  const running = tasks.flatMap((task) => {
    const isAwaited = record.limits !== undefined || before.has(task.at);
    const isPlaced = isAtWork(task.state) || (mayRun(task) && !isLeft[task.at]);
    return isAwaited && isPlaced ? [{ task, endMs: Math.max(nowMs, task.place?.endMs ?? nowMs) }] : [];
  });
  return { record, tasks: left, running };
}
