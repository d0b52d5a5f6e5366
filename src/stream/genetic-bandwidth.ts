/**
 * Rates for utilities of any shape, by a genetic algorithm.
 *
 * Source: [STREAM] 3.5 names the algorithm and none of its operators; they are our reading: genes are rates
 * as parts of the link, selection is by tournament, crossover BLX-α (Eshelman & Schaffer 1993), mutation
 * Gaussian, and an infeasible individual is repaired. `isLiteral` is the plainest reading: roulette, no
 * seeds, a penalty. Deterministic for a given source of chance. Cost: O(population × generations ×
 * sessions).
 */
import type { Random } from "../base/index.ts";
import { exactRates } from "./exact-bandwidth.ts";
import { type Genome, genomeOf, repair, utilitySum } from "./genetic-columns.ts";
import { jumpSeeds } from "./jump-seeds.ts";
import { polishRates } from "./polish-rates.ts";
import type { Session } from "./session.ts";

/** Parameters of the genetic algorithm. */
export interface GeneticRules {
  readonly population: number;
  readonly generations: number;
  /** The search ends when the best gained less than this part in so many generations. */
  readonly leastGain: number;
  readonly gainGenerations: number;
  readonly tournament: number;
  readonly blend: number;
  readonly crossover: number;
  /** Deviation of a mutation, as part of the range of the gene; it shrinks to 0 with the generations. */
  readonly deviation: number;
  readonly elites: number;
  /** False: no seeds from exact solutions of the concave envelope. */
  readonly isEnvelopeSeeded: boolean;
  readonly isLiteral: boolean;
}

/** Parameters of our reading. */
const GENETIC_RULES: GeneticRules = {
  population: 60,
  generations: 200,
  leastGain: 1e-4,
  gainGenerations: 20,
  tournament: 3,
  blend: 0.5,
  crossover: 0.9,
  deviation: 0.1,
  elites: 2,
  isEnvelopeSeeded: true,
  isLiteral: false,
};

interface GeneticQuestion {
  readonly inboundBytesPerSec: number;
  readonly random: Random;
  readonly rules: Partial<GeneticRules>;
}

interface Search {
  readonly genome: Genome;
  readonly rules: GeneticRules;
  readonly random: Random;
}

interface Individual {
  readonly genes: Float64Array;
  fitness: number;
}

/** Rates of the best individual, in the order of the sessions; the minima fit into the link. */
export function geneticRates(
  sessions: readonly Session[],
  { inboundBytesPerSec, random, rules: given }: GeneticQuestion,
): Float64Array {
  const rules = { ...GENETIC_RULES, ...given };
  const genome = genomeOf(sessions, inboundBytesPerSec);
  const search: Search = { genome, rules, random };
  const seeds = rules.isLiteral ? [] : seedsOf(sessions, inboundBytesPerSec, rules);
  let parents = Array.from({ length: rules.population }, (_, at) => founder(search, seeds[at]));
  let children = parents.map((): Individual => ({ genes: new Float64Array(genome.count), fitness: 0 }));
  parents.sort(byFitness);
  let reference = parents[0].fitness;
  for (let generation = 1; generation <= rules.generations; generation++) {
    breed(search, { parents, children, cooling: 1 - generation / rules.generations });
    [parents, children] = [children, parents];
    parents.sort(byFitness);
    if (generation % rules.gainGenerations !== 0) continue;
    const best = parents[0].fitness;
    if (best - reference < rules.leastGain * Math.abs(reference)) break;
    reference = best;
  }
  const best = parents[0].genes;
  // The penalty lets an individual exceed the link a little.
  repair(genome, best);
  const rates = best.map((gene) => gene * inboundBytesPerSec);
  if (!rules.isLiteral) polishRates(sessions, rates);
  return rates;
}

function byFitness(one: Individual, other: Individual): number {
  return other.fitness - one.fitness;
}

/** The exact solution of the concave envelope, equal shares, the last allocation, and those of jumps. */
function seedsOf(
  sessions: readonly Session[],
  inbound: number,
  { isEnvelopeSeeded }: GeneticRules,
): readonly Float64Array[] {
  const equal = Float64Array.from(sessions, () => 1 / sessions.length);
  const isKnown = sessions.some(({ lastBytesPerSec }) => lastBytesPerSec !== undefined);
  const last = Float64Array.from(
    sessions,
    ({ lastBytesPerSec, minBytesPerSec }) => (lastBytesPerSec ?? minBytesPerSec) / inbound,
  );
  const solved = isEnvelopeSeeded ? [exactRates(sessions, inbound), ...jumpSeeds(sessions, inbound)] : [];
  const [envelope = [], ...jumps] = solved.map((rates) => [rates.map((rate) => rate / inbound)]);
  return [...envelope, equal, ...(isKnown ? [last] : []), ...jumps.flat()];
}

