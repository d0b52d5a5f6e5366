import { describe, expect, it } from "vitest";
import { optimised, ZDT, zdtStrings } from "../../../../test/zdt.ts";
import type { Judgement } from "./evaluation.ts";
import { evolution } from "./evolution.ts";
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
  it.each(["moga", "nsga2"] as const)("PL-26 %s finds the same for a seed", (kind) => {
    const judged = (seed: number) => {
      const found: Judgement[] = [];
      for (const { judgement } of evolution(kind, zdtStrings(ZDT.zdt1), { seed, seeds: [] })) {
        if (found.push(judgement) === 250) break;
      }
      return found;
    };
    expect(judged(3)).toEqual(judged(3));
    expect(judged(3)).not.toEqual(judged(4));
  });

  it.each(["moga", "nsga2"] as const)(
    "PL-34 %s comes near the front of ZDT1 in 100 generations",
    (kind) => {
      const found = optimised(kind, ZDT.zdt1, 100);
      expect(found).toBeGreaterThan(116);
      expect(found).toBeLessThan(ZDT.zdt1.best);
    },
    60_000,
  );
});
