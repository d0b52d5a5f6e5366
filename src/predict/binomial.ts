/**
 * The binomial distribution: how many of n waits lie below the q-quantile.
 *
 * Exact by the incomplete beta function: P(X ≤ k) = I_{1−q}(n − k, k + 1) ([AS64] 26.5.24).
 */
import { assert } from "../base/index.ts";
import { incompleteBeta } from "./incomplete-beta.ts";

/**
 * A probability that misses the one asked for by less is taken to reach it: where both are equal on paper
 * (an odd number of tosses, half of them) the last digits of a double must not decide.
 */
export const EQUAL_WITHIN = 1e-10;

/** P(X ≤ k) of `n` trials that succeed with probability `q`. */
export function binomialCdf(k: number, n: number, q: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incompleteBeta(1 - q, n - k, k + 1);
}

/** The least k with P(X ≤ k) ≥ `probability`, 0 < probability < 1. */
export function binomialQuantile(probability: number, n: number, q: number): number {
  assert(probability > 0 && probability < 1, "a quantile is asked between 0 and 1");
  let [below, reached] = [-1, n];
  while (reached - below > 1) {
    const middle = (below + reached) >> 1;
    if (binomialCdf(middle, n, q) >= probability - EQUAL_WITHIN) reached = middle;
    else below = middle;
  }
  return reached;
}
