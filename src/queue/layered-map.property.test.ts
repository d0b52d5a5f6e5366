import fc from "fast-check";
import { expect, it } from "vitest";
import { LayeredMap } from "./layered-map.ts";

const keys = fc.integer({ min: 0, max: 12 });
const deeds = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("set" as const), key: keys, value: fc.nat(99) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("delete" as const), key: keys }) },
    fc.constant({ kind: "clear" as const }),
  ),
);

it("a layered map is what a copy of the map below would be, and changes nothing there", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.nat(99))), deeds, (entries, done) => {
      const below = new Map(entries);
      const layered = new LayeredMap(below);
      const copy = new Map(entries);
      for (const deed of done) {
        if (deed.kind === "clear") {
          layered.clear();
          copy.clear();
        } else if (deed.kind === "set") {
          layered.set(deed.key, deed.value);
          copy.set(deed.key, deed.value);
        } else expect(layered.delete(deed.key)).toBe(copy.delete(deed.key));
        expect(layered.size).toBe(copy.size);
      }
      for (let key = 0; key <= 12; key++) {
        expect([layered.has(key), layered.get(key)]).toEqual([copy.has(key), copy.get(key)]);
      }
      const sorted = (map: Map<number, number>) => [...map].sort(([a], [b]) => a - b);
      expect(sorted(layered)).toEqual(sorted(copy));
      expect([...layered.keys()].sort()).toEqual([...copy.keys()].sort());
      expect([...layered.values()].sort()).toEqual([...copy.values()].sort());
      const visited = new Map<number, number>();
      layered.forEach((value, key) => void visited.set(key, value));
      expect(visited).toEqual(copy);
      expect(below).toEqual(new Map(entries));
    }),
  );
});
