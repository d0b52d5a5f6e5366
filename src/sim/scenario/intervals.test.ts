import { describe, expect, it } from "vitest";
import type { Scenario, ScenarioRow } from "../../model/index.ts";
import { differencesOf, estimatesOf, intervalOf } from "./intervals.ts";

const workload = { kind: "drawn", model: "lublin", set: "combined", jobs: 5, scale: "arrivals" } as const;
const site = {
  name: "w",
  pools: [{ name: "all", procs: 4 }],
  discipline: "easy",
  estimates: "exact",
  overrun: "extend",
  workload: { ...workload, parameters: {} },
} as const;
const scenario = {
  name: "s",
  baseline: "a",
  compare: ["waitMeanSec"],
  runs: ["a", "b", "c"].map((name) => ({ name, settings: {}, sites: [site] })),
} as unknown as Scenario;

const row = (run: string, replicate: number, waitMeanSec: number) =>
  ({ run, site: "w", replicate, waitMeanSec }) as unknown as ScenarioRow;

describe("intervals", () => {
  it("SI-32 an interval is the mean ± t standard errors", () => {
    const { mean, low, high, count } = intervalOf([2, 4, 4, 4, 5, 5, 7, 9], true);
    expect({ mean, count }).toEqual({ mean: 5, count: 8 });
    // s = √(32/7), t(0.975; 7) = 2.364624
    const half = 2.364624 * Math.sqrt(32 / 7 / 8);
    expect(low).toBeCloseTo(5 - half, 5);
    expect(high).toBeCloseTo(5 + half, 5);
  });

  it("SI-32 one value, and results without random draws, have no interval", () => {
    expect(intervalOf([3], true)).toEqual({ mean: 3, low: null, high: null, count: 1 });
    expect(intervalOf([3, 3], false)).toEqual({ mean: 3, low: null, high: null, count: 2 });
  });

  it("SI-32 comparisons are paired, over the replicates that both runs have", () => {
    const rows = [row("a", 1, 100), row("a", 2, 200), row("a", 3, 300), row("b", 1, 101), row("b", 2, 203)];
    expect(differencesOf(scenario, rows)).toEqual([
      expect.objectContaining({
        run: "b",
        baseline: "a",
        site: "w",
        metric: "waitMeanSec",
        mean: 2,
        count: 2,
      }),
    ]);
    // Far apart, and yet the difference is known to within 13 s.
    const [{ low, high }] = differencesOf(scenario, rows);
    expect((high ?? 0) - (low ?? 0)).toBeCloseTo(2 * 12.7062, 3);
  });

  it("SI-7 a run without finished simulations is left out", () => {
    const estimates = estimatesOf(scenario, [row("b", 1, 7)]);
    expect(estimates.map(({ run, metrics }) => [run, metrics.waitMeanSec.mean])).toEqual([["b", 7]]);
  });
});
