/**
 * One rectangle for the whole workflow: the simplest thing that can be reserved, as a baseline.
 *
 * For each site and a number of widths (the width of the widest task, doubled up to the site's size) the
 * tasks are placed in HEFT's order inside the rectangle, which is then put onto the slots of the site as
 * early as it fits, and the most memory and GPUs that its tasks use at once are free. All of the rectangle is
 * paid for.
 */
import { type Instance, instanceOf, type Platform } from "../../platform/index.ts";
import { heft } from "../list-schedule.ts";
import { makespanOf, type Placement } from "../placement.ts";
import { type Plan, planOf } from "../plan.ts";
import { frontOf, type Planning } from "../planning.ts";
import { createTimeline, earliestStart, reserveOn, resetTimeline } from "../timeline.ts";
import { createEvaluation, type Evaluation, partsAsRectangles, resetEvaluation } from "./evaluation.ts";
import { findOnSlots, takeFromSlots } from "./slot-bin.ts";

/** Plans of one rectangle; a step is one width at one site. */
export function* singleRectangle(instance: Instance): Planning {
  const evaluation = createEvaluation(instance);
  const plans: Plan[] = [];
  let tried = 0;
  let bestMakespanMs = Number.POSITIVE_INFINITY;
  for (let site = 0; site < instance.siteCount; site++) {
    for (const procs of widthsAt(instance, site)) {
      const plan = planWithin(evaluation, site, procs);
      tried++;
      if (plan !== undefined) {
        plans.push(plan);
        bestMakespanMs = Math.min(bestMakespanMs, plan.makespanMs);
      }
      if ((yield { evaluations: tried, mostEvaluations: tried, bestMakespanMs }) === true) break;
    }
  }
  return { front: frontOf(plans), evaluations: tried };
}

function widthsAt({ workflow, platform, runtimeMs, siteCount }: Instance, site: number): readonly number[] {
  if (workflow.tasks.some((_, task) => runtimeMs[task * siteCount + site] === Number.POSITIVE_INFINITY))
    return [];
  const most = platform.sites[site].procs;
  const widths = new Set<number>();
  const widest = workflow.tasks.reduce((width, { procs }) => Math.max(width, procs), 1);
  for (let procs = widest; procs < most; procs *= 2) widths.add(procs);
  return [...widths, most];
}

function planWithin(evaluation: Evaluation, site: number, procs: number): Plan | undefined {
  const { instance, bins, taken } = evaluation;
  const { workflow, platform } = instance;
  const { slots: _, freeBeside: __, ...machine } = platform.sites[site];
  const { link } = platform;
  const alone: Platform = {
    ...{ sites: [{ ...machine, procs }], pairs: [] },
    ...(link === undefined ? {} : { link }),
  };
  const narrow = instanceOf(workflow, alone);
  if (!narrow.ok) return undefined;
  const inside = heft(narrow.value);
  const durationMs = makespanOf(inside);
  resetEvaluation(evaluation, new Uint8Array(evaluation.bitCount).fill(1));
  const startMs = startOfRectangle(evaluation, site, {
    procs,
    durationMs,
    needs: peakNeeds(instance, inside),
  });
  if (startMs === Number.POSITIVE_INFINITY) return undefined;
  takeFromSlots(bins[site], procs, startMs + durationMs, taken);
  const placement: Placement = {
    site: inside.site.map(() => site),
    startMs: inside.startMs.map((at) => at + startMs),
    endMs: inside.endMs.map((at) => at + startMs),
  };
  return planOf(
    instance,
    placement,
    partsAsRectangles(evaluation, site, { startMs, endMs: startMs + durationMs }),
  );
}

interface WantedRectangle {
  readonly procs: number;
  readonly durationMs: number;
  /** Of each resource of the instance. */
  readonly needs: Float64Array;
}

/** The first instant at which a site has the rectangle; Infinity where never. */
function startOfRectangle(
  { bins, others }: Evaluation,
  site: number,
  { procs, durationMs, needs }: WantedRectangle,
): number {
  for (let from = 0; ; ) {
    const startMs = findOnSlots(bins[site], procs, durationMs, from);
    if (others === undefined || startMs === Number.POSITIVE_INFINITY) return startMs;
    const freeMs = earliestStart(others.free[site], { needs, row: 0, durationMs }, startMs);
    if (freeMs === startMs || freeMs === Number.POSITIVE_INFINITY) return freeMs;
    from = freeMs;
  }
}

/** The most of each resource that tasks at one site use at once. */
function peakNeeds({ columns, needs }: Instance, { startMs, endMs }: Placement): Float64Array {
  const timeline = createTimeline(columns.length);
  resetTimeline(timeline, new Float64Array(columns.length), 0);
  for (const [task, start] of startMs.entries()) {
    reserveOn(timeline, { needs, row: task * columns.length, durationMs: endMs[task] - start }, start);
  }
  const peaks = new Float64Array(columns.length);
  for (let at = 0; at < timeline.size * columns.length; at++) {
    const k = at % columns.length;
    peaks[k] = Math.max(peaks[k], -timeline.free[at]);
  }
  return peaks;
}
