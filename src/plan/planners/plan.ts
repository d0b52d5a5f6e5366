/** A plan: the placement of the tasks, what is reserved for them, and both costs. */
import { besideProcs } from "../../model/index.ts";
import type { Instance, PlatformSite } from "../platform/index.ts";
import { fitsBeside, MOST_RECTANGLES, packed } from "./packing.ts";
import { makespanOf, type Placement } from "./placement.ts";
import { type Amounts, costSu, mergedInTime, type Rectangle } from "./rectangle.ts";

/** Plan that a planner found, with its price. */
export interface Plan {
  readonly placement: Placement;
  /** The packed rectangles: what is confirmed and charged. */
  readonly reservations: readonly Rectangle[];
  readonly makespanMs: number;
  /** Cost of the rectangles of single tasks, as the source counts. */
  readonly planningCostSu: number;
  /** Cost of the reservations. */
  readonly packedCostSu: number;
}

/** The plan of a placement; `rectangles` are those of single tasks, where slots are for sale. */
export function planOf(
  instance: Instance,
  placement: Placement,
  rectangles: readonly Rectangle[] = taskRectangles(instance, placement),
): Plan {
  const merged = mergedInTime(rectangles);
  const { sites } = instance.platform;
  const capacityOf = ({ site, slot }: Rectangle): Amounts => {
    const { procs, slots, memoryBytes = Number.POSITIVE_INFINITY, gpus = 0 } = sites[site];
    return { procs: slot === undefined ? procs : (slots?.[slot].procs ?? 0), memoryBytes, gpus };
  };
  const reservations = sites.flatMap((_, at) =>
    packed(
      merged.filter(({ site }) => site === at),
      MOST_RECTANGLES,
      capacityOf,
    ),
  );
  return {
    placement,
    reservations,
    makespanMs: makespanOf(placement),
    planningCostSu: sum(merged),
    packedCostSu: sum(reservations),
  };
}

/** The plan of a placement that reserves nothing: it costs what its tasks use. */
export function unreservedPlan(instance: Instance, placement: Placement): Plan {
  const costSu = sum(taskRectangles(instance, placement));
  const makespanMs = makespanOf(placement);
  return { placement, reservations: [], makespanMs, planningCostSu: costSu, packedCostSu: costSu };
}

/**
 * Plan of a placement that reserves parts of sites in the place of parts of slots: each task lies in one
 * reservation, which a pilot fills. At no instant is more reserved than the slots have, nor more memory and
 * GPUs than are free.
 */
export function sitePlan(instance: Instance, { placement }: Plan): Plan {
  const { sites } = instance.platform;
  const merged = mergedInTime(taskRectangles(instance, placement));
  const used = new Set(merged.map(({ site }) => site)).size;
  const most = Math.min(MOST_RECTANGLES, Math.max(1, Math.floor(MOST_IN_ALL / used)));
  const reservations = sites.flatMap((site, at) => {
    const own = merged.filter((one) => one.site === at);
    return withMargin(
      packed(own, most, (of) => freeThroughout(site, of)),
      site,
    );
  });
  return {
    ...{ placement, reservations, makespanMs: makespanOf(placement) },
    ...{ planningCostSu: sum(merged), packedCostSu: sum(reservations) },
  };
}

/** Most reservations of a plan that is executed: as many as a broker takes in one request. */
const MOST_IN_ALL = 1000;

/** Reservations with the site's margin at their end, where it is free; what is left of it is given back. */
function withMargin(rectangles: readonly Rectangle[], site: PlatformSite): readonly Rectangle[] {
  const { marginMs = 0 } = site;
  if (marginMs === 0) return rectangles;
  const wide = [...rectangles];
  for (const [at, one] of wide.entries()) {
    const longer = { ...one, endMs: one.endMs + marginMs };
    const others = wide.filter((_, other) => other !== at);
    if (fitsBeside(others, longer, freeThroughout(site, longer))) wide[at] = longer;
  }
  return wide;
}

/** The least that a site has free in a span: processors of its slots, memory, and GPUs. */
function freeThroughout(site: PlatformSite, span: Rectangle): Amounts {
  const { memoryBytes = Number.POSITIVE_INFINITY, gpus = 0, freeBeside } = site;
  const procs = procsThroughout(site, span);
  if (freeBeside === undefined) return { procs, memoryBytes, gpus };
  const within = freeBeside.filter(
    ({ fromMs }, at) => fromMs < span.endMs && span.startMs < (freeBeside[at + 1]?.fromMs ?? ALWAYS),
  );
  return {
    procs,
    memoryBytes: Math.min(memoryBytes, ...within.map((it) => it.memoryBytes)),
    gpus: Math.min(gpus, ...within.map((it) => it.gpus)),
  };
}

const ALWAYS = Number.POSITIVE_INFINITY;

/** The fewest processors that the slots of a site have in a span. */
function procsThroughout({ procs, slots }: PlatformSite, { startMs, endMs }: Rectangle): number {
  if (slots === undefined) return procs;
  const changes = slots.flatMap((it) => [it.startMs, it.startMs + it.durationMs]);
  const instants = [startMs, ...changes.filter((atMs) => startMs < atMs && atMs < endMs)];
  return Math.min(
    ...instants.map((atMs) =>
      slots
        .filter((it) => it.startMs <= atMs && atMs < it.startMs + it.durationMs)
        .reduce((free, it) => free + it.procs, 0),
    ),
  );
}

/** One rectangle for each task that takes processors and time, at the price of its site. */
function taskRectangles({ workflow, platform }: Instance, placement: Placement): readonly Rectangle[] {
  return workflow.tasks.flatMap(({ procs, memoryBytes, gpus }, task) => {
    const site = placement.site[task];
    const { startMs, endMs } = placement;
    if (site < 0 || procs === 0 || endMs[task] === startMs[task]) return [];
    const span = { startMs: startMs[task], endMs: endMs[task] };
    const { price, slots } = platform.sites[site];
    const fixedSu = slots?.[0]?.fixedSu ?? 0;
    const amounts = { procs, ...besideProcs({ memoryBytes, gpus }) };
    return [{ site, ...amounts, ...span, price, fixedSu, isWhole: false, tasks: [task] }];
  });
}

function sum(rectangles: readonly Rectangle[]): number {
  return rectangles.reduce((total, it) => total + costSu(it), 0);
}
