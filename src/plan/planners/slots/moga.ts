/**
 * MOGA: the genetic algorithm of Fonseca and Fleming, as [PROV] 4.5 uses it on sets of slots.
 *
 * Rank by the number of dominating members; raw fitness by rank; shared within the rank by niches of radius
 * σ over both costs, normalised over the feasible plans of the population; proportional selection, crossover
 * always. Source: Fonseca, Fleming 1993 [FF93]; open points as our rule PL-26 decides them.
 * Cost: O(N²) for a generation of N besides the evaluations.
 */
import { drawFraction, type Random } from "../../../base/index.ts";
import { mutate, shuffle, twoPointCrossover } from "./bit-strings.ts";
import type { Judgement } from "./evaluation.ts";
import { dominates } from "./pareto.ts";

/** A string with its costs. */
export interface Judged {
  readonly bits: Uint8Array;
  readonly judgement: Judgement;
}

/** The source's radius of niches: 2/(N − 1) for N = 50. */
export const SIGMA = 0.041;

/** The strings of the next generation, to be judged. */
export function mogaOffspring(population: readonly Judged[], random: Random, sigma: number): Uint8Array[] {
  const judgements = population.map(({ judgement }) => judgement);
  const fitness = sharedFitness(judgements, sigma);
  const pool = shuffle(
    random,
    population.map(() => population[drawProportionally(random, fitness)].bits),
  );
  const children: Uint8Array[] = [];
  for (let at = 0; at < pool.length; at += 2) {
    // Of an odd number the last has no partner but itself.
    children.push(...twoPointCrossover(random, pool[at], pool[at + 1] ?? pool[at]));
  }
  const next = children.slice(0, population.length);
  for (const bits of next) mutate(random, bits);
  return next;
}

/** Fitness of every member: by rank, shared in niches, scaled so that the mean of each rank is unchanged. */
export function sharedFitness(judgements: readonly Judgement[], sigma: number): Float64Array {
  const count = judgements.length;
  const ranks = judgements.map((own) => 1 + judgements.filter((other) => dominates(other, own)).length);
  const members = new Map<number, number[]>();
  for (const [at, rank] of ranks.entries()) members.set(rank, [...(members.get(rank) ?? []), at]);
  const distance = normalisedDistance(judgements);
  const fitness = new Float64Array(count);
  let better = 0;
  for (const rank of [...members.keys()].sort((one, other) => one - other)) {
    const own = members.get(rank) ?? [];
    const raw = count - better - 0.5 * (own.length - 1);
    better += own.length;
    let sum = 0;
    for (const one of own) {
      let niche = 0;
      for (const other of own) niche += Math.max(0, 1 - distance(one, other) / sigma);
      fitness[one] = raw / niche;
      sum += fitness[one];
    }
    const scale = (raw * own.length) / sum;
    for (const one of own) fitness[one] *= scale;
  }
  return fitness;
}

function normalisedDistance(judgements: readonly Judgement[]): (one: number, other: number) => number {
  const feasible = judgements.filter(({ unplaced }) => unplaced === 0);
  const costs = feasible.map(({ costSu }) => costSu);
  const times = feasible.map(({ makespanMs }) => makespanMs);
  const costRange = feasible.length === 0 ? 0 : Math.max(...costs) - Math.min(...costs);
  const timeRange = feasible.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
  const part = (difference: number, range: number): number => (range === 0 ? 0 : difference / range);
  return (one, other) => {
    const [a, b] = [judgements[one], judgements[other]];
    return Math.hypot(part(a.costSu - b.costSu, costRange), part(a.makespanMs - b.makespanMs, timeRange));
  };
}

function drawProportionally(random: Random, weights: Float64Array): number {
  let left = drawFraction(random) * weights.reduce((sum, weight) => sum + weight, 0);
  for (let at = 0; at < weights.length - 1; at++) {
    left -= weights[at];
    if (left < 0) return at;
  }
  return weights.length - 1;
}
