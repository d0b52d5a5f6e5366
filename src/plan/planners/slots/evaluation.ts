/**
 * Evaluating a set of slots: HEFT's order on the slots that may be used, makespan and allocation cost.
 *
 * The one evaluation of all planners that choose slots. A slot that is not divisible is charged whole once
 * any task uses it; of a divisible one the rectangles that are used, f once for each after those that
 * touch and have equal processors are merged. Source: [PROV] ch. 4, as our rules PL-24 and PL-25 restate
 * it. Cost: O(tasks × slots), with no allocation but for the growth of arrays.
 */
import { PROC_MS_PER_SU } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";
import type { BinChoice } from "../list-schedule.ts";
import { emptyPlacement, type Placement, readyAt } from "../placement.ts";
import { heftOrder } from "../ranks.ts";
import { costSu, mergedInTime, type Rectangle } from "../rectangle.ts";
import {
  copyTimeline,
  createTimeline,
  type Demand,
  earliestStart,
  reserveOn,
  type Timeline,
} from "../timeline.ts";
import {
  createSlotBin,
  createTakenParts,
  findOnSlots,
  resetSlotBin,
  type SlotBin,
  type SlotRoot,
  type TakenParts,
  takeFromSlots,
} from "./slot-bin.ts";

/** Both costs of a plan; with tasks that found no place it is infeasible. */
export interface Judgement {
  readonly costSu: number;
  readonly makespanMs: number;
  readonly unplaced: number;
}

/** Memory of evaluations of one instance. */
export interface Evaluation {
  readonly instance: Instance;
  readonly bins: readonly SlotBin[];
  /** Number of bits: the slots of all sites; those of each site begin at its entry of `firstBits`. */
  readonly bitCount: number;
  readonly firstBits: readonly number[];
  /** The order of tasks; HEFT's unless a search sets another. */
  readonly order: Int32Array;
  readonly bin: BinChoice;
  readonly placement: Placement;
  readonly parts: PartLog;
  readonly taken: TakenParts;
  /** End of the use of each slot that is sold whole; 0: not used. By bit. */
  readonly usedUntilMs: Float64Array;
  /** Free amounts of other resources at each site; undefined if only processors are needed. */
  readonly others: Others | undefined;
  /** c of each slot, by bit. */
  readonly prices: Float64Array;
  readonly chargesFixed: boolean;
}

/** Memory, GPUs and what else is of a whole site: a slot says only how many processors are free. */
interface Others {
  readonly timelines: readonly Timeline[];
  /** Free amounts of each site before a task is placed, with processors without limit. */
  readonly free: readonly Timeline[];
  readonly demand: Demand;
}

/** Parts of divisible slots that were used. */
interface PartLog {
  bit: Int32Array;
  procs: Float64Array;
  startMs: Float64Array;
  endMs: Float64Array;
  count: number;
}

/** Prepares evaluations. A site without slots is one slot: all of it, for ever. */
export function createEvaluation(instance: Instance, bin: BinChoice = "finish"): Evaluation {
  const bins = instance.platform.sites.map((site, number) => {
    const whole: SlotRoot = {
      ...{ startMs: 0, procs: site.procs, durationMs: 0, price: site.price, fixedSu: 0 },
      ...{ divisible: true, extensible: true },
    };
    return createSlotBin(
      site.slots?.map((of, slot) => ({ ...of, slot })) ?? [whole],
      shortestRuntimeMs(instance, number),
    );
  });
  const roots = bins.flatMap(({ roots: of }) => of);
  const firstBits: number[] = [];
  let bits = 0;
  for (const { roots: of } of bins) {
    firstBits.push(bits);
    bits += of.length;
  }
  const room = 4 * instance.taskCount;
  // Written out, not spread: evaluations of one shape keep the compiled code valid.
  return {
    instance,
    bins,
    bin,
    bitCount: bits,
    firstBits,
    order: heftOrder(instance),
    placement: emptyPlacement(instance.taskCount),
    taken: createTakenParts(),
    parts: {
      bit: new Int32Array(room),
      procs: new Float64Array(room),
      startMs: new Float64Array(room),
      endMs: new Float64Array(room),
      count: 0,
    },
    usedUntilMs: new Float64Array(bits),
    prices: Float64Array.from(roots, ({ price }) => price),
    chargesFixed: roots.some(({ divisible, fixedSu }) => divisible && fixedSu > 0),
    others: othersOf(instance),
  };
}

function othersOf(instance: Instance): Others | undefined {
  const { columns, siteCount, needs } = instance;
  if (columns.every((name) => name === "procs")) return undefined;
  const free = Array.from({ length: siteCount }, (_, site) => freeOthers(instance, site));
  const timelines = free.map(() => createTimeline(columns.length));
  return { timelines, free, demand: { needs, row: 0, durationMs: 0 } };
}

