/**
 * Rates that sessions would take at a price of bandwidth (the multiplier λ, in utility per byte/s).
 *
 * At a price a session takes the rate at which the slope of its utility equals the price, within its
 * bounds. Of a utility that is not concave the concave envelope between the bounds counts: below the slope
 * of the first chord the session takes its minimum, above it at least the end of the chord. Linear
 * utilities are all chord. Cost: O(1) per session and price.
 */
import type { Utility } from "./utility.ts";

/** Bounds and utility of a session. */
export interface Bounded {
  readonly minBytesPerSec: number;
  readonly maxBytesPerSec: number;
  readonly utility: Utility;
}

/** The first part of an envelope where it is a chord: its slope, and the rate at its end. */
interface Chord {
  readonly slope: number;
  readonly end: number;
}

const CHORD_STEPS = 60;

/** The chord that begins at the minimum; slope 0 and the minimum where there is none. */
export function chordOf({ utility, minBytesPerSec: least, maxBytesPerSec: most }: Bounded): Chord {
  const none = { slope: 0, end: least };
  const { weight, unitBytesPerSec: unit } = utility;
  if (most <= least) return none;
  if (utility.kind === "linear") return { slope: weight / unit, end: most };
  if (utility.kind === "step") {
    const end = utility.x0 * unit;
    return end > least && end <= most ? { slope: weight / (end - least), end } : none;
  }
  return utility.kind === "sigmoid" ? sigmoidChord(utility, least / unit, most / unit) : none;
}

/** The tangent to a sigmoid from the point at its minimum; ends at the maximum where it touches beyond. */
function sigmoidChord(
  { k, x0, weight, unitBytesPerSec: unit }: Extract<Utility, { kind: "sigmoid" }>,
  least: number,
  most: number,
): Chord {
  if (least >= x0) return { slope: 0, end: least * unit };
  const at = (y: number) => 1 / (1 + Math.exp(-k * (y - x0)));
  const begin = at(least);
  // Positive while the curve is still steeper than the chord to it.
  const excess = (y: number) => k * at(y) * (1 - at(y)) * (y - least) - (at(y) - begin);
  let [low, high] = [Math.min(x0, most), most];
  if (excess(high) < 0) {
    for (let step = 0; step < CHORD_STEPS; step++) {
      const middle = (low + high) / 2;
      if (excess(middle) >= 0) low = middle;
      else high = middle;
    }
  }
  const slope = (weight * (at(high) - begin)) / ((high - least) * unit);
  return { slope, end: high * unit };
}
