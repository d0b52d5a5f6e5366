/** Lower bounds of schedules, and of the remaining time after each task, for searches. */
import type { Instance } from "../../platform/index.ts";

/** Longest path behind each task, its own runtime left out, by the shortest runtimes; transfers left out. */
export function tailsOf(instance: Instance): Float64Array {
  const { order, childStart, childOf } = instance.workflow;
  const tails = new Float64Array(instance.taskCount);
  for (let at = order.length - 1; at >= 0; at--) {
    const task = order[at];
    for (let edge = childStart[task]; edge < childStart[task + 1]; edge++) {
      const child = childOf[edge];
      tails[task] = Math.max(tails[task], tails[child] + shortestRuntime(instance, child));
    }
  }
  return tails;
}

/** A makespan that no plan is shorter than: the longest path, and on one site the work of each resource. */
export function lowerBoundMs(instance: Instance, tails: Float64Array): number {
  const { taskCount, siteCount, needs, capacity, columns } = instance;
  let bound = 0;
  for (let task = 0; task < taskCount; task++) {
    bound = Math.max(bound, tails[task] + shortestRuntime(instance, task));
  }
  if (siteCount > 1) return bound;
  for (let k = 0; k < columns.length; k++) {
    let work = 0;
    for (let task = 0; task < taskCount; task++) {
      work += needs[task * columns.length + k] * instance.runtimeMs[task];
    }
    if (capacity[k] > 0) bound = Math.max(bound, Math.ceil(work / capacity[k]));
  }
  return bound;
}

function shortestRuntime({ runtimeMs, siteCount }: Instance, task: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let site = 0; site < siteCount; site++) {
    shortest = Math.min(shortest, runtimeMs[task * siteCount + site]);
  }
  return shortest;
}
