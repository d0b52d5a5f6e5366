/**
 * One objective in the place of two: a genetic algorithm on α·cost + (1 − α)·makespan.
 *
 * Both are normalised by the two extreme plans, the cheapest and the fastest, each found by a third of the
 * evaluations; the last third minimises the sum. The way that [PROV] 4.4 argues against: each α takes a run
 * of its own, and plans where the front is not convex are never found.
 */
import type { Instance } from "../../platform/index.ts";
import type { Planning, PlanningQuestion } from "../planning.ts";
import { createEvaluation, type Judgement } from "./evaluation.ts";
import { type Comparison, evolution } from "./evolution.ts";
import { plainStrings, planOfLast, USUAL_EVALUATIONS } from "./evolve.ts";
import type { Judged } from "./moga.ts";

/** Plans by the weighted sum; a step is one evaluation. */
export function* weightedPlan(instance: Instance, question: PlanningQuestion): Planning {
  const { alpha, seed, evaluations: most = USUAL_EVALUATIONS } = question;
  const evaluation = createEvaluation(instance);
  const strings = plainStrings(evaluation);
  const bests: Judged[] = [];
  let count = 0;
  let bestMakespanMs = Number.POSITIVE_INFINITY;
  let isStopped = false;
  for (let phase = 0; phase < 3 && !isStopped; phase++) {
    const compare = comparisonOf(phase, bests, alpha);
    const end = Math.max(phase + 1, Math.floor((most * (phase + 1)) / 3));
    const known = bests.map(({ bits }) => bits);
    let best: Judged | undefined;
    for (const one of evolution(compare, strings, { seed: seed + phase, seeds: known })) {
      count++;
      if (best === undefined || compare(one.judgement, best.judgement) < 0) best = one;
      if (one.judgement.unplaced === 0) {
        bestMakespanMs = Math.min(bestMakespanMs, one.judgement.makespanMs);
      }
      isStopped = (yield { evaluations: count, mostEvaluations: most, bestMakespanMs }) === true;
      if (isStopped || count >= end) break;
    }
    if (best !== undefined) bests.push(best);
  }
  strings.judge(bests[bests.length - 1].bits);
  return { front: [planOfLast(evaluation)], evaluations: count };
}

/** By cost, then by makespan, then by their sum, normalised by the best of both. */
function comparisonOf(phase: number, bests: readonly Judged[], alpha: number): Comparison {
  if (phase === 0) return byWorth(({ costSu }) => costSu);
  if (phase === 1) return byWorth(({ makespanMs }) => makespanMs);
  const [cheapest, fastest] = bests.map(({ judgement }) => judgement);
  const part = (value: number, least: number, most: number): number =>
    most > least ? (value - least) / (most - least) : 0;
  return byWorth(
    ({ costSu, makespanMs }) =>
      alpha * part(costSu, cheapest.costSu, fastest.costSu) +
      (1 - alpha) * part(makespanMs, fastest.makespanMs, cheapest.makespanMs),
  );
}

/** Plans that leave fewer tasks out come first; ties go to the smaller makespan, then cost. */
function byWorth(worth: (judgement: Judgement) => number): Comparison {
  return (one, other) =>
    one.unplaced - other.unplaced ||
    worth(one) - worth(other) ||
    one.makespanMs - other.makespanMs ||
    one.costSu - other.costSu;
}
