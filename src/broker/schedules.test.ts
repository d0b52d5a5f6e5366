import { describe, expect, it } from "vitest";
import { isBetween } from "./schedules.ts";

describe("the period of a schedule", () => {
  const never = { startMs: Number.POSITIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
  const isIn = (bar: typeof never, untilMs: number | null) => isBetween(bar, { sinceMs: 10, untilMs }, 50);

  it("has jobs without a planned start unless it is over", () => {
    expect([null, 60, 50, 20].map((untilMs) => isIn(never, untilMs))).toEqual([true, true, false, false]);
  });

  it("has what overlaps it", () => {
    expect(isIn({ startMs: 0, endMs: 10 }, 20)).toBe(false);
    expect(isIn({ startMs: 0, endMs: 11 }, 20)).toBe(true);
    expect(isIn({ startMs: 20, endMs: 30 }, 20)).toBe(false);
    expect(isIn({ startMs: 20, endMs: 30 }, null)).toBe(true);
  });
});
