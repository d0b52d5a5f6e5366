/** Figures of a workflow that say what was understood: levels, width, critical path, bytes, work. */
import type { Workflow } from "./workflow.ts";

/** Measures of a workflow that `stint check` and `stint plan` show. */
export interface WorkflowMeasures {
  readonly tasks: number;
  readonly edges: number;
  readonly levels: number;
  /** The largest number of tasks of one level. */
  readonly width: number;
  /** Length of the longest path by runtimes, transfers left out. */
  readonly criticalPathMs: number;
  /** Sum of the bytes of all edges. */
  readonly bytes: number;
  /** Σ procs × runtime, in processor-milliseconds. */
  readonly workProcMs: number;
}

/** Level of each task: 0 without parents, else one more than the deepest parent. */
function levelsOf({ order, parentStart, parentOf }: Workflow): Int32Array {
  const levels = new Int32Array(order.length);
  for (const task of order) {
    for (let edge = parentStart[task]; edge < parentStart[task + 1]; edge++) {
      levels[task] = Math.max(levels[task], levels[parentOf[edge]] + 1);
    }
  }
  return levels;
}

/** Measures of a workflow; a task with runtimes at sites alone counts with the shortest. */
export function measuresOf(workflow: Workflow): WorkflowMeasures {
  const { tasks, order, parentStart, parentOf, parentBytes } = workflow;
  const levels = levelsOf(workflow);
  const atLevel = new Int32Array(order.length);
  const endMs = new Float64Array(order.length);
  let workProcMs = 0;
  for (const task of order) {
    const runtimeMs = shortestRuntimeMs(workflow, task);
    let readyMs = 0;
    for (let edge = parentStart[task]; edge < parentStart[task + 1]; edge++) {
      readyMs = Math.max(readyMs, endMs[parentOf[edge]]);
    }
    endMs[task] = readyMs + runtimeMs;
    workProcMs += tasks[task].procs * runtimeMs;
    atLevel[levels[task]]++;
  }
  return {
    tasks: tasks.length,
    edges: parentOf.length,
    levels: highest(levels) + 1,
    width: highest(atLevel),
    criticalPathMs: highest(endMs),
    bytes: parentBytes.reduce((sum, bytes) => sum + bytes, 0),
    workProcMs,
  };
}

/** The runtime on a site of speed 1, else the shortest that is stated. */
function shortestRuntimeMs({ tasks }: Workflow, task: number): number {
  const { runtimeMs, runtimesMs = {} } = tasks[task];
  return runtimeMs ?? Math.min(...Object.values(runtimesMs));
}

/** The largest value alone: arrays may be too long to be spread. */
function highest(values: Int32Array | Float64Array): number {
  let most = 0;
  for (const value of values) most = Math.max(most, value);
  return most;
}
