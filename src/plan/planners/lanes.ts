/**
 * Limits on the tasks that run at once (MAXJOBS of DAGMan) as further dependencies, so that every planner
 * keeps them: if n may run at once, task i + n of an order waits for the end of task i. Each of the n chains
 * runs one task at a time. The plan is safe, not always the shortest; an execution needs only the limits.
 *
 * The order: tasks of larger priority first, then those with the longest path behind them, parents before
 * children. Cost: O(tasks · log tasks + edges).
 */
import { type Dependency, type Workflow, withDependencies } from "../workflow/index.ts";
import { listByPriority } from "./search/lists.ts";

/** The workflow with these dependencies; unchanged if it has no limits. */
export function withLanes(workflow: Workflow): Workflow {
  const { maxRunning, maxRunningOf = {} } = workflow.execution?.limits ?? {};
  const order = [...priorityOrder(workflow)];
  const groups = [
    ...(maxRunning === undefined ? [] : [{ most: maxRunning, of: order }]),
    ...Object.entries(maxRunningOf).map(([category, most]) => ({
      most,
      of: order.filter((task) => workflow.tasks[task].rules?.category === category),
    })),
  ];
  const added = groups.flatMap(({ most, of }): readonly Dependency[] =>
    of.slice(most).map((child, at) => ({ parent: of[at], child })),
  );
  return withDependencies(workflow, added);
}

/** Tasks by falling priority, then by falling length of the longest path behind them; parents come first. */
function priorityOrder(workflow: Workflow): Int32Array {
  const { tasks, childStart, childOf } = workflow;
  const behindMs = new Float64Array(tasks.length);
  for (const task of workflow.order.toReversed()) {
    const { runtimeMs, runtimesMs = {} } = tasks[task];
    const children = childOf.subarray(childStart[task], childStart[task + 1]);
    const longest = children.reduce((most, child) => Math.max(most, behindMs[child]), 0);
    behindMs[task] = longest + (runtimeMs ?? Math.min(...Object.values(runtimesMs)));
  }
  return listByPriority(workflow, (one, other) => behindMs[other] - behindMs[one]);
}
