/**
 * ln Γ(x) for x > 0, which binomial coefficients of many waits need.
 *
 * Stirling's series ([AS64] 6.1.41) where it has converged to a double's digits; smaller arguments are moved
 * there by Γ(x + 1) = x Γ(x). Error: a few units in the last place of the largest term, below 10^-13 for
 * x < 100 and below 10^-15 of the result above (test).
 */
import { assert } from "../base/index.ts";

/** From here on the terms written out below are enough. */
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
