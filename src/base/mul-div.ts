/**
 * Exact products and quotients of integers.
 *
 * Money is processor-milliseconds: a year of 10,000 processors is 3·10^14, and times a price in thousandths
 * it passes 2^53. Doubles would then lose single units and sums would no longer agree, so large products go
 * through BigInt; small ones stay on the fast path.
 */
import { assert } from "./assert.ts";

/** Direction of rounding: towards −∞, towards +∞, or half away from zero. */
export type Rounding = "down" | "up" | "nearest";

/**
 * The exact value of a·b/c, rounded once.
 *
 * @throws Error when an argument is no safe integer, c is not positive, or the result passes 2^53.
 */
export function mulDiv(a: number, b: number, c: number, rounding: Rounding): number {
  assert(Number.isSafeInteger(a) && Number.isSafeInteger(b), "factors are integers within 2^53");
  assert(Number.isSafeInteger(c) && c > 0, "the divisor is a positive integer within 2^53");
  const product = a * b;
  if (!Number.isSafeInteger(product)) return mulDivBig(BigInt(a) * BigInt(b), BigInt(c), rounding);
  const remainder = product % c;
  const towardsZero = (product - remainder) / c;
  return towardsZero + correction(remainder, c, rounding);
}

/** The exact product of two integers; an error where it passes 2^53. */
export function exactProduct(a: number, b: number): number {
  return mulDiv(a, b, 1, "down");
}

function correction(remainder: number, divisor: number, rounding: Rounding): number {
  if (remainder === 0) return 0;
  if (rounding === "down") return remainder < 0 ? -1 : 0;
  if (rounding === "up") return remainder > 0 ? 1 : 0;
  const size = Math.abs(remainder);
  return size >= divisor - size ? Math.sign(remainder) : 0;
}

function mulDivBig(product: bigint, divisor: bigint, rounding: Rounding): number {
  const quotient = product / divisor;
  const remainder = product % divisor;
  const result = Number(quotient) + correction(Number(remainder), Number(divisor), rounding);
  assert(Number.isSafeInteger(result), "the quotient stays within 2^53");
  return result;
}
