import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { packRows, type RowSpan, type UnplacedBar } from "./pack-rows.ts";

const rowsOf = (spans: readonly RowSpan[]): number[] =>
  spans.flatMap(([first, count]) => Array.from({ length: count }, (_, at) => first + at));
const overlap = (a: UnplacedBar, b: UnplacedBar): boolean => a.from < b.until && b.from < a.until;
const bar = fc.record({
  from: fc.integer({ min: 0, max: 30 }),
  until: fc.integer({ min: 0, max: 40 }),
  procs: fc.integer({ min: 0, max: 6 }),
});

/** Those bars that fit beside the ones before them, at every instant. */
function fitting(bars: readonly UnplacedBar[], rows: number): readonly UnplacedBar[] {
  const kept: UnplacedBar[] = [];
  for (const one of bars) {
    const inUseAt = (at: number): number =>
      [...kept, one].reduce((sum, it) => sum + (it.from <= at && at < it.until ? it.procs : 0), 0);
    if (Array.from({ length: 41 }, (_, at) => at).every((at) => inUseAt(at) <= rows)) kept.push(one);
  }
  return kept;
}

describe("rows of a chart", () => {
  it("a bar has as many rows as processors, and shares none with a bar of the same time", () => {
    fc.assert(
      fc.property(fc.array(bar, { maxLength: 25 }), (bars) => {
        const placed = packRows(bars, 8).map(rowsOf);
        bars.forEach((one, at) => {
          const isShown = one.until > one.from;
          expect(new Set(placed[at]).size).toBe(isShown ? one.procs : 0);
          bars.slice(0, at).forEach((other, before) => {
            if (overlap(one, other)) {
              expect(placed[at].filter((row) => placed[before].includes(row))).toEqual([]);
            }
          });
        });
      }),
      draws(300),
    );
  });

  it("bars that together never use more than there is stay inside", () => {
    fc.assert(
      fc.property(fc.array(bar, { maxLength: 25 }), (bars) => {
        const fits = fitting(bars, 8);
        expect(
          packRows(fits, 8)
            .flatMap(rowsOf)
            .every((row) => row < 8),
        ).toBe(true);
      }),
      draws(300),
    );
  });

  it("a bar keeps the rows it had, also where lower ones have become free", () => {
    const [first, second] = packRows(
      [
        { from: 0, until: 10, procs: 2 },
        { from: 1, until: 20, procs: 3 },
      ],
      8,
    );
    expect([first, second]).toEqual([[[0, 2]], [[2, 3]]]);
    expect(packRows([{ from: 1, until: 20, procs: 3, before: second }], 8)).toEqual([[[2, 3]]]);
    const taken = { from: 0, until: 10, procs: 4, before: [[0, 4]] } as const;
    expect(packRows([{ from: 1, until: 20, procs: 3, before: second }, taken], 8)).toEqual([
      [[4, 3]],
      [[0, 4]],
    ]);
  });

  it("a bar is on the rows of its nodes, in pieces where it must, and below where there are too few", () => {
    const within: readonly RowSpan[] = [
      [0, 2],
      [6, 2],
    ];
    expect(packRows([{ from: 0, until: 1, procs: 3, within }], 8)).toEqual([
      [
        [0, 2],
        [6, 1],
      ],
    ]);
    const three = [3, 3, 3].map((procs) => ({ from: 0, until: 1, procs }));
    expect(packRows(three, 8)).toEqual([[[0, 3]], [[3, 3]], [[6, 3]]]);
  });
});
