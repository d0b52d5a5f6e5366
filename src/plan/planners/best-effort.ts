/**
 * Best effort, the baseline: no reservation, every task is submitted when its parents are done.
 *
 * Tasks whose parents have ended go, in HEFT's order, to the site with the fewest tasks that run or wait
 * there (ties: the first site of the platform). Data are moved first, then the task joins the queue, which
 * starts each task as early as it fits behind those that came before (conservative backfilling, exact
 * runtimes). Source: spec 30; [PROV] 4.7.
 */
import { createHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import type { Instance } from "../platform/index.ts";
import { emptyPlacement, type Placement, readyAt } from "./placement.ts";
import { heftOrder } from "./ranks.ts";
import { createTimeline, type Demand, earliestStart, reserveOn, resetTimeline } from "./timeline.ts";

/** The placement that queues would give. */
export function bestEffort(instance: Instance): Placement {
  const { taskCount, siteCount, needs, capacity, runtimeMs, workflow } = instance;
  const columnCount = instance.columns.length;
  const queues = Array.from({ length: siteCount }, (_, site) => {
    const timeline = createTimeline(columnCount);
    resetTimeline(timeline, capacity, site * columnCount);
    return timeline;
  });
  const placement = emptyPlacement(taskCount);
  const demand: Demand = { needs, row: 0, durationMs: 0 };
  const order = heftOrder(instance);
  const place = new Int32Array(taskCount);
  for (const [at, task] of order.entries()) place[task] = at;
  const waitsFor = Int32Array.from(order, (_, task) => parentCount(instance, task));
  const present = new Int32Array(siteCount);
  const events = createHeap(2 * taskCount);
  const submit = (task: number, nowMs: number): void => {
    const site = emptiest(instance, task, present);
    present[site]++;
    placement.site[task] = site;
    pushHeap(events, Math.max(nowMs, readyAt(instance, placement, task, site)), task);
  };
  const join = (task: number, nowMs: number): void => {
    const site = placement.site[task];
    demand.row = task * columnCount;
    demand.durationMs = runtimeMs[task * siteCount + site];
    const start = earliestStart(queues[site], demand, nowMs);
    reserveOn(queues[site], demand, start);
    placement.startMs[task] = start;
    placement.endMs[task] = start + demand.durationMs;
    pushHeap(events, placement.endMs[task], taskCount + task);
  };
  for (const task of order) if (waitsFor[task] === 0) submit(task, 0);
  while (events.size > 0) {
    const nowMs = smallestKey(events);
    // All that ends at this instant, before anything joins a queue.
    const joining: number[] = [];
    const ready: number[] = [];
    while (events.size > 0 && smallestKey(events) === nowMs) {
      const event = popHeap(events);
      if (event < taskCount) joining.push(event);
      else {
        const task = event - taskCount;
        present[placement.site[task]]--;
        for (let edge = workflow.childStart[task]; edge < workflow.childStart[task + 1]; edge++) {
          if (--waitsFor[workflow.childOf[edge]] === 0) ready.push(workflow.childOf[edge]);
        }
      }
    }
    for (const task of joining.sort((one, other) => place[one] - place[other])) join(task, nowMs);
    for (const task of ready.sort((one, other) => place[one] - place[other])) submit(task, nowMs);
  }
  return placement;
}

function parentCount({ workflow: { parentStart } }: Instance, task: number): number {
  return parentStart[task + 1] - parentStart[task];
}

function emptiest({ runtimeMs, siteCount }: Instance, task: number, present: Int32Array): number {
  let best = -1;
  for (let site = 0; site < siteCount; site++) {
    if (runtimeMs[task * siteCount + site] === Number.POSITIVE_INFINITY) continue;
    if (best < 0 || present[site] < present[best]) best = site;
  }
  return best;
}
