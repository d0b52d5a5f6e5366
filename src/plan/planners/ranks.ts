/**
 * Upward ranks, and HEFT's order of tasks.
 *
 * Source: Topcuoglu, Hariri, Wu 2002 [THW02]: rank(v) = w̄(v) + the largest c̄(v,u) + rank(u) of children u.
 * w̄ is the mean over the sites that can run the task, c̄ that over ordered pairs of distinct sites, 0 for
 * one site. Ranks are kept times s·(s − 1), s the number of sites, so that they are whole numbers, exact,
 * where every site can run every task. Cost: O(edges × sites²).
 */
import { type Instance, transferMs } from "../platform/index.ts";
import { listByPriority } from "./search/lists.ts";

/** Ranks of all tasks, each to be divided by `scale` for milliseconds. */
export interface Ranks {
  readonly scaled: Float64Array;
  readonly scale: number;
}

/** Ranks of the tasks of an instance. */
export function upwardRanks(instance: Instance): Ranks {
  const { workflow, siteCount } = instance;
  const scale = siteCount === 1 ? 1 : siteCount * (siteCount - 1);
  const scaled = new Float64Array(instance.taskCount);
  for (let at = instance.taskCount - 1; at >= 0; at--) {
    const task = workflow.order[at];
    let longest = 0;
    for (let edge = workflow.childStart[task]; edge < workflow.childStart[task + 1]; edge++) {
      const below = transferSum(instance, workflow.childBytes[edge]) + scaled[workflow.childOf[edge]];
      longest = Math.max(longest, below);
    }
    scaled[task] = scaledMeanRuntime(instance, task, scale) + longest;
  }
  return { scaled, scale };
}

/** Length of the longest path before each task, its own runtime left out, on the scale of upward ranks. */
export function downwardRanks(instance: Instance): Ranks {
  const { workflow, siteCount } = instance;
  const scale = siteCount === 1 ? 1 : siteCount * (siteCount - 1);
  const scaled = new Float64Array(instance.taskCount);
  for (const task of workflow.order) {
    for (let edge = workflow.parentStart[task]; edge < workflow.parentStart[task + 1]; edge++) {
      const parent = workflow.parentOf[edge];
      const above = scaled[parent] + scaledMeanRuntime(instance, parent, scale);
      scaled[task] = Math.max(scaled[task], above + transferSum(instance, workflow.parentBytes[edge]));
    }
  }
  return { scaled, scale };
}

/**
 * Means over sites of optimistic costs: the longest path behind a task at a site, where each child could go
 * to the site that is best for it. Source: Arabnejad, Barbosa 2014 (PEFT).
 */
export function optimisticRanks(instance: Instance): Float64Array {
  const { workflow, siteCount, runtimeMs, taskCount } = instance;
  const costs = new Float64Array(taskCount * siteCount);
  const ranks = new Float64Array(taskCount);
  const scale = siteCount === 1 ? 1 : siteCount * (siteCount - 1);
  for (let at = taskCount - 1; at >= 0; at--) {
    const task = workflow.order[at];
    for (let site = 0; site < siteCount; site++) {
      let longest = 0;
      for (let edge = workflow.childStart[task]; edge < workflow.childStart[task + 1]; edge++) {
        const travelMs = transferSum(instance, workflow.childBytes[edge]) / scale;
        const row = workflow.childOf[edge] * siteCount;
        let least = Number.POSITIVE_INFINITY;
        for (let other = 0; other < siteCount; other++) {
          const behind = costs[row + other] + runtimeMs[row + other];
          least = Math.min(least, behind + (other === site ? 0 : travelMs));
        }
        longest = Math.max(longest, least);
      }
      costs[task * siteCount + site] = longest;
      ranks[task] += longest / siteCount;
    }
  }
  return ranks;
}

/**
 * Tasks by falling rank, ties in topological order, so that parents always come first. Of the tasks whose
 * parents are listed already, those with a larger priority come first.
 */
export function heftOrder(instance: Instance): Int32Array {
  const { tasks, order } = instance.workflow;
  const { scaled } = upwardRanks(instance);
  const place = new Int32Array(instance.taskCount);
  for (const [at, task] of order.entries()) place[task] = at;
  const byRank = (one: number, other: number): number =>
    scaled[other] - scaled[one] || place[one] - place[other];
  if (tasks.every(({ rules }) => (rules?.priority ?? 0) === 0)) return Int32Array.from(order).sort(byRank);
  return listByPriority(instance.workflow, byRank);
}

function scaledMeanRuntime({ runtimeMs, siteCount }: Instance, task: number, scale: number): number {
  let sum = 0;
  let count = 0;
  for (let site = 0; site < siteCount; site++) {
    const own = runtimeMs[task * siteCount + site];
    if (own === Number.POSITIVE_INFINITY) continue;
    sum += own;
    count++;
  }
  return (sum * scale) / count;
}

/** Sum of the transfer times over all ordered pairs of distinct sites: c̄ times s·(s − 1). */
function transferSum(instance: Instance, bytes: number): number {
  let sum = 0;
  for (let from = 0; from < instance.siteCount; from++) {
    for (let to = 0; to < instance.siteCount; to++) sum += transferMs(instance, bytes, from, to);
  }
  return sum;
}
