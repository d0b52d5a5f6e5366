import { describe, expect, it } from "vitest";
import type { SimulationSchedule } from "../../app/client.ts";
import { movedJobs } from "../../parts/moved-jobs.ts";
import { simulationBars } from "../../parts/simulation-bars.ts";
import { withDifferences } from "../../parts/spans.ts";
import { atInstants } from "../compare/use-source.ts";
import { chartsOf } from "./two-charts.ts";

/** Two jobs of ann on four processors; the second starts at this second. */
function schedule(secondStartSec: number): SimulationSchedule {
  return {
    ...{
      variant: 0,
      jobs: 2,
      procs: 4,
      id: ["1", "2"],
      user: [0, 0],
      users: ["ann"],
      queue: [0, 0],
      queues: ["long"],
    },
    ...{ procsOf: [2, 4], submitSec: [0, 0] },
    ...{ startSec: [0, secondStartSec], endSec: [60, secondStartSec + 60] },
  };
}

describe("bars of a simulation", () => {
  const first = schedule(60);
  const other = schedule(120);
  const moved = movedJobs(first, other);

  it("are placed, and have their words when they are read", () => {
    const charts = chartsOf({ moved, schedules: [first, other] });
    expect(charts.below.map(({ from, until, rows }) => [from, until, rows])).toEqual([
      [0, 60_000, [[0, 2]]],
      [120_000, 180_000, [[0, 4]]],
    ]);
    const [, bar] = charts.below;
    expect([bar?.key, bar?.label, bar?.consumer, bar?.partition]).toEqual(["2", "job 2", "ann", "long"]);
    expect(bar?.note().join("\n")).toMatch(/ann, 4 processors\nwaits 2m.*\nfrom 1m.* to 2m.* later/);
    expect([charts.reaches, [...charts.different]]).toEqual([180_000, ["2"]]);
    expect(chartsOf({ moved, schedules: [first, other] })).toBe(charts);
  });

  it("keep their words where they are moved to a calendar, or marked as different", () => {
    const bars = simulationBars(first, new Map());
    const source = { name: "a", bars, spans: [], processors: 4, now: undefined, beginsAt: 1000 };
    const [shifted] = atInstants(source).bars;
    expect(shifted).toMatchObject({ key: "1", label: "job 1", consumer: "ann", from: 1000, until: 61_000 });
    const difference = { key: "1" } as Parameters<typeof withDifferences>[1][number];
    const [marked] = withDifferences(bars, [difference], ["a", "b"]);
    expect(marked).toMatchObject({ key: "1", label: "job 1", partition: "long" });
  });
});
