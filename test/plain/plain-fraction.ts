/**
 * Exact fractions, of which some are infinite: something of nothing.
 */

/** `over` of `of`; nothing is 0 of anything, something of nothing is more than everything. */
export interface Fraction {
  readonly over: bigint;
  readonly of: bigint;
}

const NONE: Fraction = { over: 0n, of: 1n };

/** Below 0 where the first is smaller, above 0 where it is greater. */
export function compareFractions(one: Fraction = NONE, other: Fraction = NONE): number {
  if (one.over === 0n || other.over === 0n) return sign(one.over - other.over);
  if (one.of === 0n || other.of === 0n) return (one.of === 0n ? 1 : 0) - (other.of === 0n ? 1 : 0);
  return sign(one.over * other.of - other.over * one.of);
}

/** The greatest of them; 0 where there are none. */
export function greatestOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce((most, it) => (compareFractions(it, most) > 0 ? it : most), NONE);
}

function sign(value: bigint): number {
  if (value === 0n) return 0;
  return value < 0n ? -1 : 1;
}
