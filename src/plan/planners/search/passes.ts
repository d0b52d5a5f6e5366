/**
 * Schedule generation schemes over activity lists, forward and backward in time.
 *
 * A backward pass is a forward pass on the reversed graph with reversed time, so that one serial scheme does
 * both: right and left justification are passes over lists sorted by the ends and the starts of a schedule.
 * Source: Kolisch, Hartmann 1999 [KH99] (serial scheme); Valls, Ballestín, Quintanilla 2005 [VBQ05] (double
 * justification). On several sites the forward pass chooses the site of each task by the
 * earliest finish, to which its cost may be added at an exchange rate; tasks that have a site keep it.
 * Cost: O(tasks × breakpoints) for a pass.
 */
import { PROC_MS_PER_SU } from "../../../base/index.ts";
import { type Instance, transferMs } from "../../platform/index.ts";
import type { Placement } from "../placement.ts";
import {
  createTimeline,
  type Demand,
  earliestStart,
  reserveOn,
  resetTimeline,
  type Timeline,
} from "../timeline.ts";

/** The graph in one direction: whom a task waits for. */
export interface Side {
  readonly start: Int32Array;
  readonly of: Int32Array;
  readonly bytes: Float64Array;
}

/** Memory of passes over one instance, used again by each. */
export interface Passes {
  readonly instance: Instance;
  readonly forward: Side;
  readonly backward: Side;
  readonly timelines: readonly Timeline[];
  readonly demand: Demand;
  /** Price of each task at each site, in SU. */
  readonly costSu: Float64Array;
  /** Milliseconds that one SU is worth in the choice of a site. */
  msPerSu: number;
}

/** Prepares passes. */
export function createPasses(instance: Instance): Passes {
  const { workflow, columns, siteCount, needs } = instance;
  const { parentStart, parentOf, parentBytes, childStart, childOf, childBytes } = workflow;
  return {
    instance,
    forward: { start: parentStart, of: parentOf, bytes: parentBytes },
    backward: { start: childStart, of: childOf, bytes: childBytes },
    timelines: Array.from({ length: siteCount }, () => createTimeline(columns.length, 2 * 64)),
    demand: { needs, row: 0, durationMs: 0 },
    costSu: taskCosts(instance),
    msPerSu: 0,
  };
}

function taskCosts({ workflow, platform, runtimeMs, siteCount }: Instance): Float64Array {
  return runtimeMs.map((duration, at) => {
    const { procs } = workflow.tasks[Math.floor(at / siteCount)];
    return (procs * duration * platform.sites[at % siteCount].price) / PROC_MS_PER_SU;
  });
}

/**
 * The serial scheme: tasks in the order of the list, each as early as it fits. Sites that `placement` has
 * already are kept. The length of the schedule is the result; `placement` has its starts and ends.
 */
export function serialPass(passes: Passes, side: Side, list: Int32Array, placement: Placement): number {
  const { instance, timelines, demand } = passes;
  const { siteCount, runtimeMs, capacity } = instance;
  const columnCount = instance.columns.length;
  for (let site = 0; site < siteCount; site++) resetTimeline(timelines[site], capacity, site * columnCount);
  let length = 0;
  for (let at = 0; at < list.length; at++) {
    const task = list[at];
    demand.row = task * columnCount;
    const site =
      placement.site[task] < 0 ? cheapestSite(passes, side, task, placement) : placement.site[task];
    demand.durationMs = runtimeMs[task * siteCount + site];
    const ready = readyMs(instance, side, placement, task * siteCount + site);
    const start = earliestStart(timelines[site], demand, ready);
    const end = start + demand.durationMs;
    reserveOn(timelines[site], demand, start);
    placement.site[task] = site;
    placement.startMs[task] = start;
    placement.endMs[task] = end;
    if (end > length) length = end;
  }
  return length;
}

/** The site with the earliest finish, cost at the exchange rate added; of equal ones the first. */
function cheapestSite(passes: Passes, side: Side, task: number, placement: Placement): number {
  const { instance, timelines, demand, costSu, msPerSu } = passes;
  const { siteCount, runtimeMs } = instance;
  if (siteCount === 1) return 0;
  let least = Number.POSITIVE_INFINITY;
  let chosen = 0;
  for (let site = 0; site < siteCount; site++) {
    const durationMs = runtimeMs[task * siteCount + site];
    if (durationMs === Number.POSITIVE_INFINITY) continue;
    demand.durationMs = durationMs;
    const ready = readyMs(instance, side, placement, task * siteCount + site);
    const end = earliestStart(timelines[site], demand, ready) + durationMs;
    const worth = end + msPerSu * costSu[task * siteCount + site];
    if (worth >= least) continue;
    least = worth;
    chosen = site;
  }
  return chosen;
}

/** The instant at which everything that a task waits for has ended and arrived; `at` is task and site. */
function readyMs(instance: Instance, side: Side, placement: Placement, at: number): number {
  const { siteCount } = instance;
  const task = siteCount === 1 ? at : Math.floor(at / siteCount);
  const site = siteCount === 1 ? 0 : at - task * siteCount;
  const { start, of, bytes } = side;
  let ready = 0;
  for (let edge = start[task]; edge < start[task + 1]; edge++) {
    const other = of[edge];
    const arrives =
      siteCount === 1
        ? placement.endMs[other]
        : placement.endMs[other] + transferMs(instance, bytes[edge], placement.site[other], site);
    if (arrives > ready) ready = arrives;
  }
  return ready;
}
