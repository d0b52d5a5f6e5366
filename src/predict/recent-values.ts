/**
 * The latest values of something, at most a given number, and their quantiles.
 * Cost: a sort of a few hundred per question.
 */
import { type Assurance, upperRank } from "./ranks.ts";

/** A bounded list, oldest value first. */
export interface RecentValues {
  readonly most: number;
  values: number[];
}

/** An empty list; beyond `most` values the oldest are dropped. */
export function emptyValues(most: number): RecentValues {
  return { most, values: [] };
}

/** Adds a value; the oldest may drop out. */
export function addValue(recent: RecentValues, value: number): void {
  recent.values.push(value);
  // Trimmed seldom: shifting the array for every value would cost its length.
  if (recent.values.length >= 2 * recent.most) recent.values = recent.values.slice(-recent.most);
}

/** The values in the bound, oldest first. */
export function valuesOf({ values, most }: RecentValues): readonly number[] {
  return values.length > most ? values.slice(-most) : values;
}

/** The mean; NaN without values. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The ⌈q n⌉-th smallest value; NaN without values. */
export function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length - 1e-9) - 1)];
}

/** The upper bound of a quantile by the binomial method (rule PD-1); undefined with too few values. */
export function boundOf(values: readonly number[], assurance: Assurance): number | undefined {
  const rank = upperRank(values.length, assurance);
  return rank === undefined ? undefined : Float64Array.from(values).sort()[rank - 1];
}
