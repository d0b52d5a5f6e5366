/**
 * The regularised incomplete beta function, which is the tail of a binomial distribution.
 *
 * The continued fraction [AS64] 26.5.8, evaluated from the front by Lentz's method in its modified form
 * [PTVF07] 5.2 and 6.4; it converges fast for x below (a + 1) ÷ (a + b + 2), and the other side follows from
 * I_x(a, b) = 1 − I_{1−x}(b, a). Cost: about √max(a, b) steps.
 */
import { assert } from "../base/index.ts";
import { logGamma } from "./log-gamma.ts";

/** Two neighbouring values of the fraction that differ by less are the same to a double. */
const PRECISION = 1e-16;
/** Stands for a denominator that would be zero. */
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
