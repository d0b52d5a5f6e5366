/**
 * NSGA-II: fast non-dominated sorting, crowding distance, elitism, on bit strings.
 *
 * Source: Deb, Pratap, Agarwal, Meyarivan 2002 [NSGA2]. Cost: O(N²) for a generation of N besides the
 * evaluations.
 */
import { drawInteger, type Random } from "../../../base/index.ts";
import { mutate, twoPointCrossover } from "./bit-strings.ts";
import type { Judgement } from "./evaluation.ts";
import type { Judged } from "./moga.ts";
import { dominates } from "./pareto.ts";

/** A member with its front, 0 the best, and its distance to its neighbours in the front. */
interface Sorted extends Judged {
  readonly front: number;
  readonly crowding: number;
}

/** The best `size` of parents and children: whole fronts first, of the last one the least crowded. */
export function nsga2Survivors(members: readonly Judged[], size: number): Sorted[] {
  const sorted = frontsOf(members).flatMap((own, front) => {
    const crowding = crowdingOf(own.map((at) => members[at].judgement));
    return own
      .map((at, place): Sorted => ({ ...members[at], front, crowding: crowding[place] }))
      .sort((one, other) => other.crowding - one.crowding);
  });
  return sorted.slice(0, size);
}

/** Children of binary tournaments by front, then by the larger distance. */
export function nsga2Offspring(population: readonly Sorted[], random: Random, split: number): Uint8Array[] {
  const children: Uint8Array[] = [];
  while (children.length < population.length) {
    children.push(
      ...twoPointCrossover(random, tournament(population, random), tournament(population, random)),
    );
  }
  const next = children.slice(0, population.length);
  for (const bits of next) mutate(random, bits, split);
  return next;
}

function tournament(population: readonly Sorted[], random: Random): Uint8Array {
  const one = population[drawInteger(random, 0, population.length - 1)];
  const other = population[drawInteger(random, 0, population.length - 1)];
  if (one.front !== other.front) return one.front < other.front ? one.bits : other.bits;
  return one.crowding >= other.crowding ? one.bits : other.bits;
}

/** Numbers of the members by front. */
function frontsOf(members: readonly Judged[]): readonly (readonly number[])[] {
  const dominated = members.map((): number[] => []);
  const dominators = new Int32Array(members.length);
  for (let one = 0; one < members.length; one++) {
    for (let other = 0; other < members.length; other++) {
      if (!dominates(members[one].judgement, members[other].judgement)) continue;
      dominated[one].push(other);
      dominators[other]++;
    }
  }
  const fronts: number[][] = [];
  let front = [...members.keys()].filter((at) => dominators[at] === 0);
  while (front.length > 0) {
    fronts.push(front);
    front = front.flatMap((at) => dominated[at].filter((other) => --dominators[other] === 0));
  }
  return fronts;
}

function crowdingOf(judgements: readonly Judgement[]): Float64Array {
  const crowding = new Float64Array(judgements.length);
  for (const value of [({ costSu }: Judgement) => costSu, ({ makespanMs }: Judgement) => makespanMs]) {
    const order = [...judgements.keys()].sort(
      (one, other) => value(judgements[one]) - value(judgements[other]),
    );
    const last = order.length - 1;
    const range = value(judgements[order[last]]) - value(judgements[order[0]]);
    crowding[order[0]] = Number.POSITIVE_INFINITY;
    crowding[order[last]] = Number.POSITIVE_INFINITY;
    if (range === 0) continue;
    for (let at = 1; at < last; at++) {
      crowding[order[at]] += (value(judgements[order[at + 1]]) - value(judgements[order[at - 1]])) / range;
    }
  }
  return crowding;
}
