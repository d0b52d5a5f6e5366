import { describe, expect, it } from "vitest";
import type { ScenarioCut } from "../../model/index.ts";
import { countedOf } from "./counted.ts";
import { courseOf, queueLengthIn, utilisationIn } from "./site-course.ts";
import { addedCounts, WAIT_EDGES_SEC, waitCounts } from "./wait-counts.ts";

const submitMs = Float64Array.from([0, 10, 10, 20, 40]);
const time = (lengthMs: number): ScenarioCut => ({ kind: "time", lengthMs });
const jobs = (count: number): ScenarioCut => ({ kind: "jobs", count });

describe("what is counted", () => {
  it.each([
    ["all without cuts, to the last end", time(0), time(0), [0, 5, 0, 100]],
    ["jobs from a time on", time(10), time(0), [1, 5, 10, 100]],
    ["jobs from a number on", jobs(3), jobs(0), [3, 5, 20, 100]],
    ["jobs up to a time before the last submission", time(0), time(20), [0, 4, 0, 20]],
    ["all but the last jobs", jobs(0), jobs(2), [0, 3, 0, 10]],
    ["both", jobs(1), time(10), [1, 4, 10, 30]],
  ])("SI-30 %s", (_, warmUp, coolDown, [first, end, fromMs, untilMs]) => {
    expect(countedOf({ warmUp, coolDown }, submitMs, 100)).toEqual({ first, end, fromMs, untilMs });
  });

  it.each([
    [time(41), time(0)],
    [jobs(5), time(0)],
    [jobs(3), jobs(2)],
    [jobs(1), jobs(2)],
  ])("SI-30 refuses to cut everything: %j, %j", (warmUp, coolDown) => {
    const cutting = () => countedOf({ warmUp, coolDown }, submitMs, 100);
    expect(cutting).toThrow(expect.objectContaining({ code: "nothingCounted" }));
  });
});

describe("a site over time", () => {
  // 4 processors: two jobs of 2 and 4 at once, then 4, then 1.
  const times = {
    procs: Float64Array.from([2, 4, 1]),
    submitMs: Float64Array.from([0, 0, 30]),
    startMs: Float64Array.from([0, 20, 60]),
    endMs: Float64Array.from([20, 60, 100]),
  };

  it("SI-30 a site is measured in the counted time only", () => {
    expect(utilisationIn(times, 4, { fromMs: 0, untilMs: 100 })).toBe((40 + 160 + 40) / 400);
    expect(utilisationIn(times, 4, { fromMs: 10, untilMs: 30 })).toBe((20 + 40) / 80);
    expect(queueLengthIn(times, { fromMs: 0, untilMs: 100 })).toEqual({ mean: 0.5, max: 1 });
    expect(queueLengthIn(times, { fromMs: 10, untilMs: 20 })).toEqual({ mean: 1, max: 1 });
    expect(queueLengthIn(times, { fromMs: 20, untilMs: 30 })).toEqual({ mean: 0, max: 0 });
  });

  it("SI-30 jobs of one instant count together; those that start at once never wait", () => {
    const burst = {
      procs: Float64Array.from([1, 1, 1]),
      submitMs: Float64Array.from([5, 5, 5]),
      startMs: Float64Array.from([5, 6, 7]),
      endMs: Float64Array.from([6, 7, 8]),
    };
    expect(queueLengthIn(burst, { fromMs: 0, untilMs: 8 }).max).toBe(2);
  });

  it("the means over time are those of the whole", () => {
    const { busy, waiting, stepSec } = courseOf(times, 4, { fromMs: 0, untilMs: 100 });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(stepSec * busy.length).toBeCloseTo(0.1, 12);
    expect(mean(busy)).toBeCloseTo(0.6, 12);
    expect(mean(waiting)).toBeCloseTo(0.5, 12);
  });

  it("waits are counted by length, and the counts add up", () => {
    const counts = waitCounts([0, 999, 1000, 9999, 10_000, 1e15]);
    const below = (sec: number) =>
      counts.slice(0, WAIT_EDGES_SEC.indexOf(sec) + 1).reduce((sum, count) => sum + count, 0);
    expect([below(1), below(10), below(100)]).toEqual([2, 4, 5]);
    expect(counts.at(-1)).toBe(1);
    expect(addedCounts(counts, counts)[0]).toBe(4);
  });
});
