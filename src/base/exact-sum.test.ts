import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactSum } from "./index.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const addends = fc.array(
  fc.oneof(fc.maxSafeInteger(), fc.constantFrom(MOST, -MOST), fc.integer({ min: -9, max: 9 })),
  { maxLength: 60 },
);

describe("sums of integers", () => {
  it("a sum is exact whatever the number, the size and the signs of its addends", () => {
    fc.assert(
      fc.property(addends, (values) => {
        expect(sumOf(values).total()).toBe(values.reduce((sum, value) => sum + BigInt(value), 0n));
      }),
    );
  });

  it("where doubles lose a unit the sum does not", () => {
    expect(MOST + 1 + 1 - MOST).not.toBe(2);
    expect(sumOf([MOST, 1, 1, -MOST]).total()).toBe(2n);
    expect(sumOf([]).total()).toBe(0n);
  });

  it("a mean is right to one part in 10^15", () => {
    fc.assert(
      fc.property(addends, fc.integer({ min: 1, max: 1_000_000 }), (values, divisor) => {
        const sum = sumOf(values);
        const scaled = (sum.total() * 10n ** 18n) / BigInt(divisor);
        const exact = Number(scaled) / 1e18;
        expect(Math.abs(sum.dividedBy(divisor) - exact)).toBeLessThanOrEqual(1e-15 * Math.abs(exact) + 1e-18);
      }),
    );
    expect(sumOf([MOST, 1, MOST, -1]).dividedBy(2)).toBe(MOST);
    expect(sumOf([-7]).dividedBy(2)).toBe(-3.5);
  });
});

function sumOf(values: readonly number[]): ExactSum {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum;
}
