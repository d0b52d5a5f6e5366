/**
 * Simulated executions of a plan of uncertain runtimes: how probably it keeps a deadline, and its cost.
 *
 * In one execution every task runs at its planned site, begins no earlier than planned, after its parents'
 * data have arrived, and as early as the site has room beside the tasks that were planned to begin before.
 * What runs outside the planned span of its task is paid at the price of the site, besides the reservations.
 * Departs from reality: room at the site is its size, also where the plan lies in slots.
 */
import { createRandom, PROC_MS_PER_SU } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";
import { emptyPlacement, makespanOf, type Placement, readyAt } from "../placement.ts";
import type { Plan } from "../plan.ts";
import { endOfPart, type PlanningQuestion } from "../planning.ts";
import { createTimeline, type Demand, earliestStart, reserveOn, resetTimeline } from "../timeline.ts";
import { drawnPart, type SuretyLevel, surePart } from "./runtime-spread.ts";

const MOST_RUNS = 1000;
const LEAST_RUNS = 100;
const TASKS_IN_ALL = 1_000_000;

/** Results of the executions of a plan. */
export interface Executions {
  readonly runs: number;
  /** Part of the executions that kept the deadline, or all of several; absent without one. */
  readonly deadlineProbability?: number;
  readonly meanMakespanMs: number;
  readonly meanCostSu: number;
}

/** Executes a plan many times; `instance` has the stated runtimes, those of the plan may be longer. */
export function executionsOf(
  instance: Instance,
  plan: Plan,
  { seed, deadlineMs, parts = [] }: Pick<PlanningQuestion, "seed" | "deadlineMs" | "parts">,
): Executions {
  const { taskCount, siteCount, runtimeMs, workflow } = instance;
  const random = createRandom(seed);
  const runs = Math.max(LEAST_RUNS, Math.min(MOST_RUNS, Math.floor(TASKS_IN_ALL / taskCount)));
  const lengthMs = new Float64Array(taskCount);
  const hasDeadline = deadlineMs !== undefined || parts.some((part) => part.deadlineMs !== undefined);
  let [makespans, costs, inTime] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    for (let task = 0; task < taskCount; task++) {
      const stated = runtimeMs[task * siteCount + plan.placement.site[task]];
      lengthMs[task] = Math.ceil(stated * drawnPart(workflow.tasks[task], random));
    }
    const execution = executed(instance, plan.placement, lengthMs);
    const makespanMs = makespanOf(execution);
    makespans += makespanMs;
    costs += costOf(instance, plan, execution);
    const isInTime =
      makespanMs <= (deadlineMs ?? Number.POSITIVE_INFINITY) &&
      parts.every((part) => endOfPart(execution, part) <= (part.deadlineMs ?? Number.POSITIVE_INFINITY));
    if (isInTime) inTime++;
  }
  return {
    runs,
    ...(hasDeadline ? { deadlineProbability: inTime / runs } : {}),
    ...{ meanMakespanMs: makespans / runs, meanCostSu: costs / runs },
  };
}

/** One execution of a planned placement, with these lengths of the tasks. */
export function executed(instance: Instance, planned: Placement, lengthMs: Float64Array): Placement {
  const { taskCount, siteCount, needs, capacity, columns } = instance;
  const timelines = Array.from({ length: siteCount }, (_, site) => {
    const timeline = createTimeline(columns.length);
    resetTimeline(timeline, capacity, site * columns.length);
    return timeline;
  });
  const demand: Demand = { needs, row: 0, durationMs: 0 };
  const execution = emptyPlacement(taskCount);
  for (const task of plannedOrder(instance, planned)) {
    const site = planned.site[task];
    if (site < 0) continue;
    demand.row = task * columns.length;
    demand.durationMs = lengthMs[task];
    execution.site[task] = site;
    const fromMs = Math.max(planned.startMs[task], readyAt(instance, execution, task, site));
    const startMs = earliestStart(timelines[site], demand, fromMs);
    reserveOn(timelines[site], demand, startMs);
    execution.startMs[task] = startMs;
    execution.endMs[task] = startMs + lengthMs[task];
  }
  return execution;
}

/** Tasks by planned start; of equal ones parents come first. */
function plannedOrder({ workflow: { order } }: Instance, { startMs }: Placement): Int32Array {
  const place = new Int32Array(order.length);
  for (const [at, task] of order.entries()) place[task] = at;
  return Int32Array.from(order).sort(
    (one, other) => startMs[one] - startMs[other] || place[one] - place[other],
  );
}

/** The reservations, and what ran outside the planned spans; without reservations all that ran. */
function costOf({ workflow, platform }: Instance, plan: Plan, { site, startMs, endMs }: Placement): number {
  const { placement: planned, reservations, packedCostSu } = plan;
  let sum = reservations.length > 0 ? packedCostSu : 0;
  for (const [task, { procs }] of workflow.tasks.entries()) {
    if (site[task] < 0) continue;
    const ranMs = endMs[task] - startMs[task];
    const withinMs = Math.min(endMs[task], planned.endMs[task]) - startMs[task];
    const outsideMs = reservations.length > 0 ? ranMs - Math.max(0, withinMs) : ranMs;
    sum += (outsideMs * procs * platform.sites[site[task]].price) / PROC_MS_PER_SU;
  }
  return sum;
}

/** The instance in which each runtime is long enough at this level. */
export function lengthenedTo(instance: Instance, level: SuretyLevel): Instance {
  const { workflow, siteCount } = instance;
  const runtimeMs = instance.runtimeMs.map((stated, at) => {
    if (!Number.isFinite(stated)) return stated;
    return Math.ceil(stated * Math.max(1, surePart(workflow.tasks[Math.floor(at / siteCount)], level)));
  });
  return { ...instance, runtimeMs };
}
