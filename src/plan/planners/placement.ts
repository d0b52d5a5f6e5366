/** Where and when each task runs: what every planner finds, before it is priced. */
import { type Instance, transferMs } from "../platform/index.ts";

/** By task. A site of −1: the task found no place. */
export interface Placement {
  readonly site: Int32Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
}

/** A placement without any task. */
export function emptyPlacement(taskCount: number): Placement {
  return {
    site: new Int32Array(taskCount).fill(-1),
    startMs: new Float64Array(taskCount),
    endMs: new Float64Array(taskCount),
  };
}

/** The last end of a task. */
export function makespanOf({ endMs }: Pick<Placement, "endMs">): number {
  let last = 0;
  for (const end of endMs) last = Math.max(last, end);
  return last;
}

/** The instant at which all data of the task's parents have arrived at a site; parents are placed. */
export function readyAt(instance: Instance, { site, endMs }: Placement, task: number, at: number): number {
  const { parentStart, parentOf, parentBytes } = instance.workflow;
  let ready = 0;
  for (let edge = parentStart[task]; edge < parentStart[task + 1]; edge++) {
    const parent = parentOf[edge];
    const arrives = endMs[parent] + transferMs(instance, parentBytes[edge], site[parent], at);
    if (arrives > ready) ready = arrives;
  }
  return ready;
}
