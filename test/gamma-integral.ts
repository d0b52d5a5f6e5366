/**
 * Expectations under a gamma distribution by summing over a fine grid: nothing of the code under test.
 */

const STEPS = 200_000;

/**
 * ∫ f(x) g(x) dx over [0, to], where g is the density of the gamma distribution of this shape and scale.
 *
 * The density is normalised by its own sum, so that no gamma function is needed. Shapes above 1.
 */
export function gammaIntegral(
  [shape, scale]: readonly [number, number],
  f: (x: number) => number,
  to = Number.POSITIVE_INFINITY,
): number {
  const mean = shape * scale;
  const reach = mean + 40 * Math.sqrt(shape) * scale;
  const step = reach / STEPS;
  let all = 0;
  let sum = 0;
  for (let i = 0; i < STEPS; i++) {
    const x = (i + 0.5) * step;
    const density = Math.exp((shape - 1) * Math.log(x / mean) - (x - mean) / scale);
    all += density;
    if (x <= to) sum += density * f(x);
  }
  return sum / all;
}
