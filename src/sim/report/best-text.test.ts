import { describe, expect, it } from "vitest";
import type { Interval, ScenarioMetric } from "../../model/index.ts";
import { bestText } from "./best-text.ts";
import type { ReportMatter } from "./report-matter.ts";

type Values = Partial<Record<ScenarioMetric, number | readonly [low: number, mean: number, high: number]>>;

const interval = (value: Values[ScenarioMetric] = 0): Interval =>
  typeof value === "number"
    ? { mean: value, low: null, high: null, count: 1 }
    : { low: value[0], mean: value[1], high: value[2], count: 3 };

function sentence(runs: Readonly<Record<string, Values>>, compare: readonly ScenarioMetric[]): string {
  const estimates = Object.entries(runs).map(([run, values]) => ({
    ...{ run, site: "west", settings: {} },
    metrics: Object.fromEntries(compare.map((metric) => [metric, interval(values[metric])])),
  }));
  const matter = { scenario: { compare }, summary: { estimates }, called: (run: string) => run };
  return bestText(matter as unknown as ReportMatter, "west", "");
}

describe("which run is best at what", () => {
  it("is said with the lead over the next, waits the less the better and utilisation the more", () => {
    const runs = {
      fcfs: { waitMeanSec: 7200, boundedSlowdownMean: 40, utilisation: 0.7 },
      easy: { waitMeanSec: 1800, boundedSlowdownMean: 12, utilisation: 0.85 },
      conservative: { waitMeanSec: 2400, boundedSlowdownMean: 10, utilisation: 0.84 },
    };
    expect(sentence(runs, ["waitMeanSec", "boundedSlowdownMean", "utilisation"])).toBe(
      "Best: easy in mean wait (30m00s, 25.0 % less than conservative), utilisation (85.00 %, 1.00 points " +
        "more than conservative); conservative in mean bounded slowdown (10.00, 16.7 % less than easy).",
    );
  });

  it("says where the intervals of the two best overlap", () => {
    const runs = { a: { waitMeanSec: [50, 100, 150] as const }, b: { waitMeanSec: [60, 110, 160] as const } };
    expect(sentence(runs, ["waitMeanSec"])).toContain("less than b, within the intervals)");
    const apart = { ...runs, b: { waitMeanSec: [160, 180, 200] as const } };
    expect(sentence(apart, ["waitMeanSec"])).not.toContain("within the intervals");
  });

  it("says where nothing sets the runs apart, and nothing of a single run", () => {
    const same = { a: { waitMeanSec: 5, backfilled: 1 }, b: { waitMeanSec: 5, backfilled: 9 } };
    expect(sentence(same, ["waitMeanSec", "backfilled"])).toBe("All runs are equal in mean wait.");
    expect(sentence({ a: { waitMeanSec: 5 } }, ["waitMeanSec"])).toBe("");
    expect(sentence(same, ["backfilled"])).toBe("");
  });
});