/** An individual of the first generation: a seed, or drawn between the bounds. */
function founder(search: Search, seed: Float64Array | undefined): Individual {
  const { least, most } = search.genome;
  const drawn = () => least.map((from, at) => from + fraction(search.random) * (most[at] - from));
  const individual = { genes: seed ?? drawn(), fitness: 0 };
  judge(search, individual);
  return individual;
}

/** Repairs an individual, or finds its penalty, and measures it. */
function judge({ genome, rules }: Search, individual: Individual): void {
  const { genes } = individual;
  if (!rules.isLiteral) {
    repair(genome, genes);
    individual.fitness = utilitySum(genome, genes);
    return;
  }
  let sum = 0;
  for (let at = 0; at < genome.count; at++) {
    genes[at] = Math.min(genome.most[at], Math.max(genome.least[at], genes[at]));
    sum += genes[at];
  }
  const utility = utilitySum(genome, genes);
  individual.fitness = utility - Math.max(0, sum - 1) * PENALTY * Math.max(1, Math.abs(utility));
}

/** Penalty for exceeding the link by its whole capacity, in utilities of the individual. */
const PENALTY = 10;

interface Generation {
  readonly parents: readonly Individual[];
  readonly children: readonly Individual[];
  /** From 1 to 0: how far mutations reach. */
  readonly cooling: number;
}

function breed(search: Search, { parents, children, cooling }: Generation): void {
  const { rules, random } = search;
  const wheel = rules.isLiteral ? wheelOf(parents) : undefined;
  const chosen = () => (wheel === undefined ? tournament(search, parents) : parents[spin(wheel, random)]);
  for (let at = 0; at < parents.length; at++) {
    const child = children[at];
    if (at < rules.elites) {
      child.genes.set(parents[at].genes);
      child.fitness = parents[at].fitness;
      continue;
    }
    const [mother, father] = [chosen(), chosen()];
    if (fraction(random) < rules.crossover) blend(search, { mother, father, child });
    else child.genes.set(mother.genes);
    mutate(search, child.genes, cooling);
    judge(search, child);
  }
}

function tournament({ rules, random }: Search, parents: readonly Individual[]): Individual {
  // Parents are in order, the best first: the smallest index wins.
  let best = parents.length;
  for (let round = 0; round < rules.tournament; round++) {
    best = Math.min(best, Math.floor(fraction(random) * parents.length));
  }
  return parents[best];
}

interface Pair {
  readonly mother: Individual;
  readonly father: Individual;
  readonly child: Individual;
}

/** BLX: each gene uniform between those of the parents, and beyond by a part of their distance. */
function blend({ rules, random }: Search, { mother, father, child }: Pair): void {
  const [one, other, made] = [mother.genes, father.genes, child.genes];
  const reach = 1 + 2 * rules.blend;
  for (let at = 0; at < made.length; at++) {
    const distance = other[at] - one[at];
    made[at] = one[at] + distance * (fraction(random) * reach - rules.blend);
  }
}

/** Gaussian mutation of each gene with probability 1/n; the next mutated gene is drawn, not each asked. */
function mutate({ genome, rules, random }: Search, genes: Float64Array, cooling: number): void {
  const { count, least, most } = genome;
  const rate = Math.log(1 - Math.min(1 / count, 1 - 1e-9));
  const skip = () => Math.floor(Math.log(1 - fraction(random)) / rate);
  for (let at = skip(); at < count; at += 1 + skip()) {
    const range = most[at] - least[at];
    genes[at] += gaussian(random) * rules.deviation * range * cooling;
  }
}

/** Sums of fitness above the worst, for the roulette. */
function wheelOf(parents: readonly Individual[]): Float64Array {
  const worst = parents[parents.length - 1].fitness;
  let sum = 0;
  return Float64Array.from(parents, ({ fitness }) => {
    sum += fitness - worst;
    return sum;
  });
}

function spin(wheel: Float64Array, random: Random): number {
  const at = fraction(random) * wheel[wheel.length - 1];
  const found = wheel.findIndex((sum) => sum > at);
  return found < 0 ? Math.floor(fraction(random) * wheel.length) : found;
}

/** A uniform fraction of 32 bits: half the draws of a full one, and fine enough for genes. */
function fraction(random: Random): number {
  return (random.next() >>> 0) * 2 ** -32;
}

function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - fraction(random))) * Math.cos(2 * Math.PI * fraction(random));
}
