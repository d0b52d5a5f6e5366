/** Rows of free slots: those that no bar takes, and as many as the slots have processors. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packRows } from "../../../src/base/index.ts";
import { draws } from "../../../test/draws.ts";
import { placeFree } from "./free-rows.ts";

const ROWS = 4;
const END = 30;

describe("rows of free slots", () => {
  it("change when a bar takes them", () => {
    const bars = [
      { from: 0, until: 10, rows: [[0, 3]] as const },
      { from: 10, until: 20, rows: [[2, 2]] as const },
    ];
    expect(placeFree([{ from: 0, until: 20, procs: 1 }], bars, ROWS)).toEqual([
      [
        { from: 0, until: 10, rows: [[3, 1]] },
        { from: 10, until: 20, rows: [[0, 1]] },
      ],
    ]);
  });

  it("are fewer than the slot has where the chart shows fewer", () => {
    const bars = [{ from: 0, until: 10, rows: [[0, 3]] as const }];
    expect(placeFree([{ from: 0, until: 10, procs: 2 }], bars, ROWS)).toEqual([
      [{ from: 0, until: 10, rows: [[3, 1]] }],
    ]);
  });

  it("together are all rows that no bar takes, each once, at every instant", () => {
    fc.assert(
      fc.property(someJobs, (jobs) => {
        const bars = packRows(jobs, ROWS).map((rows, at) => ({ ...(jobs[at] as Job), rows }));
        const takenAt = (at: number): number[] =>
          bars.flatMap((bar) => (bar.from <= at && at < bar.until ? rowsIn(bar.rows) : []));
        const slots = tiles((at) => ROWS - new Set(takenAt(at).filter((row) => row < ROWS)).size);
        const pieces = placeFree(slots, bars, ROWS);
        for (let at = 0; at < END; at++) {
          const free = pieces.flat().flatMap((it) => (it.from <= at && at < it.until ? rowsIn(it.rows) : []));
          const rows = [...free, ...new Set(takenAt(at).filter((row) => row < ROWS))];
          expect(rows.sort()).toEqual([0, 1, 2, 3]);
        }
        for (const [slot, its] of pieces.entries()) {
          expect([its[0]?.from, its.at(-1)?.until]).toEqual([slots[slot]?.from, slots[slot]?.until]);
        }
      }),
      draws(60),
    );
  });
});

interface Job {
  readonly from: number;
  readonly until: number;
  readonly procs: number;
}

const someJobs = fc.array(
  fc
    .tuple(fc.nat({ max: 20 }), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3 }))
    .map(([from, length, procs]): Job => ({ from, until: from + length, procs })),
  { maxLength: 8 },
);

const rowsIn = (spans: readonly (readonly [number, number])[]): number[] =>
  spans.flatMap(([first, count]) => Array.from({ length: count }, (_, row) => first + row));

/** For each level the longest intervals at which so many are free, as slots are advertised. */
function tiles(freeAt: (at: number) => number): readonly Job[] {
  const found: Job[] = [];
  for (let level = 1; level <= ROWS; level++) {
    for (let at = 0; at < END; at++) {
      const from = at;
      while (at < END && freeAt(at) >= level) at++;
      if (at > from) found.push({ from, until: at, procs: 1 });
    }
  }
  return found;
}
