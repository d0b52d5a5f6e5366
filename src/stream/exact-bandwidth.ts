/**
 * Rates that maximise the sum of concave utilities: bisection on the multiplier of the link.
 *
 * At the optimum every session that is not at a bound has the same slope, the multiplier λ; the rates fall
 * as λ rises, so that the λ at which they fill the link is found by halving. Where rates jump at a λ
 * (linear utilities of equal slope) the two sides are mixed in the proportion that fills the link. Source:
 * the problem of [STREAM] 3.5; the solution is the textbook's. Cost: O(n log 1/ε), about 30 passes.
 */
import type { Bounded } from "./envelope.ts";
import { columnsOf, takeAt } from "./price-search.ts";

/** Steps by which the first guess is widened; 4^512 spans all doubles. */
const MOST_WIDENING = 512;
const MOST_HALVINGS = 60;
/** Ratio of the ends at which the search ends; mixing both sides leaves an error of its square. */
const NARROW = 1 + 1e-9;

/**
 * The rates, in the order of the sessions; those of the concave envelope where utilities are not concave.
 *
 * @param inboundBytesPerSec at least the sum of the minima
 */
export function exactRates(sessions: readonly Bounded[], inboundBytesPerSec: number): Float64Array {
  const columns = columnsOf(
    sessions.map((session) => ({
      ...session,
      maxBytesPerSec: Math.min(session.maxBytesPerSec, inboundBytesPerSec),
    })),
  );
  const { count, most, slope, unit } = columns;
  if (sumOf(most) <= inboundBytesPerSec) return most;
  let weights = 0;
  for (let at = 0; at < count; at++) weights += slope[at] * unit[at];
  const [low, high] = [new Float64Array(count), new Float64Array(count)];
  let lowAt = weights / (inboundBytesPerSec + sumOf(unit));
  let highAt = lowAt;
  let highSum = takeAt(columns, highAt, high);
  for (let step = 0; highSum > inboundBytesPerSec && step < MOST_WIDENING; step++) {
    highAt *= 4;
    highSum = takeAt(columns, highAt, high);
  }
  let lowSum = takeAt(columns, lowAt, low);
  for (let step = 0; lowSum < inboundBytesPerSec && step < MOST_WIDENING; step++) {
    lowAt /= 4;
    lowSum = takeAt(columns, lowAt, low);
  }
  for (let step = 0; highAt / lowAt > NARROW && step < MOST_HALVINGS; step++) {
    const middle = Math.sqrt(lowAt * highAt);
    const sum = takeAt(columns, middle, low);
    if (sum > inboundBytesPerSec) lowAt = middle;
    else highAt = middle;
  }
  lowSum = takeAt(columns, lowAt, low);
  highSum = takeAt(columns, highAt, high);
  return mixed({ low, lowSum, high, highSum }, inboundBytesPerSec);
}

interface Sides {
  readonly low: Float64Array;
  readonly lowSum: number;
  readonly high: Float64Array;
  readonly highSum: number;
}

/** Both sides of the multiplier in the proportion that fills the link. */
function mixed({ low, lowSum, high, highSum }: Sides, inbound: number): Float64Array {
  if (lowSum <= highSum || highSum >= inbound) return high;
  const part = Math.min(1, (inbound - highSum) / (lowSum - highSum));
  return high.map((rate, at) => rate + part * (low[at] - rate));
}

/** Sum of a column. */
export function sumOf(column: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < column.length; at++) sum += column[at];
  return sum;
}
