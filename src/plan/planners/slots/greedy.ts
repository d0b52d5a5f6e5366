/**
 * Greedy planning on priced slots: task by task in HEFT's order, the best answer of all sites.
 *
 * A site is asked when the task could start there: at the instant its data have arrived, and at each later
 * beginning of a slot. Of all answers the one that minimises α·cost + (1 − α)·finish is taken, both
 * normalised over the answers; ties go to the earliest finish, then start, then site. Source: [PROV] ch. 5.
 * Departs from it: later starts at a site are not asked for once one costs as little as any slot there could,
 * and no more than 64.
 */
import { PROC_MS_PER_SU } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";
import { byWeight, type Weighed } from "../by-weight.ts";
import { readyAt } from "../placement.ts";
import { planOf } from "../plan.ts";
import type { Planning, PlanningQuestion } from "../planning.ts";
import {
  createEvaluation,
  type Evaluation,
  placeTask,
  procsOf,
  rectanglesOf,
  resetEvaluation,
  startAt,
} from "./evaluation.ts";
import type { SlotBin } from "./slot-bin.ts";

const MOST_STARTS = 64;

/** Plans greedily; a step is one task. */
export function* greedyPlan(instance: Instance, { alpha }: PlanningQuestion): Planning {
  const evaluation = createEvaluation(instance);
  const { order, placement } = evaluation;
  resetEvaluation(evaluation, new Uint8Array(evaluation.bitCount).fill(1));
  let lastMs = 0;
  for (const [at, task] of order.entries()) {
    const answer = byWeight(answersFor(evaluation, task), alpha)[0];
    placement.site[task] = answer?.site ?? -1;
    if (answer !== undefined) {
      placement.startMs[task] = answer.startMs;
      placement.endMs[task] = answer.endMs;
      findAgain(evaluation, task, answer);
      placeTask(evaluation, task, answer.site);
      lastMs = Math.max(lastMs, answer.endMs);
    }
    yield { evaluations: at, mostEvaluations: order.length, bestMakespanMs: lastMs };
  }
  return { front: [planOf(instance, placement, rectanglesOf(evaluation))], evaluations: 1 };
}

/** Finds the slots of an answer once more, so that they can be taken. */
function findAgain(evaluation: Evaluation, task: number, { site, startMs, endMs }: Weighed): void {
  if (endMs > startMs) startAt(evaluation, task, site, startMs);
}

function answersFor(evaluation: Evaluation, task: number): readonly Weighed[] {
  const { instance, bins, placement } = evaluation;
  const { parentStart, parentOf } = instance.workflow;
  for (let edge = parentStart[task]; edge < parentStart[task + 1]; edge++) {
    if (placement.site[parentOf[edge]] < 0) return [];
  }
  const procs = procsOf(evaluation, task);
  const answers: Weighed[] = [];
  for (const [site, bin] of bins.entries()) {
    const durationMs = instance.runtimeMs[task * instance.siteCount + site];
    if (durationMs === Number.POSITIVE_INFINITY) continue;
    let fromMs = readyAt(instance, placement, task, site);
    if (procs === 0 || durationMs === 0) {
      const startMs = startAt(evaluation, task, site, fromMs);
      if (startMs < Number.POSITIVE_INFINITY) {
        answers.push({ site, startMs, endMs: startMs + durationMs, costSu: 0 });
      }
      continue;
    }
    const leastSu = (Math.min(...bin.roots.map(({ price }) => price)) * procs * durationMs) / PROC_MS_PER_SU;
    for (let asked = 0; asked < MOST_STARTS; asked++) {
      const startMs = startAt(evaluation, task, site, fromMs);
      if (startMs === Number.POSITIVE_INFINITY) break;
      const endMs = startMs + durationMs;
      const costSu = costOfFound(evaluation, site, procs, endMs - startMs);
      answers.push({ site, startMs, endMs, costSu });
      if (costSu <= leastSu) break;
      const next = nextBeginning(bin, startMs);
      if (next === undefined) break;
      fromMs = next;
    }
  }
  return answers;
}

/** Cost of what `findOnSlots` found: a slot that is sold whole costs nothing once it is bought. */
function costOfFound(evaluation: Evaluation, site: number, procs: number, durationMs: number): number {
  const bin = evaluation.bins[site];
  const firstBit = evaluation.firstBits[site];
  const counted = new Set<number>();
  const untilMs = bin.foundFromMs + durationMs;
  let missing = procs;
  let sum = 0;
  for (let at = bin.foundAt; missing > 0; at--) {
    const record = bin.order[at];
    if (bin.lastMs[record] < untilMs) continue;
    const part = Math.min(missing, bin.procs[record]);
    missing -= part;
    const root = bin.roots[bin.root[record]];
    if (root.divisible) sum += (part * durationMs * root.price) / PROC_MS_PER_SU + root.fixedSu;
    else if (!counted.has(bin.root[record])) {
      counted.add(bin.root[record]);
      const usedMs = evaluation.usedUntilMs[firstBit + bin.root[record]];
      const soldMs = Math.max(root.durationMs, usedMs - root.startMs);
      const neededMs = Math.max(soldMs, untilMs - root.startMs);
      const more = usedMs === 0 ? neededMs : neededMs - soldMs;
      sum += (root.procs * more * root.price) / PROC_MS_PER_SU + (usedMs === 0 ? root.fixedSu : 0);
    }
  }
  return sum;
}

/** The next instant at which a slot begins. */
function nextBeginning({ order, size, startMs }: SlotBin, afterMs: number): number | undefined {
  for (let at = 0; at < size; at++) if (startMs[order[at]] > afterMs) return startMs[order[at]];
  return undefined;
}