/** Free resources of a site other than processors; amounts without a time are constant. */
function freeOthers({ columns, capacity, platform }: Instance, site: number): Timeline {
  const all = [...capacity.subarray(site * columns.length, (site + 1) * columns.length)];
  const { freeBeside = [] } = platform.sites[site];
  const rows = (freeBeside.length === 0 ? [undefined] : freeBeside).map((free) => {
    const dated: Readonly<Record<string, number | undefined>> = {
      ...{ procs: Number.POSITIVE_INFINITY, memory: free?.memoryBytes, gpus: free?.gpus },
    };
    return { fromMs: free?.fromMs ?? 0, row: columns.map((name, k) => dated[name] ?? all[k]) };
  });
  const timeline = createTimeline(columns.length, Math.max(64, rows.length));
  timeline.size = rows.length;
  timeline.times.set(rows.map(({ fromMs }) => fromMs));
  timeline.free.set(rows.flatMap(({ row }) => row));
  return timeline;
}

/** The shortest of the runtimes at a site that take any time. */
function shortestRuntimeMs({ runtimeMs, taskCount, siteCount }: Instance, site: number): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let task = 0; task < taskCount; task++) {
    const own = runtimeMs[task * siteCount + site];
    if (own > 0) shortest = Math.min(shortest, own);
  }
  return shortest;
}

/** Places all tasks on the slots whose bits are set; the placement stays in the evaluation until the next. */
export function evaluate(evaluation: Evaluation, bits: Uint8Array): Judgement {
  const { instance, order, placement } = evaluation;
  resetEvaluation(evaluation, bits);
  let makespanMs = 0;
  let unplaced = 0;
  for (let at = 0; at < order.length; at++) {
    const task = order[at];
    const site = hasUnplacedParent(instance, placement, task) ? -1 : bestSite(evaluation, task);
    placement.site[task] = site;
    if (site < 0) {
      unplaced++;
      placement.startMs[task] = 0;
      placement.endMs[task] = 0;
    } else {
      placeTask(evaluation, task, site);
      if (placement.endMs[task] > makespanMs) makespanMs = placement.endMs[task];
    }
  }
  return { costSu: allocationCost(evaluation), makespanMs, unplaced };
}

/** Begins anew on the slots whose bits are set. */
export function resetEvaluation(evaluation: Evaluation, bits: Uint8Array): void {
  const { bins, firstBits, usedUntilMs, parts, others } = evaluation;
  for (let site = 0; site < bins.length; site++) {
    resetSlotBin(bins[site], bits, firstBits[site]);
    if (others === undefined) continue;
    copyTimeline(others.timelines[site], others.free[site]);
  }
  usedUntilMs.fill(0);
  parts.count = 0;
}

function hasUnplacedParent(
  { workflow: { parentStart, parentOf } }: Instance,
  { site }: Placement,
  task: number,
): boolean {
  for (let edge = parentStart[task]; edge < parentStart[task + 1]; edge++) {
    if (site[parentOf[edge]] < 0) return true;
  }
  return false;
}

/** The site by the bin choice, with the start left in the placement; −1: the task fits nowhere. */
function bestSite(evaluation: Evaluation, task: number): number {
  const { instance, bin, placement } = evaluation;
  const { siteCount, runtimeMs } = instance;
  let best = -1;
  let bestStart = Number.POSITIVE_INFINITY;
  let bestEnd = Number.POSITIVE_INFINITY;
  for (let site = 0; site < siteCount; site++) {
    const durationMs = runtimeMs[task * siteCount + site];
    if (durationMs === Number.POSITIVE_INFINITY) continue;
    const start = startAt(evaluation, task, site, readyAt(instance, placement, task, site));
    const end = start + durationMs;
    const isBetter =
      bin === "finish"
        ? end < bestEnd || (end === bestEnd && start < bestStart)
        : start < bestStart || (start === bestStart && end < bestEnd);
    if (!isBetter) continue;
    best = site;
    bestStart = start;
    bestEnd = end;
  }
  placement.startMs[task] = bestStart;
  placement.endMs[task] = bestEnd;
  return best;
}

/** Processors of a task. */
export function procsOf({ instance: { needs, columns } }: Evaluation, task: number): number {
  return columns[0] === "procs" ? needs[task * columns.length] : 0;
}

/**
 * The earliest start from `fromMs` on at which a site has slots for a task, and the rest of what it needs;
 * Infinity where never.
 */
export function startAt(evaluation: Evaluation, task: number, site: number, fromMs: number): number {
  const { instance, bins, others } = evaluation;
  const procs = procsOf(evaluation, task);
  const durationMs = instance.runtimeMs[task * instance.siteCount + site];
  if (durationMs === 0) return fromMs;
  for (let from = fromMs; ; ) {
    const startMs = procs === 0 ? from : findOnSlots(bins[site], procs, durationMs, from);
    if (others === undefined || startMs === Number.POSITIVE_INFINITY) return startMs;
    const freeMs = earliestStart(others.timelines[site], demandOf(evaluation, others, task, site), startMs);
    if (freeMs === startMs || freeMs === Number.POSITIVE_INFINITY) return freeMs;
    from = freeMs;
  }
}

