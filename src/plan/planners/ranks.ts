/**
 * Upward ranks, and HEFT's order of tasks.
 *
 * Source: Topcuoglu, Hariri, Wu 2002 [THW02]: rank(v) = w̄(v) + the largest c̄(v,u) + rank(u) of children u.
 * w̄ is the mean over the sites that can run the task, c̄ that over ordered pairs of distinct sites, 0 for
 * one site. Ranks are kept times s·(s − 1), s the number of sites, so that they are whole numbers, exact,
 * where every site can run every task. Cost: O(edges × sites²).
 */
import { type Instance, transferMs } from "../platform/index.ts";

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

/** Tasks by falling rank; of equal ranks in topological order, so that parents always come first. */
export function heftOrder(instance: Instance): Int32Array {
  const { scaled } = upwardRanks(instance);
  const place = new Int32Array(instance.taskCount);
  for (const [at, task] of instance.workflow.order.entries()) place[task] = at;
  return Int32Array.from(instance.workflow.order).sort(
    (one, other) => scaled[other] - scaled[one] || place[one] - place[other],
  );
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
