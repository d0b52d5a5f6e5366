import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { everyPlace, firstFrom, rowAtMost, rowsOf } from "./place-sets.ts";

describe("sets of places in a queue", () => {
  it("say of any bound who is at most as large", () => {
    const values = fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 150 });
    fc.assert(
      fc.property(values, fc.integer({ min: -5, max: 100 }), (drawn, most) => {
        const rows = rowsOf(Float64Array.from(drawn));
        const places = placesOf(rows.rows.subarray(rowAtMost(rows, most)).subarray(0, rows.words));
        expect(rows.isExact).toBe(true);
        expect(places).toEqual([...drawn.keys()].filter((at) => drawn[at] <= most));
      }),
    );
  });

  it("hold nobody too few, and say so, where there are more values than classes", () => {
    const values = Float64Array.from({ length: 3000 }, (_, at) => 1 + ((at * 7919) % 3001) ** 2);
    const rows = rowsOf(values);
    expect(rows.isExact).toBe(false);
    for (const most of [0, 1, 2, 500, 80_000, 4_000_000, 9_000_000, Number.MAX_SAFE_INTEGER]) {
      const places = new Set(placesOf(rows.rows.subarray(rowAtMost(rows, most)).subarray(0, rows.words)));
      const meant = [...values.keys()].filter((at) => values[at] <= most);
      expect(meant.every((place) => places.has(place))).toBe(true);
      expect(places.size - meant.length).toBeLessThan(4);
    }
  });

  it("begin with everybody", () => {
    for (const count of [0, 1, 31, 32, 33, 100]) {
      expect(placesOf(everyPlace(count))).toEqual([...Array(count).keys()]);
    }
  });
});

function placesOf(set: Int32Array): number[] {
  const places: number[] = [];
  for (let at = firstFrom(set, 0); at >= 0; at = firstFrom(set, at + 1)) places.push(at);
  return places;
}
