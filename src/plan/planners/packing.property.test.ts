import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../test/property-seed.ts";
import { draws } from "../../../test/draws.ts";
import { packed } from "./packing.ts";
import { costSu, type Rectangle } from "./rectangle.ts";

const CAPACITY = 12;
const rectangle = fc
  .record({
    procs: fc.integer({ min: 1, max: 4 }),
    startMs: fc.integer({ min: 0, max: 40 }),
    lengthMs: fc.integer({ min: 1, max: 10 }),
  })
  .map(({ lengthMs, ...of }): Rectangle => {
    return { ...of, site: 0, endMs: of.startMs + lengthMs, price: 1, fixedSu: 0, isWhole: false };
  });

const procsAt = (of: readonly Rectangle[], atMs: number) =>
  of.reduce((sum, it) => sum + (it.startMs <= atMs && atMs < it.endMs ? it.procs : 0), 0);
const cost = (of: readonly Rectangle[]) => of.reduce((sum, it) => sum + costSu(it), 0);

describe("packing", () => {
  it("PL-23 holds all that was asked for at every instant, within the capacity", () => {
    fc.assert(
      fc.property(fc.array(rectangle, { maxLength: 20 }), fc.integer({ min: 1, max: 6 }), (drawn, most) => {
        const asked: Rectangle[] = [];
        for (const next of drawn) {
          const fits = Array.from({ length: 60 }, (_, at) => procsAt([...asked, next], at));
          if (Math.max(...fits) <= CAPACITY) asked.push(next);
        }
        const held = packed(asked, most, () => CAPACITY);
        for (let at = 0; at < 60; at++) {
          expect(procsAt(held, at)).toBeGreaterThanOrEqual(procsAt(asked, at));
          expect(procsAt(held, at)).toBeLessThanOrEqual(CAPACITY);
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
