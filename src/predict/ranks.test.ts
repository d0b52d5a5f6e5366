/** Bounds from ranks: the arithmetic against exact fractions and published values. */
import { describe, expect, it } from "vitest";
import { plainTailFraction, plainUpperRank } from "../../test/plain/plain-binomial.ts";
import { normalQuantile } from "./normal.ts";
import {
  approximateUpperRank,
  binomialCdf,
  exactUpperRank,
  greatestQuantile,
  incompleteBeta,
  logGamma,
  lowerRank,
  minimumSample,
  upperRank,
} from "./ranks.ts";

describe("the functions behind the ranks", () => {
  it("ln Γ of whole numbers is the logarithm of a factorial", () => {
    let factorial = 1n;
    for (let n = 1; n <= 400; n++) {
      const shift = Math.max(0, factorial.toString(2).length - 60);
      const exact = Math.log(Number(factorial >> BigInt(shift))) + shift * Math.LN2;
      expect(Math.abs(logGamma(n) - exact)).toBeLessThanOrEqual(1e-13 + 1e-15 * exact);
      factorial *= BigInt(n);
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13);
  });

  it("the incomplete beta function has its known values and its symmetry", () => {
    expect(incompleteBeta(0, 2, 3)).toBe(0);
    expect(incompleteBeta(1, 2, 3)).toBe(1);
    expect(incompleteBeta(0.5, 2, 3)).toBeCloseTo(11 / 16, 14);
    expect(incompleteBeta(0.3, 1, 1)).toBeCloseTo(0.3, 14);
    expect(incompleteBeta(0.2, 5.5, 0.5) + incompleteBeta(0.8, 0.5, 5.5)).toBeCloseTo(1, 14);
  });

  it("tails of the binomial agree with exact fractions", () => {
    for (const n of [1, 2, 10, 59, 200, 1000]) {
      for (const q of [10, 500, 750, 950, 999]) {
        for (const k of [0, n >> 2, n >> 1, Math.floor((n * q) / 1000), n - 1]) {
          const error = Math.abs(binomialCdf(k, n, q / 1000) - plainTailFraction(k, n, q));
          expect(error, `P(X ≤ ${k}), n ${n}, q ${q}`).toBeLessThanOrEqual(1e-12);
        }
      }
    }
    expect(binomialCdf(-1, 5, 0.3)).toBe(0);
    expect(binomialCdf(5, 5, 0.3)).toBe(1);
  });

  it("normal quantiles are the printed ones", () => {
    expect(normalQuantile(0.95)).toBeCloseTo(1.6448536269514722, 12);
    expect(normalQuantile(0.025)).toBeCloseTo(-1.959963984540054, 12);
    expect(normalQuantile(0.999999)).toBeCloseTo(4.753424308822899, 9);
    expect(normalQuantile(0.5)).toBeCloseTo(0, 12);
  });

  it("the approximation for many waits is never below the exact rank and at most one above", () => {
    for (const n of [10_001, 15_000, 31_234, 100_000]) {
      for (const quantile of [0.5, 0.8, 0.95, 0.975]) {
        for (const confidence of [0.05, 0.5, 0.8, 0.95, 0.99]) {
          const assurance = { quantile, confidence };
          const over = approximateUpperRank(n, assurance) - exactUpperRank(n, assurance);
          expect([0, 1], `n ${n} q ${quantile} C ${confidence}`).toContain(over);
          expect(upperRank(n, assurance)).toBe(approximateUpperRank(n, assurance));
        }
      }
    }
  });
});

describe("PD-1 ranks", () => {
  it("59 waits are needed for the 0.95-quantile at 0.95, and their largest is the bound", () => {
    const assurance = { quantile: 0.95, confidence: 0.95 };
    expect(minimumSample(assurance)).toBe(59);
    expect(upperRank(58, assurance)).toBeUndefined();
    expect(upperRank(59, assurance)).toBe(59);
    expect(upperRank(92, assurance)).toBe(92);
    expect(upperRank(93, assurance)).toBe(92);
  });

  it.each([
    [0.9, 0.95, 29],
    [0.99, 0.95, 299],
    [0.95, 0.99, 90],
    [0.9, 0.9, 22],
    [0.5, 0.5, 1],
    [0.5, 0.75, 2],
  ])("one-sided tolerance: q %d at %d needs %d", (quantile, confidence, least) => {
    expect(minimumSample({ quantile, confidence })).toBe(least);
  });

  it("ranks are those of exact fractions, ties included", () => {
    for (const q of [500, 750, 800, 950]) {
      for (const c of [500, 800, 950]) {
        const assurance = { quantile: q / 1000, confidence: c / 1000 };
        for (let n = 1; n <= 160; n++) {
          expect(upperRank(n, assurance), `n ${n} q ${q} C ${c}`).toBe(plainUpperRank(n, q, c));
          const mirror = plainUpperRank(n, 1000 - q, c);
          expect(lowerRank(n, assurance)).toBe(mirror === undefined ? undefined : n + 1 - mirror);
        }
      }
    }
  });

  it("the greatest quantile of a rank is the one whose bound is the wait of that rank", () => {
    expect(greatestQuantile(0, 40, 0.95)).toBe(0);
    for (const [rank, n] of [
      [1, 1],
      [1, 40],
      [30, 40],
      [59, 59],
      [60, 100],
    ]) {
      const quantile = greatestQuantile(rank, n, 0.95);
      expect(upperRank(n, { quantile: quantile - 1e-9, confidence: 0.95 })).toBeLessThanOrEqual(rank);
      const next = upperRank(n, { quantile: quantile + 1e-6, confidence: 0.95 });
      expect(next ?? n + 1).toBeGreaterThan(rank);
    }
    expect(greatestQuantile(59, 59, 0.95)).toBeGreaterThan(0.95);
    expect(greatestQuantile(58, 58, 0.95)).toBeLessThan(0.95);
  });
});
