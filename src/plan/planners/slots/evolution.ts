/**
 * Evolution of bit strings by MOGA or NSGA-II: judge, keep what no other beats, breed.
 *
 * What a string means is left to whoever judges it: a set of slots, an order of tasks, a number.
 */
import { createRandom } from "../../../base/index.ts";
import { drawBits } from "./bit-strings.ts";
import type { Judgement } from "./evaluation.ts";
import { type Judged, mogaOffspring, SIGMA } from "./moga.ts";
import { nsga2Offspring, nsga2Survivors } from "./nsga2.ts";
import { dominates } from "./pareto.ts";
import { rankedOffspring } from "./ranked.ts";

/** Members of a population. */
const POPULATION = 100;

/** Encoding and evaluation of the strings. */
export interface Strings {
  /** Bits that are drawn at first; what follows them is mutated at a rate of its own. */
  readonly slotCount: number;
  /** The whole string of drawn bits. */
  readonly neutral: (slots: Uint8Array) => Uint8Array;
  readonly judge: (bits: Uint8Array) => Judgement;
}

/** Which of two strings is better by one number: below 0 the first. */
export type Comparison = (one: Judgement, other: Judgement) => number;

/** Evolution as a sequence of judged strings, without end; with a comparison, of one objective. */
export function* evolution(
  kind: "moga" | "nsga2" | Comparison,
  { slotCount, neutral, judge }: Strings,
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
    else if (typeof kind === "function") {
      const sorted = [...before, ...judged].sort((one, other) => kind(one.judgement, other.judgement));
      before = sorted.slice(0, POPULATION);
      strings = rankedOffspring(before, random, slotCount);
    } else {
      const survivors = nsga2Survivors([...before, ...judged], POPULATION);
      before = survivors;
      strings = nsga2Offspring(survivors, random, slotCount);
    }
  }
}

/**
 * The archive with one more, where no member dominates it or equals its costs: all feasible strings ever
 * judged that no other dominates, those of the initial population included.
 */
export function archived(archive: Judged[], one: Judged): Judged[] {
  const { judgement: own } = one;
  if (own.unplaced > 0) return archive;
  const isBeaten = archive.some(
    ({ judgement: it }) => it.costSu <= own.costSu && it.makespanMs <= own.makespanMs,
  );
  return isBeaten ? archive : [...archive.filter(({ judgement }) => !dominates(own, judgement)), one];
}
