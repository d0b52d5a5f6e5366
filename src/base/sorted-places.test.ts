import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { sortedPlaces } from "./sorted-places.ts";

const plain = (keys: readonly number[]): number[] =>
  keys.map((_, at) => at).sort((a, b) => keys[a] - keys[b] || a - b);

const keys = fc.oneof(
  fc.array(fc.integer({ min: -5, max: 5 })),
  fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 })),
  fc.array(fc.integer({ min: -(2 ** 40), max: 2 ** 40 })),
  fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 })),
);

describe("places in ascending order", () => {
  it("are those of a stable sort, whole numbers or not, near each other or far apart", () => {
    fc.assert(
      fc.property(keys, (given) => {
        expect([...sortedPlaces(Float64Array.from(given))]).toEqual(plain(given));
      }),
      draws(300),
    );
  });
});
