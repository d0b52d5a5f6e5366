/**
 * Numbers from the gamma distribution.
 *
 * Source: Marsaglia & Tsang 2000 [MT00], which rejects less than one draw in twenty for any shape from 1
 * on; below 1 by their boost of a draw of shape + 1. Normal numbers by Box & Muller's formula, one of the
 * two only, so that a draw leaves no state behind.
 */
import { assert, drawFraction, type Random } from "../../base/index.ts";

/** Draws from the gamma distribution of this shape and scale (mean shape × scale); both above 0. */
export function gammaSampler(shape: number, scale: number): (random: Random) => number {
  assert(shape > 0 && scale > 0, "shape and scale of a gamma distribution are above 0");
  if (shape < 1) {
    const above = gammaSampler(shape + 1, scale);
    return (random) => above(random) * (1 - drawFraction(random)) ** (1 / shape);
  }
  const centre = shape - 1 / 3;
  const width = 1 / Math.sqrt(9 * centre);
  return (random) => {
    for (;;) {
      const normal = drawNormal(random);
      const root = 1 + width * normal;
      if (root <= 0) continue;
      const cube = root * root * root;
      const bound = 0.5 * normal * normal + centre * (1 - cube + Math.log(cube));
      if (Math.log(1 - drawFraction(random)) < bound) return centre * cube * scale;
    }
  };
}

/** A number from the normal distribution of mean 0 and variance 1. */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawFraction(random)));
  return radius * Math.cos(2 * Math.PI * drawFraction(random));
}
