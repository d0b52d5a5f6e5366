/**
 * The latest so many values of something, and their quantiles. Cost: a sort per question, of a few hundred.
 */
import { type Assurance, upperRank } from "./ranks.ts";

/** A bounded list, the oldest value first. */
export interface RecentValues {
  readonly most: number;
  values: number[];
}

/** Nothing yet; of more than `most` the oldest are forgotten. */
export function noValues(most: number): RecentValues {
  return { most, values: [] };
}

/** Adds a value. */
export function addValue(recent: RecentValues, value: number): void {
  recent.values.push(value);
  // Cut seldom: shifting an array for every value would cost its length.
  if (recent.values.length >= 2 * recent.most) recent.values = recent.values.slice(-recent.most);
}

/** The values that count, the oldest first. */
export function valuesOf({ values, most }: RecentValues): readonly number[] {
  return values.length > most ? values.slice(-most) : values;
}

/** The mean, NaN of none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which the part `quantile` of them lies: the ⌈q n⌉-th smallest; NaN of none. */
export function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length - 1e-9) - 1)];
}

/** The upper bound of a quantile by the binomial method (rule PD-1), or undefined of too few. */
export function boundOf(values: readonly number[], assurance: Assurance): number | undefined {
  const rank = upperRank(values.length, assurance);
  return rank === undefined ? undefined : Float64Array.from(values).sort()[rank - 1];
}
