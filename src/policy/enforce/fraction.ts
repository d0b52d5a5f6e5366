/**
 * Exact comparison of quotients, fast where they are far apart.
 *
 * Equivalent to comparing a·d with c·b in integers; doubles decide first, and the products are computed only
 * where the doubles differ by no more than their rounding.
 */

/** A quotient of integers ≥ 0; a division by zero is greater than all others. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
  /** Approximation of `over ÷ under`. */
  readonly about: number;
}

/** The quotient of two integers ≥ 0; 0 ÷ 0 is 0. */
export function fraction(over: bigint, under: bigint): Fraction {
  if (over === 0n) return ZERO_FRACTION;
  return { over, under, about: under === 0n ? Number.POSITIVE_INFINITY : Number(over) / Number(under) };
}

const ZERO_FRACTION: Fraction = { over: 0n, under: 1n, about: 0 };

/** Negative where the first is smaller, positive where it is greater, 0 where they are equal. */
export function compareFractions(one: Fraction, other: Fraction): number {
  if (areApart(one.about, other.about)) return one.about - other.about;
  if (one.under === 0n || other.under === 0n)
    return Number(one.under !== 0n) * -1 + Number(other.under !== 0n);
  const left = one.over * other.under;
  const right = other.over * one.under;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** True where two quotients of doubles, ≥ 0, differ by more than their rounding. */
export function areApart(one: number, other: number): boolean {
  return Math.abs(one - other) > ROUNDING * (one + other);
}

/** A quotient of integers ≥ 0 in doubles: `over`, `under`, and its approximation. */
export interface Ratio {
  readonly over: number;
  readonly under: number;
  readonly about: number;
}

/** Negative where the first is smaller, positive where it is greater, 0 where they are equal; exact. */
export function compareRatios(one: Ratio, other: Ratio): number {
  if (areApart(one.about, other.about)) return one.about - other.about;
  if (one.over === other.over && one.under === other.under) return 0;
  return compareFractions(
    fraction(BigInt(one.over), BigInt(one.under)),
    fraction(BigInt(other.over), BigInt(other.under)),
  );
}

/** Far more than the relative error of two conversions and a division. */
const ROUNDING = 1e-12;
