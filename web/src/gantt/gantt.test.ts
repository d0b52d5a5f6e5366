/** Rows, windows and use of a chart, without a browser. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import type { GanttBar } from "./bar.ts";
import { barAt, columnsOf, inSight } from "./columns.ts";
import { firstRectangle, rectangleAfter, stepMs, windowAround } from "./key-rectangle.ts";
import { occupancyOf } from "./occupancy.ts";
import { rowsOf } from "./rows.ts";
import { highestByPixel, highestInWindow } from "./use-strips.ts";
import { heightened, marks, panned, type Window, whole, zoomed } from "./window.ts";

const bar = (key: string, from: number, until: number, more: Partial<GanttBar> = {}): GanttBar => ({
  ...{ key, label: key, kind: "running", from, until, procs: 1, isMine: false, rows: [[0, 1]] },
  ...{ consumer: "a", partition: "p", note: () => [] },
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

  it("by node are a row at least for each node, one of each for a job on several, and the rest below", () => {
    const jobs = [
      bar("both", 0, 10, { nodes: ["n1", "n3"] }),
      bar("beside", 5, 20, { nodes: ["n3"] }),
      bar("waits", 30, 40),
      bar("slot", 0, 40, { kind: "free" }),
    ];
    const { bars: placed, count, groups } = rowsOf(jobs, "node", 8, ["n1", "n2", "n3"]);
    expect(groups.map(({ first, name }) => [first, name])).toEqual([
      [0, "n1"],
      [1, "n2"],
      [2, "n3"],
      [4, "node not known"],
    ]);
    expect(count).toBe(5);
    expect(placed.map(({ bar: { key }, rows: its }) => [key, its])).toEqual([
      [
        "both",
        [
          [0, 1],
          [2, 1],
        ],
      ],
      ["beside", [[3, 1]]],
      ["waits", [[4, 1]]],
    ]);
  });

  it("of a free slot in pieces are those of each piece, each at its time", () => {
    const pieces = [
      { from: 0, until: 5, rows: [[2, 1]] as const },
      { from: 5, until: 9, rows: [[0, 1]] as const },
    ];
    const slot = bar("slot", 0, 9, { kind: "free", pieces, rows: [[2, 1]] });
    const columns = columnsOf(rowsOf([slot], "processor", 8));
    const at = (instant: number, row: number) =>
      barAt(columns, { at: instant, slack: 0, row, least: 0 })?.bar;
    expect([at(3, 2.5), at(7, 0.5)]).toEqual([slot, slot]);
    expect([at(7, 2.5), at(3, 0.5)]).toEqual([undefined, undefined]);
  });

  it("by processor are those that were given, and at least all processors", () => {
    const wide = bar("wide", 0, 10, { rows: [[6, 4]] });
    expect(rowsOf([wide], "processor", 8).count).toBe(10);
    expect(rowsOf([bar("none", 0, 1, { rows: [] })], "processor", 8)).toMatchObject({ bars: [], count: 8 });
  });
});

describe("use over time", () => {
  const stepsOf = ({ at, procs }: ReturnType<typeof occupancyOf>) =>
    Array.from(at, (instant, step) => [instant, procs[step]]);

  it("is the sum of what is there, without offers, and of those bars that count", () => {
    const bars = [
      bar("a", 0, 10, { procs: 2 }),
      bar("b", 5, 10, { procs: 3, isMine: true }),
      bar("next", 10, 12, { procs: 4 }),
      bar("offer", 0, 20, { procs: 9, kind: "offer" }),
    ];
    expect(stepsOf(occupancyOf(bars))).toEqual([
      [0, 2],
      [5, 5],
      [10, 4],
      [12, 0],
    ]);
    expect(stepsOf(occupancyOf(bars, ({ isMine }) => isMine))).toEqual([
      [5, 3],
      [10, 0],
    ]);
  });

  it("within a pixel is the most of it, as a plain sum over bars says", () => {
    fc.assert(
      fc.property(someBars, fc.integer({ min: -5, max: 30 }), (bars, from) => {
        const window = { from, until: from + 10, top: 0, rowPx: 1 };
        const highest = highestByPixel({ window, width: 10 }, occupancyOf(bars));
        const usedAt = (at: number): number =>
          bars.reduce((sum, it) => sum + (it.from <= at && at < it.until ? it.procs : 0), 0);
        expect([...highest]).toEqual(Array.from({ length: 10 }, (_, x) => usedAt(from + x)));
      }),
      draws(200),
    );
  });
});

describe("use while a chart is panned", () => {
  it("is that of the window, wherever it has been before", () => {
    fc.assert(
      fc.property(
        someBars,
        fc.array(fc.tuple(fc.integer({ min: -20, max: 40 }), fc.constantFrom(10, 20)), { minLength: 1 }),
        (bars, windows) => {
          const use = occupancyOf(bars);
          for (const [from, ms] of windows) {
            const view = {
              window: { from: (from * ms) / 10, until: (from * ms) / 10 + ms, top: 0, rowPx: 1 },
              width: 10,
            };
            expect([...highestInWindow(view, use)]).toEqual([...highestByPixel(view, use)]);
          }
        },
      ),
      draws(100),
    );
  });
});

const someBars = fc.array(
  fc
    .tuple(
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([from, length, first, procs]) =>
      bar(`${from} ${length} ${first} ${procs}`, from, from + length, {
        ...{ procs, rows: [[first, procs]] as const },
      }),
    ),
  { maxLength: 30 },
);

describe("what is in sight", () => {
  it("are all bars that touch a stretch of time, and few others", () => {
    fc.assert(
      fc.property(someBars, fc.integer({ min: -5, max: 45 }), (bars, from) => {
        const columns = columnsOf(rowsOf(bars, "processor", 8));
        const [low, end] = inSight(columns, from, from + 5);
        const places = Array.from({ length: columns.size }, (_, at) => at);
        const touching = places.filter(
          (at) => (columns.until[at] ?? 0) >= from && (columns.from[at] ?? 0) <= from + 5,
        );
        expect(touching.filter((at) => at < low || at >= end)).toEqual([]);
        if (touching.length === 0) expect(end - low).toBeLessThanOrEqual(bars.length);
        else expect(low).toBeLessThanOrEqual(touching[0] ?? 0);
      }),
      draws(200),
    );
  });

  it("a point is on the bar that is drawn last there", () => {
    fc.assert(
      fc.property(
        someBars,
        fc.integer({ min: 0, max: 45 }),
        fc.integer({ min: 0, max: 12 }),
        (bars, at, row) => {
          const columns = columnsOf(rowsOf(bars, "processor", 8));
          const found = barAt(columns, { at, slack: 0.5, row: row + 0.5, least: 1 });
          const plain = [...bars]
            .sort((a, b) => a.from - b.from)
            .findLast(
              ({ from, until, rows: [[first, count] = [0, 0]] }) =>
                from - 0.5 <= at && at <= until + 0.5 && first <= row + 0.5 && row + 0.5 < first + count,
            );
          expect(found?.bar).toBe(plain);
        },
      ),
      draws(300),
    );
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

describe("a rectangle by keyboard", () => {
  const window = { from: 0, until: 4 * 3_600_000, top: 0, rowPx: 10 };
  const frame = { window, processors: 8, earliest: 1_000_000 };
  const keys = (...pressed: readonly string[]) =>
    pressed.reduce(
      (rectangle, key) => {
        const shiftKey = key.startsWith("Shift+");
        return rectangleAfter({ key: key.replace("Shift+", ""), shiftKey }, rectangle, frame) ?? rectangle;
      },
      firstRectangle(frame, undefined),
    );

  it("begins at a round step after the present, and at a selected free slot where there is one", () => {
    const step = stepMs(window);
    expect(step).toBe(600_000);
    expect(keys()).toEqual({ from: 1_200_000, until: 1_200_000 + 4 * step, procs: 1, top: 0 });
    const slot = bar("slot", 0, 9_000_000, { kind: "free", procs: 3 });
    const placed = { bar: slot, rows: [[5, 3]] as const };
    expect(firstRectangle(frame, placed)).toEqual({ from: 1_000_000, until: 4_600_000, procs: 3, top: 5 });
  });

  it.each([
    ["moves by a step", ["ArrowRight"], { from: 1_800_000, until: 4_200_000 }],
    ["never begins in the past", ["ArrowLeft", "ArrowLeft"], { from: 1_000_000, until: 3_400_000 }],
    ["grows at its end", ["Shift+ArrowRight"], { from: 1_200_000, until: 4_200_000 }],
    ["is a step long at least", Array(9).fill("Shift+ArrowLeft"), { from: 1_200_000, until: 1_800_000 }],
    ["has more processors", ["ArrowDown", "ArrowDown", "ArrowUp"], { procs: 2 }],
    ["has no more than there are", ["Shift+ArrowDown"], { procs: 8 }],
    ["has one at least", ["ArrowUp"], { procs: 1 }],
  ] as const)("%s", (_, pressed, expected) => {
    expect(keys(...pressed)).toMatchObject(expected);
  });

  it("keeps its ends in sight, and its begin where it is longer than the window", () => {
    const at = (from: number, until: number) => windowAround({ from, until, procs: 1 }, window).from;
    const { until } = window;
    expect([at(0, until), at(-5, 10), at(until, until + 7), at(50, until + 70)]).toEqual([0, -5, 7, 50]);
  });
});
