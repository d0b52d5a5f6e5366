import { describe, expect, it } from "vitest";
import { Distribution } from "./distribution.ts";
import { UtilisationBins } from "./utilisation-course.ts";

function of(...values: number[]): Distribution {
  const distribution = new Distribution();
  for (const value of values) distribution.add(value);
  return distribution;
}

describe("quantiles", () => {
  it.each([
    { values: [7], q: 0.95, gives: 7 },
    { values: [1, 2], q: 0.5, gives: 1.5 },
    { values: [4, 1, 3, 2], q: 0.5, gives: 2.5 },
    { values: [1, 2, 3, 4, 5], q: 0.95, gives: 4.8 },
    { values: [10, 0], q: 1, gives: 10 },
    { values: [10, 0], q: 0, gives: 0 },
  ])("SI-5 the $q-quantile of $values is $gives, as R and NumPy give it", ({ values, q, gives }) => {
    expect(of(...values).quantile(q)).toBeCloseTo(gives, 12);
  });

  it("SI-5 values may be added after a quantile was read", () => {
    const distribution = of(...Array.from({ length: 3000 }, (_, i) => i));
    expect(distribution.quantile(1)).toBe(2999);
    distribution.add(-1);
    expect(distribution.quantile(0)).toBe(-1);
  });
});

describe("the course of utilisation", () => {
  it("keeps the busy time whatever the number of times that bins are joined", () => {
    const bins = new UtilisationBins();
    bins.add(2, 0, 90_000);
    bins.add(4, 1_000_000_000, 1_000_600_000);
    const { stepSec, shares } = bins.course(4, 1_000_600_000);
    const busy = shares.reduce((sum, share, i) => {
      const lengthSec = Math.min(stepSec, 1_000_600 - i * stepSec);
      return sum + share * 4 * lengthSec;
    }, 0);
    expect(busy).toBeCloseTo(2 * 90 + 4 * 600, 6);
    expect(shares.length).toBeLessThanOrEqual(512);
  });
});
