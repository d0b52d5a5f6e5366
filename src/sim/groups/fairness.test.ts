import "../../../test/property-seed.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { giniOf, jainOf, shareDeviation } from "./fairness.ts";

const amounts = fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 30 });

/** The mean difference of all pairs, each with itself too, over twice the mean. */
function plainGini(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (mean === 0) return 0;
  let differences = 0;
  for (const one of values) for (const other of values) differences += Math.abs(one - other);
  return differences / (2 * values.length ** 2 * mean);
}

/** The square of the sum over the number of values times the sum of their squares. */
function plainJain(values: readonly number[]): number {
  const sum = values.reduce((all, value) => all + value, 0);
  const squares = values.reduce((all, value) => all + value ** 2, 0);
  return squares === 0 ? 1 : sum ** 2 / (values.length * squares);
}

describe("SI-87 fairness", () => {
  it.each([
    { values: [5], gini: 0, jain: 1 },
    { values: [0, 0, 0], gini: 0, jain: 1 },
    { values: [4, 4, 4, 4], gini: 0, jain: 1 },
    { values: [0, 0, 0, 8], gini: 0.75, jain: 0.25 },
    { values: [1, 3], gini: 0.25, jain: 0.8 },
  ])("of $values the Gini coefficient is $gini and Jain's index $jain", ({ values, gini, jain }) => {
    expect(giniOf(values)).toBeCloseTo(gini, 12);
    expect(jainOf(values)).toBeCloseTo(jain, 12);
  });

  it("both equal their definitions, whatever the order", () => {
    fc.assert(
      fc.property(amounts, (values) => {
        expect(giniOf(values)).toBeCloseTo(plainGini(values), 9);
        if (Math.max(...values) > 1e-100) expect(jainOf(values)).toBeCloseTo(plainJain(values), 9);
        expect(giniOf(values.toReversed())).toBeCloseTo(giniOf(values), 9);
      }),
    );
  });

  it("both stay in their range, and no unit changes them", () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 3600 }), (values, unit) => {
        const inUnits = values.map((value) => value * unit);
        expect(giniOf(values)).toBeGreaterThanOrEqual(0);
        expect(giniOf(values)).toBeLessThan(1);
        expect(jainOf(values)).toBeLessThanOrEqual(1 + 1e-12);
        expect(jainOf(values)).toBeGreaterThanOrEqual(1 / values.length - 1e-12);
        expect(giniOf(inUnits)).toBeCloseTo(giniOf(values), 9);
        expect(jainOf(inUnits)).toBeCloseTo(jainOf(values), 9);
      }),
    );
  });
});

describe("SI-87 deviation from shares", () => {
  const sharesOf = (...entries: [string, number][]) => new Map(entries);

  it.each([
    { case: "in proportion", used: sharesOf(["a", 6], ["b", 2]), deviation: 0 },
    { case: "one consumer alone", used: sharesOf(["a", 6]), deviation: 0.25 },
    { case: "the other alone", used: sharesOf(["b", 1]), deviation: 0.75 },
    { case: "somebody without a share", used: sharesOf(["c", 9]), deviation: 1 },
  ])("is $deviation for $case", ({ used, deviation }) => {
    const found = shareDeviation(sharesOf(["a", 30], ["b", 10]), used);
    expect(found.deviation).toBeCloseTo(deviation, 12);
  });

  it("is what would have to move from consumer to consumer", () => {
    const parts = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(parts, (drawn) => {
        const shares = new Map(drawn.map(([share], at) => [`c${at}`, share]));
        const used = new Map(drawn.map(([, use], at) => [`c${at}`, use]));
        const { deviation, consumers } = shareDeviation(shares, used);
        const above = consumers.map(({ share, used: use }) => Math.max(0, use - share));
        expect(deviation).toBeCloseTo(
          above.reduce((sum, one) => sum + one, 0),
          12,
        );
      }),
    );
  });
});
