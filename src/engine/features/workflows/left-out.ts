/** Tasks that will not run, because an ancestor failed or the workflow was ended early. */
import type { WorkflowRecord, WorkflowTask } from "../../../model/index.ts";

/** Numbers of waiting tasks that never run. The final task runs whatever has happened. */
export function tasksLeftOut(
  tasks: readonly WorkflowTask[],
  { aborted }: Pick<WorkflowRecord, "aborted">,
): ReadonlySet<number> {
  const mayBe = ({ state, isFinal }: WorkflowTask): boolean => state === "WAITING" && isFinal !== true;
  if (aborted !== undefined) return new Set(tasks.filter(mayBe).map(({ at }) => at));
  const failed = tasks.filter(({ state }) => state === "FAILED").map(({ at }) => at);
  const leftOut = new Set<number>();
  if (failed.length === 0) return leftOut;
  const children = tasks.map((): number[] => []);
  for (const { at, parents } of tasks) for (const parent of parents) children[parent].push(at);
  for (let next = failed.pop(); next !== undefined; next = failed.pop()) {
    for (const child of children[next]) {
      if (leftOut.has(child) || !mayBe(tasks[child])) continue;
      leftOut.add(child);
      failed.push(child);
    }
  }
  return leftOut;
}

/** True for a task that has ended or never runs. */
export function isOver({ at, state }: WorkflowTask, leftOut: ReadonlySet<number>): boolean {
  return state === "DONE" || state === "FAILED" || leftOut.has(at);
}
