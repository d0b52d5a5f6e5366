/**
 * Sampled schedules of one site, where a search begins: the parallel scheme with regret-based sampling.
 *
 * At each instant at which a task ends, one of the tasks that are ready and fit is drawn after the other. A
 * task is drawn the more often the more its latest finish lies before the latest of those that could be
 * drawn, its regret; only those that fit and have the largest priority can be drawn. Source: Drexl 1991;
 * Kolisch, Hartmann 1999 [KH99].
 * Cost: O(tasks × ready tasks) for a schedule.
 */
import type { Instance } from "../../platform/index.ts";
import type { Placement } from "../placement.ts";
import type { Side } from "./passes.ts";

/** Distribution from which schedules are sampled. */
export interface SampledFrom {
  readonly instance: Instance;
  readonly before: Side;
  readonly after: Side;
  /** Length of the longest path behind each task: the longer, the earlier its latest finish. */
  readonly tails: Float64Array;
  /** Added to each regret, so that every task may be drawn. */
  readonly leastChance: number;
  /** By task; absent: all alike. */
  readonly priorities?: Float64Array;
}

/** A schedule in the making. */
interface Sampling extends SampledFrom {
  readonly placement: Placement;
  readonly waitsFor: Int32Array;
  readonly ready: number[];
  readonly running: number[];
  readonly free: Float64Array;
}

/** Samples one schedule into `placement`; its length is the result. `draw` gives fractions of 1. */
export function sampledPass(from: SampledFrom, placement: Placement, draw: () => number): number {
  const { instance, before } = from;
  const { taskCount, columns, capacity } = instance;
  const free = capacity.slice(0, columns.length);
  const waitsFor = new Int32Array(taskCount);
  const ready: number[] = [];
  for (let task = 0; task < taskCount; task++) {
    waitsFor[task] = before.start[task + 1] - before.start[task];
    if (waitsFor[task] === 0) ready.push(task);
  }
  const sampling: Sampling = { ...from, placement, waitsFor, ready, free, running: [] };
  let nowMs = 0;
  for (;;) {
    startDrawn(sampling, nowMs, draw);
    if (sampling.running.length === 0) return nowMs;
    nowMs = nextEnd(sampling);
  }
}

/** Starts tasks at an instant until none that is ready fits. */
function startDrawn(sampling: Sampling, nowMs: number, draw: () => number): void {
  const { instance, placement, ready, free, running, priorities } = sampling;
  const count = instance.columns.length;
  const fitting: number[] = [];
  for (;;) {
    fitting.length = 0;
    let largest = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < ready.length; at++) {
      const priority = priorities?.[ready[at]] ?? 0;
      if (priority < largest || !fits(sampling, ready[at])) continue;
      if (priority > largest) fitting.length = 0;
      largest = priority;
      fitting.push(at);
    }
    if (fitting.length === 0) return;
    const at = drawByRegret(sampling, fitting, draw);
    const task = ready[at];
    ready.splice(at, 1);
    for (let k = 0; k < count; k++) free[k] -= instance.needs[task * count + k];
    placement.site[task] = 0;
    placement.startMs[task] = nowMs;
    placement.endMs[task] = nowMs + instance.runtimeMs[task];
    running.push(task);
  }
}

function fits({ instance, free }: Sampling, task: number): boolean {
  const count = instance.columns.length;
  for (let k = 0; k < count; k++) if (instance.needs[task * count + k] > free[k]) return false;
  return true;
}

/** A place in `ready`. */
function drawByRegret(
  { ready, tails, leastChance }: Sampling,
  fitting: readonly number[],
  draw: () => number,
): number {
  if (fitting.length === 1) return fitting[0];
  let shortest = Number.POSITIVE_INFINITY;
  for (const at of fitting) shortest = Math.min(shortest, tails[ready[at]]);
  let sum = 0;
  for (const at of fitting) sum += tails[ready[at]] - shortest + leastChance;
  let left = draw() * sum;
  for (const at of fitting) {
    left -= tails[ready[at]] - shortest + leastChance;
    if (left < 0) return at;
  }
  return fitting[fitting.length - 1];
}

/** The next end of what runs; its resources are free then, and its children may be ready. */
function nextEnd({ instance, after, placement, waitsFor, ready, running, free }: Sampling): number {
  const count = instance.columns.length;
  let next = Number.POSITIVE_INFINITY;
  for (const task of running) next = Math.min(next, placement.endMs[task]);
  for (let at = running.length - 1; at >= 0; at--) {
    const task = running[at];
    if (placement.endMs[task] > next) continue;
    for (let k = 0; k < count; k++) free[k] += instance.needs[task * count + k];
    running.splice(at, 1);
    for (let edge = after.start[task]; edge < after.start[task + 1]; edge++) {
      if (--waitsFor[after.of[edge]] === 0) ready.push(after.of[edge]);
    }
  }
  return next;
}

/** A fifth of the mean runtime: the chance, as a regret, of the task that could wait longest. */
export function leastChanceOf({ runtimeMs, taskCount }: Instance): number {
  let sum = 0;
  for (const own of runtimeMs) sum += own;
  return Math.max(1, sum / (5 * taskCount));
}
