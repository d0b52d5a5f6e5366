/**
 * Ranks of bounds: which of n waits, sorted ascending, bounds a quantile (rule PD-1); the binomial method.
 *
 * Source: the binomial method batch predictor of Brevik, Nurmi and Wolski [BNW06]. For more than 10,000 waits
 * the rank comes from the normal approximation with its first correction for skewness, rounded up, which is
 * never below the exact rank and at most one above; below that every rank is exact.
 * Cost: an exact rank takes some 14 tails of a binomial, once for each n, q and C.
 */
import { assert } from "../base/index.ts";
import { normalQuantile } from "./normal.ts";

/** Largest number of waits for which the exact rank is computed. */
const MOST_EXACT = 10_000;
/** Least variance of the count for which the approximation holds, however many waits there are. */
const LEAST_VARIANCE = 100;
/** Upper bound of the terms that the approximation leaves out. */
const MARGIN = 0.05;
const HALVINGS = 60;

/** A quantile to be bounded, and the confidence of the bound. */
export interface Assurance {
  /** The part of all waits that must be within the bound, between 0 and 1. */
  readonly quantile: number;
  /** Probability that the bound holds, between 0 and 1. */
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
  // On paper 1 − q^n may equal C; the last digit of a double must not require one wait more.
  if (least > 1 && reaches(least - 1, assurance)) least--;
  knownMinima.set(key, least);
  return least;
}

/**
 * The rank, from 1, of the wait that is an upper bound of the quantile: the least k for which at most k − 1
 * of n waits lie below the quantile with the requested confidence; undefined where n is too small.
 */
export function upperRank(n: number, assurance: Assurance): number | undefined {
  return n < minimumSample(assurance) ? undefined : rankOf(n, assurance);
}

/**
 * The rank of the wait that is a lower bound of the quantile, the mirror of the upper one; undefined where n
 * is too small.
 */
export function lowerRank(n: number, { quantile, confidence }: Assurance): number | undefined {
  const mirrored = upperRank(n, { quantile: 1 - quantile, confidence });
  return mirrored === undefined ? undefined : n + 1 - mirrored;
}

/**
 * The greatest quantile whose upper bound is the wait of rank `rank` of `n` or less: the probability that the
 * next wait is at most that one, with confidence `confidence`. 0 for rank 0.
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

// The binomial distribution: how many of n waits lie below the q-quantile.
//
// Exact by the incomplete beta function: P(X ≤ k) = I_{1−q}(n − k, k + 1) ([AS64] 26.5.24).

/**
 * Tolerance below a requested probability: where both are equal on paper (an odd number of tosses, half of
 * them) the last digits of a double must not decide.
 */
const EQUAL_WITHIN = 1e-10;

/** P(X ≤ k) for `n` trials with success probability `q`. */
export function binomialCdf(k: number, n: number, q: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incompleteBeta(1 - q, n - k, k + 1);
}

/** The least k with P(X ≤ k) ≥ `probability`, 0 < probability < 1. */
function binomialQuantile(probability: number, n: number, q: number): number {
  assert(probability > 0 && probability < 1, "a quantile is asked between 0 and 1");
  let [below, reached] = [-1, n];
  while (reached - below > 1) {
    const middle = (below + reached) >> 1;
    if (binomialCdf(middle, n, q) >= probability - EQUAL_WITHIN) reached = middle;
    else below = middle;
  }
  return reached;
}

// The regularised incomplete beta function, which is the tail of a binomial distribution.
//
// The continued fraction [AS64] 26.5.8, evaluated from the front by Lentz's method in its modified form
// [PTVF07] 5.2 and 6.4; it converges fast for x below (a + 1) ÷ (a + b + 2), and the other side follows from
// I_x(a, b) = 1 − I_{1−x}(b, a). Cost: about √max(a, b) steps.

/** Relative difference below which two neighbouring values of the fraction are equal as doubles. */
const PRECISION = 1e-16;
/** Replaces a denominator of zero. */
const TINY = 1e-300;
const MOST_STEPS = 100_000;

/** I_x(a, b) for 0 ≤ x ≤ 1, a > 0, b > 0; between 0 and 1. */
export function incompleteBeta(x: number, a: number, b: number): number {
  assert(x >= 0 && x <= 1, "the incomplete beta function is asked between 0 and 1");
  assert(a > 0 && b > 0, "its parameters are positive");
  if (x === 0 || x === 1) return x;
  const isBelow = x < (a + 1) / (a + b + 2);
  const value = isBelow ? leading(x, a, b) / a : leading(1 - x, b, a) / b;
  return isBelow ? Math.min(1, value) : Math.max(0, 1 - value);
}

/** x^a (1 − x)^b ÷ B(a, b) × the continued fraction. */
function leading(x: number, a: number, b: number): number {
  const front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return Math.exp(front) * fraction(x, a, b);
}

function fraction(x: number, a: number, b: number): number {
  let numerator = 1;
  let denominator = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = denominator;
  for (let m = 1; m <= MOST_STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    denominator = 1 / awayFromZero(1 + even * denominator);
    numerator = awayFromZero(1 + even / numerator);
    value *= denominator * numerator;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    denominator = 1 / awayFromZero(1 + odd * denominator);
    numerator = awayFromZero(1 + odd / numerator);
    const step = denominator * numerator;
    value *= step;
    if (Math.abs(step - 1) <= PRECISION) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

// ln Γ(x) for x > 0, which binomial coefficients of many waits need.
//
// Stirling's series ([AS64] 6.1.41) where it has converged to a double's digits; smaller arguments are moved
// there by Γ(x + 1) = x Γ(x). Error: a few units in the last place of the largest term, below 10^-13 for
// x < 100 and below 10^-15 of the result above (test).

/** The least argument for which the terms below suffice. */
const CONVERGED_FROM = 15;
const HALF_LN_TWO_PI = 0.9189385332046728;

/** ln Γ(x); `x` > 0. */
export function logGamma(x: number): number {
  assert(x > 0, "ln Γ is asked for a positive number");
  let product = 1;
  let at = x;
  for (; at < CONVERGED_FROM; at++) product *= at;
  const inverse = 1 / at;
  const square = inverse * inverse;
  const tail =
    inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188))));
  return (at - 0.5) * Math.log(at) - at + HALF_LN_TWO_PI + tail - Math.log(product);
}
