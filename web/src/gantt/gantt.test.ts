/** Rows, windows and use of a chart, without a browser. */
import { describe, expect, it } from "vitest";
import type { GanttBar } from "./bar.ts";
import { occupancyOf } from "./occupancy.ts";
import { rowsOf } from "./rows.ts";
import { heightened, marks, panned, type Window, whole, zoomed } from "./window.ts";

const bar = (key: string, from: number, until: number, more: Partial<GanttBar> = {}): GanttBar => ({
  ...{ key, label: key, kind: "running", from, until, procs: 1, isMine: false, rows: [[0, 1]] },
  ...{ consumer: "a", partition: "p", note: [] },
  ...more,
});

describe("rows", () => {
  const bars = [
    bar("long", 0, 100, { consumer: "b" }),
    bar("first", 0, 10),
    bar("second", 5, 20),
    bar("third", 10, 30),
  ];

  it("of jobs are one each, by their begin", () => {
    const { bars: placed, count } = rowsOf(bars, "job", 8);
    expect(count).toBe(4);
    expect(placed.map(({ bar: { key } }) => key)).toEqual(["long", "first", "second", "third"]);
  });

  it("of a consumer are as few as hold its jobs, none of which overlap", () => {
    const { bars: placed, count, groups } = rowsOf(bars, "consumer", 8);
    expect(groups).toEqual([
      { first: 0, name: "a" },
      { first: 2, name: "b" },
    ]);
    expect(count).toBe(3);
    const rows = Object.fromEntries(placed.map(({ bar: { key }, rows: [[row]] }) => [key, row]));
    expect(rows).toEqual({ first: 0, second: 1, third: 0, long: 2 });
  });

  it("by processor are those that were given, and at least all processors", () => {
    const wide = bar("wide", 0, 10, { rows: [[6, 4]] });
    expect(rowsOf([wide], "processor", 8).count).toBe(10);
    expect(rowsOf([bar("none", 0, 1, { rows: [] })], "processor", 8)).toMatchObject({ bars: [], count: 8 });
  });
});

describe("use over time", () => {
  it("is the sum of what is there, mine among it, without offers", () => {
    const bars = [
      bar("a", 0, 10, { procs: 2 }),
      bar("b", 5, 10, { procs: 3, isMine: true }),
      bar("offer", 0, 20, { procs: 9, kind: "offer" }),
    ];
    expect(occupancyOf(bars)).toEqual([
      { at: 0, all: 2, mine: 0 },
      { at: 5, all: 5, mine: 3 },
      { at: 10, all: 0, mine: 0 },
    ]);
  });
});

describe("a window", () => {
  const it0: Window = { from: 0, until: 10_000, top: 0, rowPx: 10 };

  it("zooms about a place, which stays where it was", () => {
    const { from, until } = zoomed(it0, 0.5, 0.3);
    expect([from, until]).toEqual([1500, 6500]);
    expect(from + 0.3 * (until - from)).toBe(3000);
  });

  it("is never shorter than a second, and never above the first row", () => {
    const { from, until } = zoomed(it0, 0.001, 0.5);
    expect(until - from).toBe(1000);
    expect(panned(it0, 0, -5).top).toBe(0);
    expect(heightened(it0, 1000, 0).rowPx).toBe(40);
  });

  it("of the whole has every row in sight", () => {
    const { rowPx, from, until } = whole(0, 1000_000, 1000, 300);
    expect(rowPx * 1000).toBeCloseTo(300);
    expect(from).toBeLessThan(0);
    expect(until).toBeGreaterThan(1000_000);
  });

  it("has marks at round distances, no more than asked for", () => {
    const found = marks(0, 3_600_000, 8, true);
    expect(found.length).toBeLessThanOrEqual(9);
    expect(new Set(found.slice(1).map((at, index) => at - (found[index] ?? 0)))).toEqual(new Set([600_000]));
  });
});
