/** The plain choice by α and the thinned list, against numbers worked out by hand. */
import { describe, expect, it } from "vitest";
import { plainChoice, plainThin } from "./pricing-choice.ts";

const choosable = (startMs: number, fixed: number) => ({ startMs, fixedProcMs: BigInt(fixed) });

describe("choosing by α", () => {
  const list = [choosable(0, 2), choosable(2, 7), choosable(3, 14), choosable(4, 6), choosable(6, 0)];
  const chosen = (alpha: number, from = list) => plainChoice(from, alpha)?.startMs;

  // f spans 14, start spans 6: the first scores α·2/14, the last 1−α; they meet at α = 7/8.
  it.each([
    [0, 0],
    [0.5, 0],
    [0.874_999, 0],
    [0.875, 0],
    [0.875_001, 6],
    [1, 6],
  ])("α = %d takes the start at %d", (alpha, start) => {
    expect(chosen(alpha)).toBe(start);
  });

  it("1 takes the earliest of the cheapest, whatever the order of the list", () => {
    const ties = [choosable(9, 0), choosable(5, 0), choosable(7, 0), choosable(1, 3)];
    expect(chosen(1, ties)).toBe(5);
  });

  it("where all cost the same takes the earliest for every α", () => {
    const same = [choosable(4, 5), choosable(2, 5), choosable(3, 5)];
    for (const alpha of [0, 0.3, 1]) expect(chosen(alpha, same)).toBe(2);
  });

  it("of nothing takes nothing", () => {
    expect(plainChoice([], 0.5)).toBeUndefined();
    expect(plainThin([])).toEqual([]);
  });

  it("thins to what nobody beats in both, and the extremes", () => {
    expect(plainThin(list).map(({ startMs }) => startMs)).toEqual([0, 3, 6]);
    const ties = [choosable(0, 3), choosable(1, 0), choosable(2, 0), choosable(3, 2), choosable(4, 1)];
    expect(plainThin(ties).map(({ startMs }) => startMs)).toEqual([0, 1, 2, 4]);
  });
});
