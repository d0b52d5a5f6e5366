/**
 * The genetic algorithms over sets of slots, as planners. The archive is the answer, a step one evaluation.
 */
import { createRandom } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";
import type { Placement } from "../placement.ts";
import { type Plan, planOf } from "../plan.ts";
import { frontOf, type Planning, type PlanningQuestion } from "../planning.ts";
import { drawBits } from "./bit-strings.ts";
import { createEvaluation, type Evaluation, evaluate, rectanglesOf } from "./evaluation.ts";
import { archived, evolution, type Strings } from "./evolution.ts";
import type { Judged } from "./moga.ts";
import { orderedStrings } from "./ordered.ts";

/** Usual number of evaluations: ten generations. */
export const USUAL_EVALUATIONS = 1000;

/**
 * Plans by a genetic algorithm over sets of slots; `search` varies the order of the tasks as well, by
 * NSGA-II. MOGA begins as its source has it, the others with two good sets: all slots, and only divisible
 * ones.
 */
export function* evolvedPlans(
  kind: "moga" | "nsga2" | "search",
  instance: Instance,
  { seed, evaluations: most = USUAL_EVALUATIONS }: PlanningQuestion,
): Planning {
  const evaluation = createEvaluation(instance);
  const strings = kind === "search" ? orderedStrings(evaluation) : plainStrings(evaluation);
  const seeds = kind === "moga" ? [] : goodSets(evaluation).map(strings.neutral);
  const how = kind === "moga" ? "moga" : "nsga2";
  let archive: Judged[] = [];
  let count = 0;
  let bestMakespanMs = Number.POSITIVE_INFINITY;
  for (const one of evolution(how, strings, { seed, seeds })) {
    count++;
    archive = archived(archive, one);
    if (one.judgement.unplaced === 0) bestMakespanMs = Math.min(bestMakespanMs, one.judgement.makespanMs);
    const isStopped = (yield { evaluations: count, mostEvaluations: most, bestMakespanMs }) === true;
    if (isStopped || count >= most) break;
  }
  const sets = archive.length > 0 ? archive.map(({ bits }) => bits) : [strings.neutral(allSlots(evaluation))];
  const plans = sets.map((bits) => {
    strings.judge(bits);
    return planOfLast(evaluation);
  });
  return { front: frontOf(plans), evaluations: count };
}

/** The plan on all slots, in HEFT's order of tasks or another. */
export function planOnAllSlots(instance: Instance, order?: Int32Array): Plan {
  const evaluation = createEvaluation(instance);
  if (order !== undefined) evaluation.order.set(order);
  evaluate(evaluation, allSlots(evaluation));
  return planOfLast(evaluation);
}

/** The plan of the last evaluation, with its reservations. */
export function planOfLast(evaluation: Evaluation): Plan {
  const { site, startMs, endMs } = evaluation.placement;
  const placement: Placement = { site: site.slice(), startMs: startMs.slice(), endMs: endMs.slice() };
  return planOf(evaluation.instance, placement, rectanglesOf(evaluation));
}

/** The plan on a random set of slots: each is used with probability one half. */
export function planOnRandomSlots(instance: Instance, seed: number): Plan {
  const evaluation = createEvaluation(instance);
  evaluate(evaluation, drawBits(createRandom(seed), evaluation.bitCount));
  return planOfLast(evaluation);
}

/** Strings of slots alone, in HEFT's order of tasks. */
export function plainStrings(evaluation: Evaluation): Strings {
  return {
    slotCount: evaluation.bitCount,
    neutral: (slots) => slots,
    judge: (bits) => evaluate(evaluation, bits),
  };
}

function allSlots({ bitCount }: Evaluation): Uint8Array {
  return new Uint8Array(bitCount).fill(1);
}

function goodSets(evaluation: Evaluation): readonly Uint8Array[] {
  const divisible = evaluation.bins.flatMap(({ roots }) => roots.map((root) => (root.divisible ? 1 : 0)));
  return [allSlots(evaluation), Uint8Array.from(divisible)];
}
