/**
 * Which of n waits, sorted ascending, bounds a quantile: the binomial method.
 *
 * Source: the binomial method batch predictor of Brevik, Nurmi and Wolski [BNW06]. For more than 10,000 waits
 * the rank comes from the normal approximation with its first correction for skewness, rounded up, which is
 * never below the exact rank and at most one above (rule PD-3); below that every rank is exact.
 * Cost: an exact rank takes some 14 tails of a binomial, once for each n, q and C.
 */
import { assert } from "../base/index.ts";
import { binomialCdf, binomialQuantile, EQUAL_WITHIN } from "./binomial.ts";
import { normalQuantile } from "./normal.ts";

/** With more waits the normal approximation is used. */
const MOST_EXACT = 10_000;
/** A variance of the count below this is too small for it, however many waits there are. */
const LEAST_VARIANCE = 100;
/** What the terms left out of the approximation may amount to. */
const MARGIN = 0.05;
const HALVINGS = 60;

/** A quantile to be bounded, and how surely. */
export interface Assurance {
  /** The part of all waits that are to be within the bound, between 0 and 1. */
  readonly quantile: number;
  /** The probability that they are, between 0 and 1. */
  readonly confidence: number;
}

const knownRanks = new Map<string, Map<number, number>>();
const knownMinima = new Map<string, number>();

/** The least number of waits that give an upper bound: ln(1 − C) ÷ ln q, rounded up; 59 at 0.95 and 0.95. */
export function minimumSample(assurance: Assurance): number {
  const key = keyOf(assurance);
  const known = knownMinima.get(key);
  if (known !== undefined) return known;
  let least = Math.max(1, Math.ceil(leastReal(assurance)));
  // On paper 1 − q^n may equal C; a double's last digit must not ask for one wait more.
  if (least > 1 && reaches(least - 1, assurance)) least--;
  knownMinima.set(key, least);
  return least;
}

/**
 * The rank, counted from 1, of the wait that is an upper bound of the quantile: the least k for which at
 * most k − 1 of n waits lie below the quantile with the confidence asked for; undefined where n are too few.
 */
export function upperRank(n: number, assurance: Assurance): number | undefined {
  return n < minimumSample(assurance) ? undefined : rankOf(n, assurance);
}

/** The rank of the wait that is a lower bound of the quantile, or undefined: the mirror of the upper one. */
export function lowerRank(n: number, { quantile, confidence }: Assurance): number | undefined {
  const mirrored = upperRank(n, { quantile: 1 - quantile, confidence });
  return mirrored === undefined ? undefined : n + 1 - mirrored;
}

/**
 * The greatest quantile whose upper bound is the wait of rank `rank` of `n` or less: the probability that the
 * next wait is within that one, said with `confidence`. 0 for rank 0.
 */
export function greatestQuantile(rank: number, n: number, confidence: number): number {
  assert(rank <= n, "a rank is at most the number of waits");
  if (rank === 0) return 0;
  if (rank === n) return (1 - confidence) ** (1 / n);
  let [kept, broken] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (kept + broken) / 2;
    if (binomialCdf(rank - 1, n, middle) >= confidence) kept = middle;
    else broken = middle;
  }
  return kept;
}

/** The exact rank for n ≥ the minimum sample, whatever n. */
export function exactUpperRank(n: number, { quantile, confidence }: Assurance): number {
  return binomialQuantile(confidence, n, quantile) + 1;
}

/** The rank by the normal approximation; for large n only. */
export function approximateUpperRank(n: number, { quantile, confidence }: Assurance): number {
  const z = normalQuantile(confidence);
  const variance = n * quantile * (1 - quantile);
  const skew = ((z * z - 1) * (1 - 2 * quantile)) / 6;
  return Math.min(n, Math.ceil(n * quantile + z * Math.sqrt(variance) + skew + 0.5 + MARGIN));
}

function rankOf(n: number, assurance: Assurance): number {
  const key = keyOf(assurance);
  const ranks = knownRanks.get(key) ?? new Map<number, number>();
  knownRanks.set(key, ranks);
  const known = ranks.get(n);
  if (known !== undefined) return known;
  const { quantile } = assurance;
  const isLarge = n > MOST_EXACT && n * quantile * (1 - quantile) >= LEAST_VARIANCE;
  if (isLarge) return approximateUpperRank(n, assurance);
  const rank = exactUpperRank(n, assurance);
  ranks.set(n, rank);
  return rank;
}

function keyOf({ quantile, confidence }: Assurance): string {
  return `${quantile} ${confidence}`;
}

function leastReal({ quantile, confidence }: Assurance): number {
  assert(quantile > 0 && quantile < 1, "a quantile lies between 0 and 1");
  assert(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1");
  return Math.log(1 - confidence) / Math.log(quantile);
}

function reaches(n: number, { quantile, confidence }: Assurance): boolean {
  return 1 - quantile ** n >= confidence - EQUAL_WITHIN;
}
