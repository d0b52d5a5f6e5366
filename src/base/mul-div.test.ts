import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { exactProduct, mulDiv, type Rounding } from "./index.ts";

const MOST = Number.MAX_SAFE_INTEGER;

/** Small integers meet the fast path, large ones BigInt, those near 2^26.5 the border between them. */
const integers = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: 94_906_200, max: 94_906_300 }),
  fc.maxSafeInteger(),
  fc.constantFrom(MOST, -MOST, 0, 1, -1),
);
const divisors = fc.oneof(
  fc.integer({ min: 1, max: 12 }),
  fc.constantFrom(2, 1000, 3_600_000, MOST, MOST - 1),
  fc.maxSafeNat().map((value) => value + (value === 0 ? 1 : 0)),
);
const roundings = fc.constantFrom<Rounding>("down", "up", "nearest");

describe("products and quotients", () => {
  it("BA-1 mulDiv is the quotient of whole numbers, rounded once, or an error where it passes 2^53", () => {
    fc.assert(
      fc.property(integers, integers, divisors, roundings, (a, b, c, rounding) => {
        const exact = quotient(BigInt(a) * BigInt(b), BigInt(c), rounding);
        if (isSafe(exact)) expect(mulDiv(a, b, c, rounding)).toBe(Number(exact));
        else expect(() => mulDiv(a, b, c, rounding)).toThrow("2^53");
      }),
      draws(5000),
    );
  });

  it.each([
    ["7/2", 7, 2, { down: 3, up: 4, nearest: 4 }],
    ["-7/2", -7, 2, { down: -4, up: -3, nearest: -4 }],
    ["1/3", 1, 3, { down: 0, up: 1, nearest: 0 }],
    ["-1/3", -1, 3, { down: -1, up: 0, nearest: 0 }],
    ["2/3", 2, 3, { down: 0, up: 1, nearest: 1 }],
    ["-2/3", -2, 3, { down: -1, up: 0, nearest: -1 }],
    ["-6/3", -6, 3, { down: -2, up: -2, nearest: -2 }],
    ["-0/3", -0, 3, { down: 0, up: 0, nearest: 0 }],
  ])("BA-1 %s goes down, up and to the nearest, halves away from zero", (_, a, c, expected) => {
    for (const [rounding, value] of Object.entries(expected)) {
      expect(mulDiv(a, 1, c, rounding as Rounding)).toBe(value);
      expect(mulDiv(1, a, c, rounding as Rounding)).toBe(value);
    }
  });

  it("BA-1 a year of 10,000 processors at 1.001 per SU keeps its last unit, where doubles lose it", () => {
    const yearMs = 31_536_000_000;
    const used = 10_000 * yearMs - 1;
    expect(mulDiv(used, 1001, 1000, "up")).toBe(315_675_359_999_999);
    expect(mulDiv(used, 1001, 1000, "down")).toBe(315_675_359_999_998);
    expect(Math.floor((used * 1001) / 1000)).not.toBe(315_675_359_999_998);
  });

  it("BA-1 halves beyond 2^53 still go away from zero", () => {
    expect(mulDiv(MOST, 1_000_001, 2_000_002, "nearest")).toBe(2 ** 52);
    expect(mulDiv(-MOST, 1_000_001, 2_000_002, "nearest")).toBe(-(2 ** 52));
    expect(mulDiv(-MOST, 1_000_001, 2_000_002, "up")).toBe(1 - 2 ** 52);
  });

  it.each([
    ["a fraction as a factor", 0.5, 1, 1],
    ["a factor beyond 2^53", 2 ** 53, 1, 1],
    ["an infinite factor", Number.POSITIVE_INFINITY, 1, 1],
    ["a factor that is no number", Number.NaN, 1, 1],
    ["a divisor of 0", 1, 1, 0],
    ["a negative divisor", 1, 1, -3],
    ["a fraction as a divisor", 1, 1, 1.5],
  ])("BA-1 %s is a programmer's error", (_, a, b, c) => {
    expect(() => mulDiv(a, b, c, "down")).toThrow("what must hold");
  });

  it("BA-1 exactProduct is the product, or an error where it passes 2^53", () => {
    expect(exactProduct(-94_906_265, 94_906_265)).toBe(-9_007_199_136_250_225);
    expect(() => exactProduct(94_906_267, 94_906_266)).toThrow("2^53");
    expect(() => exactProduct(2 ** 52, -2)).toThrow("2^53");
  });
});

/** Floor, ceiling, or half away from zero, written with floors alone. */
function quotient(product: bigint, divisor: bigint, rounding: Rounding): bigint {
  const floor = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n);
  if (rounding === "down") return floor(product, divisor);
  if (rounding === "up") return -floor(-product, divisor);
  const size = product < 0n ? -product : product;
  const nearest = floor(2n * size + divisor, 2n * divisor);
  return product < 0n ? -nearest : nearest;
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(MOST) && value >= -BigInt(MOST);
}
