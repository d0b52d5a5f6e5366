/**
 * Quantiles of the normal distribution.
 *
 * P(Z ≤ z) by the series [AS64] 26.2.11 near the middle and the continued fraction 26.2.14 in the tail, both
 * to a double's digits; inverted by halving.
 */
import { assert } from "../base/index.ts";

/** The z at which the continued fraction takes over. */
const TAIL_FROM = 3;
const FRACTION_STEPS = 120;
const HALVINGS = 80;
/** Largest z: P(Z > 38) underflows. */
const FARTHEST = 38;

/** The z with P(Z ≤ z) = `probability`, 0 < probability < 1. */
export function normalQuantile(probability: number): number {
  assert(probability > 0 && probability < 1, "a quantile is asked between 0 and 1");
  if (probability < 0.5) return -normalQuantile(1 - probability);
  let [below, above] = [0, FARTHEST];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (below + above) / 2;
    if (upperTail(middle) > 1 - probability) below = middle;
    else above = middle;
  }
  return (below + above) / 2;
}

/** P(Z > z) for z ≥ 0. */
function upperTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < TAIL_FROM) {
    let term = z;
    let sum = z;
    for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
      term *= (z * z) / odd;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let step = FRACTION_STEPS; step >= 1; step--) fraction = z + step / fraction;
  return density / fraction;
}
