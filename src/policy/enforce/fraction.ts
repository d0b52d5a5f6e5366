/**
 * Comparing quotients exactly, and quickly where they are far apart.
 *
 * Equivalent to comparing a·d with c·b in integers; doubles decide first, and only where they are within
 * what their rounding can explain the products are made.
 */

/** A quotient of integers ≥ 0; what is divided by zero is greater than all others. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
  /** About `over ÷ under`. */
  readonly about: number;
}

/** The quotient of two integers ≥ 0; nothing of nothing is nothing. */
export function fraction(over: bigint, under: bigint): Fraction {
  if (over === 0n) return ZERO_FRACTION;
  return { over, under, about: under === 0n ? Number.POSITIVE_INFINITY : Number(over) / Number(under) };
}

/** Nothing of everything. */
export const ZERO_FRACTION: Fraction = { over: 0n, under: 1n, about: 0 };

/** Negative where the first is smaller, positive where it is greater, 0 where they are equal. */
export function compareFractions(one: Fraction, other: Fraction): number {
  const apart = one.about - other.about;
  if (Math.abs(apart) > ROUNDING * (one.about + other.about)) return apart;
  if (one.under === 0n || other.under === 0n)
    return Number(one.under !== 0n) * -1 + Number(other.under !== 0n);
  const left = one.over * other.under;
  const right = other.over * one.under;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Far more than the relative error of two conversions and a division. */
const ROUNDING = 1e-12;
