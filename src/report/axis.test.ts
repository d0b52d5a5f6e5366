import { describe, expect, it } from "vitest";
import { logTimeAxis, niceTicks, outlierAmong, timeAxis, timeAxisUntil } from "./axis.ts";

describe("axes", () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 20, 40, 60, 80, 100]],
    [1234, [0, 250, 500, 750, 1000, 1250]],
  ])("RP-4 0 to %f is marked at round numbers", (most, marks) => {
    expect(niceTicks(most, 5)).toEqual(marks);
  });

  it("RP-4 lengths of time have a unit that fits", () => {
    expect(timeAxis(100, 5).label).toBe("seconds");
    expect(timeAxis(3600, 5).label).toBe("minutes");
    expect(timeAxis(86_400, 5)).toMatchObject({ label: "hours", from: 0, to: 25 * 3600 });
    expect(timeAxisUntil(400_000, 5)).toMatchObject({ label: "days", to: 400_000 });
    expect(logTimeAxis(100).ticks.map(({ text }) => text)).toEqual(["1 s", "10 s", "1 min", "10 min"]);
    expect(logTimeAxis(1e9).to).toBeCloseTo(9, 12);
  });

  it.each([
    ["one of many", [1, 2, 100], 2],
    ["not one that is large", [1, 90, 100], undefined],
    ["not the only one", [100], undefined],
    ["nothing beside zeros", [0, 0, 5], undefined],
    ["not eight times as much", [10, 80], undefined],
  ])("RP-5 the outlier is %s", (_, values, at) => {
    expect(outlierAmong(values)).toBe(at);
  });
});
