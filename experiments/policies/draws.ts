/**
 * Measures over several draws of a workload.
 */
import { intervalOf } from "../../src/sim/scenario/intervals.ts";

/** Measures of one way to enforce, a value for each draw. */
export type Draws<Measure extends string> = Readonly<Record<Measure, readonly number[]>>;

const FIRST_SEED = 2005;

/** A seed for each. */
export function seeds(draws: number): readonly number[] {
  return Array.from({ length: draws }, (_, at) => FIRST_SEED + at);
}

/** The mean of some values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Parts of the capacity as percent, with the interval of 95 % where chance had a part. */
export function told(values: readonly number[], factor = 100): string {
  const { mean: middle, low, high } = intervalOf(values, true);
  const half = low === null || high === null ? "" : ` ± ${(((high - low) / 2) * factor).toFixed(1)}`;
  return `${(middle * factor).toFixed(1)}${half}`;
}
