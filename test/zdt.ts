/**
 * The test problems of Zitzler, Deb and Thiele for two objectives, on strings of bits.
 *
 * Each variable is 16 bits, the most significant first. `best` is the hypervolume of the whole front with
 * reference point (11, 11), from its formula. ZDT5 is left out: it is of bit strings of other lengths.
 * Source: Zitzler, Deb, Thiele 2000.
 */
import type { Judgement } from "../src/plan/planners/slots/evaluation.ts";
import { archived, evolution, type Strings } from "../src/plan/planners/slots/evolution.ts";
import type { Judged } from "../src/plan/planners/slots/moga.ts";
import { hypervolume } from "../src/plan/planners/slots/pareto.ts";

const BITS = 16;
const POPULATION = 100;
const FAR = 11;

/** One of the problems: both objectives are wanted small. */
interface Problem {
  readonly variables: number;
  /** Ranges of the variables after the first, which lies in [0, 1]. */
  readonly range: readonly [from: number, to: number];
  readonly objectives: (x: readonly number[]) => readonly [number, number];
  readonly best: number;
}

const meanOfRest = (x: readonly number[]): number =>
  x.slice(1).reduce((sum, value) => sum + value, 0) / (x.length - 1);
const linear = (x: readonly number[]): number => 1 + 9 * meanOfRest(x);
const waves = (f: number): number => f * Math.sin(10 * Math.PI * f);
const unit = [0, 1] as const;

/** The hypervolume of the best of many points of a front: f₂ as a function of f₁. */
function areaUnder(front: (f1: number) => number, from: number): number {
  const points = Array.from({ length: 200_001 }, (_, at) => {
    const f1 = from + ((1 - from) * at) / 200_000;
    return plan(f1, front(f1));
  });
  return hypervolume(points, { costSu: FAR, makespanMs: FAR });
}

function plan(f1: number, f2: number): Judgement {
  return { makespanMs: f1, costSu: f2, unplaced: 0 };
}

const root = (f1: number): number => 1 - Math.sqrt(f1);
const square = (f1: number): number => 1 - f1 * f1;
/** The least f₁ that ZDT6 has. */
const LEAST_ZDT6 = 0.2807753191;

/** The five, by name. */
export const ZDT = {
  zdt1: {
    ...{ variables: 30, range: unit, best: FAR * FAR - 1 / 3 },
    objectives: (x) => [x[0], linear(x) * root(x[0] / linear(x))],
  },
  zdt2: {
    ...{ variables: 30, range: unit, best: FAR * FAR - 2 / 3 },
    objectives: (x) => [x[0], linear(x) * square(x[0] / linear(x))],
  },
  zdt3: {
    ...{ variables: 30, range: unit, best: areaUnder((f1) => root(f1) - waves(f1), 0) },
    objectives: (x) => [x[0], linear(x) * root(x[0] / linear(x)) - waves(x[0])],
  },
  zdt4: {
    ...{ variables: 10, range: [-5, 5], best: FAR * FAR - 1 / 3 },
    objectives: (x) => {
      const g = x
        .slice(1)
        .reduce((sum, value) => sum + value * value - 10 * Math.cos(4 * Math.PI * value) + 10, 1);
      return [x[0], g * root(x[0] / g)];
    },
  },
  zdt6: {
    ...{ variables: 10, range: unit, best: areaUnder(square, LEAST_ZDT6) },
    objectives: (x) => {
      const f1 = 1 - Math.exp(-4 * x[0]) * Math.sin(6 * Math.PI * x[0]) ** 6;
      const g = 1 + 9 * meanOfRest(x) ** 0.25;
      return [f1, g * square(f1 / g)];
    },
  },
} as const satisfies Readonly<Record<string, Problem>>;

/** The problem as strings that the genetic algorithms vary. */
export function zdtStrings({ variables, range: [from, to], objectives }: Problem): Strings {
  return {
    slotCount: BITS * variables,
    neutral: (bits) => bits,
    judge: (bits) => {
      const x = Array.from({ length: variables }, (_, at) => {
        let value = 0;
        for (let bit = 0; bit < BITS; bit++) value = 2 * value + bits[BITS * at + bit];
        const part = value / (2 ** BITS - 1);
        return at === 0 ? part : from + (to - from) * part;
      });
      return plan(...objectives(x));
    },
  };
}

/**
 * Hypervolume, with reference point (11, 11), of all strings that no other beats, after some generations of a
 * hundred strings, the first drawn.
 */
export function optimised(kind: "moga" | "nsga2", of: Problem, generations: number, seed = 1): number {
  let archive: Judged[] = [];
  let count = 0;
  for (const one of evolution(kind, zdtStrings(of), { seed, seeds: [] })) {
    archive = archived(archive, one);
    if (++count === POPULATION * generations) break;
  }
  return hypervolume(
    archive.map(({ judgement }) => judgement),
    { costSu: FAR, makespanMs: FAR },
  );
}
