import { describe, expect, it } from "vitest";
import type { Judgement } from "./evaluation.ts";
import { evolution } from "./evolve.ts";
import { sharedFitness } from "./moga.ts";
import { dominates, hypervolume } from "./pareto.ts";

const plan = (costSu: number, makespanMs: number, unplaced = 0): Judgement => ({
  costSu,
  makespanMs,
  unplaced,
});

describe("plans among plans", () => {
  it("PL-26 of the source's five plans the first three are dominated by none", () => {
    const five = [plan(1, 6), plan(3, 3), plan(4, 1), plan(3.5, 5), plan(5, 4)];
    expect(five.map((own) => five.flatMap((it, at) => (dominates(it, own) ? at : [])))).toEqual([
      ...[[], [], [], [1], [1, 2]],
    ]);
  });

  it("PL-26 a plan on which a task has no place is dominated by every other", () => {
    expect(dominates(plan(9, 9), plan(0, 0, 1))).toBe(true);
    expect(dominates(plan(0, 0, 1), plan(0, 0, 2))).toBe(true);
    expect(dominates(plan(0, 0, 1), plan(1, 1, 1))).toBe(false);
  });

  it("the hypervolume is the area up to the reference, each part once", () => {
    const front = [plan(1, 3), plan(2, 2), plan(3, 1), plan(3, 3), plan(0, 0, 1), plan(9, 0)];
    expect(hypervolume(front, { costSu: 4, makespanMs: 4 })).toBe(6);
  });
});

describe("the shared fitness of MOGA", () => {
  it("PL-26 is by rank: N − members of better ranks − half of the others of one's own", () => {
    // Far apart, so that no niche is shared: three of rank 1, one dominated by one, one by all.
    const five = [plan(0, 10), plan(5, 5), plan(10, 0), plan(6, 6), plan(11, 11)];
    expect([...sharedFitness(five, 0.041)]).toEqual([4, 4, 4, 2, 1]);
  });

  it("PL-26 is shared within a niche, and the mean of a rank stays", () => {
    const [a, b, c] = sharedFitness([plan(0, 10), plan(0, 10), plan(10, 0)], 0.041);
    expect([a, b]).toEqual([b, a]);
    expect(c).toBeCloseTo(2 * a, 12);
    expect((a + b + c) / 3).toBeCloseTo(2, 12);
  });

  it("PL-26 does not divide by a range of 0", () => {
    expect([...sharedFitness([plan(1, 1), plan(1, 1), plan(1, 1, 2)], 0.041)]).toEqual([2.5, 2.5, 1]);
  });
});

describe("the genetic algorithms", () => {
  /** ZDT1 with 16 bits for each of 6 variables: the front is f₂ = 1 − √f₁. */
  const judge = (bits: Uint8Array): Judgement => {
    const x = Array.from(
      { length: 6 },
      (_, v) => bits.subarray(16 * v, 16 * v + 16).reduce((sum, bit) => 2 * sum + bit, 0) / 65_535,
    );
    const g = 1 + (9 * x.slice(1).reduce((sum, value) => sum + value, 0)) / 5;
    return plan(g * (1 - Math.sqrt(x[0] / g)), x[0]);
  };
  const strings = { slotCount: 96, neutral: (bits: Uint8Array) => bits, judge };
  const judgedBy = (kind: "moga" | "nsga2", seed: number, count: number): Judgement[] => {
    const judged: Judgement[] = [];
    for (const { judgement } of evolution(kind, strings, { seed, seeds: [] })) {
      judged.push(judgement);
      if (judged.length === count) break;
    }
    return judged;
  };

  it.each(["moga", "nsga2"] as const)(
    "PL-26 %s comes near the front of ZDT1, the same for a seed",
    (kind) => {
      const area = (judged: Judgement[]) => hypervolume(judged, { costSu: 11, makespanMs: 11 });
      expect(area(judgedBy(kind, 1, 2000))).toBeGreaterThan(kind === "nsga2" ? 119.5 : 119);
      expect(judgedBy(kind, 3, 300)).toEqual(judgedBy(kind, 3, 300));
      expect(judgedBy(kind, 3, 300)).not.toEqual(judgedBy(kind, 4, 300));
    },
    60_000,
  );
});
