import { describe, expect, it } from "vitest";
import { createRandom, drawExponential, drawFraction, drawInteger, type Random } from "./index.ts";

describe("the source of chance", () => {
  it("BA-3 one seed gives one sequence on every machine", () => {
    expect(four(createRandom(42), (random) => drawInteger(random, 1, 1000))).toEqual([530, 25, 343, 335]);
    expect(four(createRandom(43), (random) => drawInteger(random, 1, 1000))).toEqual([349, 819, 429, 854]);
    expect(four(createRandom(42), drawFraction).slice(1, 3)).toEqual([
      0.14005348723065558, 0.7822142315707581,
    ]);
    const [, second, third] = four(createRandom(42), (random) => drawExponential(random, 100));
    expect(second).toBeCloseTo(15.088508612298956, 9);
    expect(third).toBeCloseTo(152.4243412999993, 9);
  });

  it("BA-3 the first draws differ from seed to seed as later ones do", () => {
    const seeds = Array.from({ length: 2000 }, (_, seed) => seed);
    const firsts = seeds.map((seed) => drawFraction(createRandom(seed)));
    const mean = firsts.reduce((sum, fraction) => sum + fraction, 0) / firsts.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.02);
    for (const tenth of Array.from({ length: 10 }, (_, i) => i / 10)) {
      const within = firsts.filter((fraction) => fraction >= tenth && fraction < tenth + 0.1).length;
      expect(Math.abs(within - 200)).toBeLessThan(60);
    }
  });

  it("BA-3 two generators of one seed do not disturb each other", () => {
    const [one, other] = [createRandom(7), createRandom(7)];
    const alternating = Array.from({ length: 50 }, () => [drawFraction(one), drawFraction(other)]);
    for (const [a, b] of alternating) expect(a).toBe(b);
  });

  it("BA-3 what is drawn stays in its range, reaches both ends, and has the mean asked for", () => {
    const random = createRandom(1);
    const draws = 20_000;
    const integers = Array.from({ length: draws }, () => drawInteger(random, -2, 3));
    const fractions = Array.from({ length: draws }, () => drawFraction(random));
    const gaps = Array.from({ length: draws }, () => drawExponential(random, 50));
    expect([...new Set(integers)].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    expect(gaps.every((gap) => gap >= 0 && Number.isFinite(gap))).toBe(true);
    expect(mean(integers)).toBeCloseTo(0.5, 1);
    expect(mean(fractions)).toBeCloseTo(0.5, 1);
    expect(Math.abs(mean(gaps) - 50)).toBeLessThan(2);
  });
});

function four(random: Random, draw: (random: Random) => number): number[] {
  return [draw(random), draw(random), draw(random), draw(random)];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
