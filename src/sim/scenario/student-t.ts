/**
 * Quantiles of Student's t distribution, for confidence intervals.
 *
 * For whole degrees of freedom P(|T| < t) is a finite sum of powers of cos θ, θ = atan(t/√ν)
 * ([AS64] 26.7.3 and 26.7.4), so nothing is approximated but by rounding; it is inverted by halving.
 * Cost: degrees of freedom × 60, once for each number of them.
 */
import { assert } from "../../base/index.ts";

/** Halvings of an interval: a double has no more digits. */
const HALVINGS = 60;
const known = new Map<string, number>();

/** The t with P(|T| < t) = `probability`, 0 < probability < 1, for `degrees` ≥ 1 degrees of freedom. */
export function studentT(probability: number, degrees: number): number {
  assert(probability > 0 && probability < 1, "a two-sided probability lies between 0 and 1");
  assert(Number.isSafeInteger(degrees) && degrees >= 1, "degrees of freedom are whole and at least 1");
  const key = `${probability} ${degrees}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  // Halved is the angle, which is bounded where t is not.
  let [below, above] = [0, Math.PI / 2];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (below + above) / 2;
    if (withinAngle(middle, degrees) < probability) below = middle;
    else above = middle;
  }
  const t = Math.tan((below + above) / 2) * Math.sqrt(degrees);
  known.set(key, t);
  return t;
}

/** P(|T| < √ν · tan θ). */
function withinAngle(theta: number, degrees: number): number {
  const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
  const isOdd = degrees % 2 === 1;
  if (degrees === 1) return (2 * theta) / Math.PI;
  let term = isOdd ? cosine : 1;
  let sum = term;
  for (let k = isOdd ? 3 : 2; k <= degrees - 2; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  return isOdd ? (2 / Math.PI) * (theta + sine * sum) : sine * sum;
}
