/**
 * Fairness among consumers: the Gini coefficient and Jain's index of values of one kind, and the
 * distance of use from shares (rule SI-87).
 *
 * Jain's index is that of Jain, Chiu and Hawe 1984 [JCH84]; the distance is the total variation of two
 * distributions. Equivalent to the definitions in docs/reference/measures.md; the Gini coefficient differs
 * for speed: values are sorted, so that the sum over all pairs is one over ranks. Cost: O(n log n).
 */
import type { Fairness, JobGroup, ShareDeviation, SharedUse } from "../../model/index.ts";

/** Gini coefficient of values ≥ 0, at least one: 0 where all are equal, also where all are 0. */
export function giniOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const count = sorted.length;
  let sum = 0;
  let ranked = 0;
  for (const [at, value] of sorted.entries()) {
    sum += value;
    ranked += (2 * (at + 1) - count - 1) * value;
  }
  return sum === 0 ? 0 : Math.max(0, ranked / (count * sum));
}

/** Jain's index of values ≥ 0, at least one: 1 where all are equal, also where all are 0. */
export function jainOf(values: readonly number[]): number {
  const most = Math.max(...values);
  if (most === 0) return 1;
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    // Of the largest: the square of a number is one too.
    const part = value / most;
    sum += part;
    squares += part * part;
  }
  return (sum * sum) / (values.length * squares);
}

/** Gini coefficient and Jain's index over the means of users or groups; at least one. */
export function fairnessOf(groups: readonly JobGroup[]): Fairness {
  const waits = groups.map(({ waitMeanSec }) => waitMeanSec);
  const slowdowns = groups.map(({ boundedSlowdownMean }) => boundedSlowdownMean);
  return {
    count: groups.length,
    waitGini: giniOf(waits),
    boundedSlowdownGini: giniOf(slowdowns),
    waitJain: jainOf(waits),
    boundedSlowdownJain: jainOf(slowdowns),
  };
}

/**
 * Distance of use from shares.
 *
 * @param shares of topmost consumers, in any unit; their sum is above 0
 * @param used processor time by topmost consumer, in any unit; its sum is above 0
 */
export function shareDeviation(
  shares: ReadonlyMap<string, number>,
  used: ReadonlyMap<string, number>,
): ShareDeviation {
  const given = sumOf(shares.values());
  const taken = sumOf(used.values());
  const consumers = [...new Set([...shares.keys(), ...used.keys()])].map((consumer): SharedUse => {
    const [share, use] = [shares.get(consumer) ?? 0, used.get(consumer) ?? 0];
    return { consumer, share: share / given, used: use / taken };
  });
  const apart = consumers.map(({ share, used: use }) => Math.abs(use - share));
  return { deviation: sumOf(apart) / 2, consumers };
}

function sumOf(values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
