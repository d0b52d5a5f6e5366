import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../test/property-seed.ts";
import { draws } from "../../../test/draws.ts";
import { createTimeline, earliestStart, reserveOn, resetTimeline } from "./timeline.ts";

interface Taken {
  readonly start: number;
  readonly end: number;
  readonly needs: readonly number[];
}

/** The definition: the smallest instant from `from` on at which all resources are free throughout. */
function plainEarliest(
  taken: readonly Taken[],
  capacity: readonly number[],
  needs: readonly number[],
  span: [number, number],
) {
  const [from, duration] = span;
  const candidates = [from, ...taken.map(({ end }) => end).filter((end) => end > from)].sort((a, b) => a - b);
  const fits = (start: number) => {
    for (let at = start; at < start + duration; at++) {
      const used = capacity.map((_, k) =>
        taken.reduce((sum, it) => sum + (it.start <= at && at < it.end ? it.needs[k] : 0), 0),
      );
      if (used.some((amount, k) => amount + needs[k] > capacity[k])) return false;
    }
    return true;
  };
  return candidates.find(fits);
}

const CAPACITY = [4, 3];
const task = fc.record({
  needs: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 3 })),
  duration: fc.integer({ min: 0, max: 6 }),
  from: fc.integer({ min: 0, max: 20 }),
});

describe("a timeline of a planner", () => {
  it("PL-22 answers as the definition does, after any reservations", () => {
    fc.assert(
      fc.property(fc.array(task, { maxLength: 80 }), (tasks) => {
        const timeline = createTimeline(2, 2);
        resetTimeline(timeline, Float64Array.from(CAPACITY), 0);
        const taken: Taken[] = [];
        for (const { needs, duration, from } of tasks) {
          const demand = { needs: Float64Array.from(needs), row: 0, durationMs: duration };
          const start = earliestStart(timeline, demand, from);
          expect(start).toBe(plainEarliest(taken, CAPACITY, needs, [from, duration]));
          reserveOn(timeline, demand, start);
          taken.push({ start, end: start + duration, needs });
        }
      }),
      draws(200),
    );
  });
});
