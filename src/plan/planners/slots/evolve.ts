/**
 * The genetic algorithms over sets of slots, as planners: judge, keep what no other beats, breed.
 *
 * The archive has all feasible strings ever judged that no other dominates, those of the initial population
 * included; it is the answer. A step is one evaluation.
 */
import { createRandom } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";
import type { Placement } from "../placement.ts";
import { type Plan, planOf } from "../plan.ts";
import { frontOf, type Planning, type PlanningQuestion } from "../planning.ts";
import { drawBits } from "./bit-strings.ts";
import { createEvaluation, type Evaluation, evaluate, rectanglesOf } from "./evaluation.ts";
import { type Judged, mogaOffspring, SIGMA } from "./moga.ts";
import { nsga2Offspring, nsga2Survivors } from "./nsga2.ts";
import { type OrderedStrings, orderedStrings } from "./ordered.ts";
import { dominates } from "./pareto.ts";

/** Members of a population, and usual number of evaluations: ten generations. */
const POPULATION = 100;
const USUAL_EVALUATIONS = 1000;

/** Evolution as a sequence of judged strings, without end. */
export function* evolution(
  kind: "moga" | "nsga2",
  { slotCount, neutral, judge }: OrderedStrings,
  { seed, seeds }: { readonly seed: number; readonly seeds: readonly Uint8Array[] },
): Generator<Judged, never, unknown> {
  const random = createRandom(seed);
  let strings = Array.from(
    { length: POPULATION },
    (_, at) => seeds[at] ?? neutral(drawBits(random, slotCount)),
  );
  let before: Judged[] = [];
  for (;;) {
    const judged: Judged[] = [];
    for (const bits of strings) {
      const one = { bits, judgement: judge(bits) };
      judged.push(one);
      yield one;
    }
    if (kind === "moga") strings = mogaOffspring(judged, random, SIGMA);
    else {
      const survivors = nsga2Survivors([...before, ...judged], POPULATION);
      before = survivors;
      strings = nsga2Offspring(survivors, random, slotCount);
    }
  }
}

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
function planOfLast(evaluation: Evaluation): Plan {
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

function plainStrings(evaluation: Evaluation): OrderedStrings {
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

/** The archive with one more, where no member dominates it or equals its costs. */
function archived(archive: Judged[], one: Judged): Judged[] {
  const { judgement: own } = one;
  if (own.unplaced > 0) return archive;
  const isBeaten = archive.some(
    ({ judgement: it }) => it.costSu <= own.costSu && it.makespanMs <= own.makespanMs,
  );
  return isBeaten ? archive : [...archive.filter(({ judgement }) => !dominates(own, judgement)), one];
}
