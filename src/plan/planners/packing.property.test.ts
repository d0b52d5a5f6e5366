import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../test/property-seed.ts";
import { draws } from "../../../test/draws.ts";
import { packed } from "./packing.ts";
import { costSu, type Rectangle } from "./rectangle.ts";

const CAPACITY = { procs: 12, memoryBytes: 9, gpus: 2 };
const AMOUNTS = ["procs", "memoryBytes", "gpus"] as const;
const rectangle = fc
  .record({
    procs: fc.integer({ min: 1, max: 4 }),
    memoryBytes: fc.integer({ min: 0, max: 5 }),
    gpus: fc.integer({ min: 0, max: 2 }),
    startMs: fc.integer({ min: 0, max: 40 }),
    lengthMs: fc.integer({ min: 1, max: 10 }),
  })
  .map(({ lengthMs, ...of }): Rectangle => {
    return { ...of, site: 0, endMs: of.startMs + lengthMs, price: 1, fixedSu: 0, isWhole: false };
  });

const heldAt = (of: readonly Rectangle[], atMs: number) =>
  AMOUNTS.map((name) =>
    of.reduce((sum, it) => sum + (it.startMs <= atMs && atMs < it.endMs ? (it[name] ?? 0) : 0), 0),
  );
const isWithin = (held: readonly number[]) => AMOUNTS.every((name, k) => held[k] <= CAPACITY[name]);
const cost = (of: readonly Rectangle[]) => of.reduce((sum, it) => sum + costSu(it), 0);

describe("packing", () => {
  it("PL-23 holds all that was asked for at every instant, within the capacity", () => {
    fc.assert(
      fc.property(fc.array(rectangle, { maxLength: 20 }), fc.integer({ min: 1, max: 6 }), (drawn, most) => {
        const asked: Rectangle[] = [];
        for (const next of drawn) {
          const held = Array.from({ length: 60 }, (_, at) => heldAt([...asked, next], at));
          if (held.every(isWithin)) asked.push(next);
        }
        const held = packed(asked, most, () => CAPACITY);
        for (let at = 0; at < 60; at++) {
          const amounts = heldAt(held, at);
          for (const [k, wanted] of heldAt(asked, at).entries()) {
            expect(amounts[k]).toBeGreaterThanOrEqual(wanted);
          }
          expect(isWithin(amounts)).toBe(true);
        }
        expect(cost(held)).toBeGreaterThanOrEqual(cost(asked) - 1e-12);
        if (held.length <= most && asked.length <= most) expect(cost(held)).toBeCloseTo(cost(asked), 12);
      }),
      draws(200),
    );
  });

  it("PL-23 slots sold as a whole are never joined", () => {
    const whole = (startMs: number): Rectangle => {
      return { site: 0, slot: 0, procs: 2, startMs, endMs: startMs + 5, price: 1, fixedSu: 1, isWhole: true };
    };
    expect(packed([whole(0), whole(5)], 1, () => CAPACITY)).toEqual([whole(0), whole(5)]);
  });
});