function demandOf({ instance }: Evaluation, { demand }: Others, task: number, site: number): Demand {
  demand.row = task * instance.columns.length;
  demand.durationMs = instance.runtimeMs[task * instance.siteCount + site];
  return demand;
}

/** Takes what `startAt` found at a site, for the span that the placement has. */
export function placeTask(evaluation: Evaluation, task: number, site: number): void {
  const { bins, placement, taken, others } = evaluation;
  const procs = procsOf(evaluation, task);
  const startMs = placement.startMs[task];
  const endMs = placement.endMs[task];
  if (startMs === endMs) return;
  if (others !== undefined) {
    reserveOn(others.timelines[site], demandOf(evaluation, others, task, site), startMs);
  }
  if (procs === 0) return;
  takeFromSlots(bins[site], procs, endMs, taken);
  logTaken(evaluation, site, startMs, endMs);
}

function logTaken(evaluation: Evaluation, site: number, startMs: number, endMs: number): void {
  const { bins, firstBits, taken, parts, usedUntilMs } = evaluation;
  const { roots } = bins[site];
  for (let at = 0; at < taken.count; at++) {
    const bit = firstBits[site] + taken.root[at];
    if (roots[taken.root[at]].divisible) {
      if (parts.count === parts.bit.length) growParts(parts);
      parts.bit[parts.count] = bit;
      parts.procs[parts.count] = taken.procs[at];
      parts.startMs[parts.count] = startMs;
      parts.endMs[parts.count++] = endMs;
    } else if (endMs > usedUntilMs[bit]) usedUntilMs[bit] = endMs;
  }
}

/** Rectangles of the parts that were taken last, for one span. */
export function partsAsRectangles(
  evaluation: Evaluation,
  site: number,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): readonly Rectangle[] {
  logTaken(evaluation, site, startMs, endMs);
  return rectanglesOf(evaluation);
}

function allocationCost(evaluation: Evaluation): number {
  const { bins, parts, prices, usedUntilMs, chargesFixed } = evaluation;
  if (chargesFixed) return mergedInTime(rectanglesOf(evaluation)).reduce((sum, it) => sum + costSu(it), 0);
  let sum = 0;
  let firstBit = 0;
  for (const { roots } of bins) {
    for (let root = 0; root < roots.length; root++) {
      const until = usedUntilMs[firstBit + root];
      if (until === 0) continue;
      const { procs, startMs, durationMs, price, fixedSu } = roots[root];
      sum += (procs * Math.max(durationMs, until - startMs) * price) / PROC_MS_PER_SU + fixedSu;
    }
    firstBit += roots.length;
  }
  for (let at = 0; at < parts.count; at++) {
    const area = parts.procs[at] * (parts.endMs[at] - parts.startMs[at]);
    sum += (area * prices[parts.bit[at]]) / PROC_MS_PER_SU;
  }
  return sum;
}

/** Reservations of the last evaluation: slots sold whole, and parts of divisible ones. */
export function rectanglesOf({ bins, parts, usedUntilMs }: Evaluation): readonly Rectangle[] {
  const rectangles: Rectangle[] = [];
  const ownSite: number[] = [];
  const ownRoot: SlotRoot[] = [];
  for (let site = 0; site < bins.length; site++) {
    for (const root of bins[site].roots) {
      const untilMs = usedUntilMs[ownRoot.length];
      const { procs, startMs, durationMs } = root;
      if (untilMs > 0) {
        const endMs = Math.max(startMs + durationMs, untilMs);
        rectangles.push(rectangle(site, root, { procs, startMs, endMs, isWhole: true }));
      }
      ownSite.push(site);
      ownRoot.push(root);
    }
  }
  for (let at = 0; at < parts.count; at++) {
    const bit = parts.bit[at];
    const [startMs, endMs] = [parts.startMs[at], parts.endMs[at]];
    const span = { procs: parts.procs[at], startMs, endMs, isWhole: false };
    rectangles.push(rectangle(ownSite[bit], ownRoot[bit], span));
  }
  return rectangles;
}

/** A rectangle, written out and not spread: objects of one shape keep the compiled code valid. */
function rectangle(
  site: number,
  { slot, price, fixedSu }: SlotRoot,
  { procs, startMs, endMs, isWhole }: Pick<Rectangle, "procs" | "startMs" | "endMs" | "isWhole">,
): Rectangle {
  return slot === undefined
    ? { site, procs, startMs, endMs, price, fixedSu, isWhole }
    : { site, slot, procs, startMs, endMs, price, fixedSu, isWhole };
}

function growParts(parts: PartLog): void {
  const wider = (of: Float64Array) => {
    const more = new Float64Array(2 * of.length);
    more.set(of);
    return more;
  };
  const bits = new Int32Array(2 * parts.bit.length);
  bits.set(parts.bit);
  parts.bit = bits;
  parts.procs = wider(parts.procs);
  parts.startMs = wider(parts.startMs);
  parts.endMs = wider(parts.endMs);
}
