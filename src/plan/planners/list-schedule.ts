/**
 * Placing tasks one by one, in a given order, each at the site with the earliest finish: insertion-based.
 *
 * With HEFT's order this is HEFT [THW02] on sites with capacities instead of single processors. Bin choice as
 * in spec 30: by the earliest finish (ties: start, site), or by the earliest start as [PROV] 4.5 has it.
 */
import type { Instance } from "../platform/index.ts";
import { emptyPlacement, type Placement, readyAt } from "./placement.ts";
import { heftOrder } from "./ranks.ts";
import { createTimeline, type Demand, earliestStart, reserveOn, resetTimeline } from "./timeline.ts";

/** Rule for choosing the site of a task. */
export type BinChoice = "finish" | "start";

/** The placement of all tasks in this order, which has parents before children. */
export function listSchedule(instance: Instance, order: Int32Array, bin: BinChoice = "finish"): Placement {
  const { siteCount, needs, capacity, runtimeMs } = instance;
  const columnCount = instance.columns.length;
  const timelines = Array.from({ length: siteCount }, (_, site) => {
    const timeline = createTimeline(columnCount);
    resetTimeline(timeline, capacity, site * columnCount);
    return timeline;
  });
  const placement = emptyPlacement(instance.taskCount);
  const demand: Demand = { needs, row: 0, durationMs: 0 };
  for (const task of order) {
    demand.row = task * columnCount;
    let best = { site: -1, start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };
    for (let site = 0; site < siteCount; site++) {
      const durationMs = runtimeMs[task * siteCount + site];
      if (durationMs === Number.POSITIVE_INFINITY) continue;
      demand.durationMs = durationMs;
      const start = earliestStart(timelines[site], demand, readyAt(instance, placement, task, site));
      const end = start + durationMs;
      const isBetter =
        bin === "finish"
          ? end < best.end || (end === best.end && start < best.start)
          : start < best.start || (start === best.start && end < best.end);
      if (isBetter) best = { site, start, end };
    }
    demand.durationMs = best.end - best.start;
    reserveOn(timelines[best.site], demand, best.start);
    placement.site[task] = best.site;
    placement.startMs[task] = best.start;
    placement.endMs[task] = best.end;
  }
  return placement;
}

/** The placement of HEFT. */
export function heft(instance: Instance, bin?: BinChoice): Placement {
  return listSchedule(instance, heftOrder(instance), bin);
}
