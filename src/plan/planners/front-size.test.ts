import { describe, expect, it } from "vitest";
import { frontSize } from "./front-size.ts";
import type { Plan } from "./plan.ts";

const plan = (makespanMs: number, packedCostSu: number, site = 0): Plan => ({
  placement: { site: Int32Array.of(site), startMs: Float64Array.of(0), endMs: Float64Array.of(makespanMs) },
  ...{ reservations: [], makespanMs, packedCostSu, planningCostSu: 99 },
});

describe("the size of a front", () => {
  it("PL-30 is the area up to 1.1 times its greatest makespan and cost", () => {
    const { hypervolume, reference } = frontSize([plan(100, 30), plan(200, 20), plan(400, 10)]);
    expect(reference.makespanMs).toBeCloseTo(440, 9);
    expect(reference.costSu).toBeCloseTo(33, 9);
    // Steps of 340 × 3, 240 × 10 and 40 × 10.
    expect(hypervolume).toBeCloseTo(3820, 6);
  });

  it("PL-30 of one plan is a hundredth of its makespan times its cost", () => {
    expect(frontSize([plan(100, 30)]).hypervolume).toBeCloseTo(30, 9);
  });

  it("PL-30 plans that leave tasks out count nothing", () => {
    const whole = frontSize([plan(100, 30)]);
    expect(frontSize([plan(100, 30), plan(900, 1, -1)])).toEqual(whole);
    expect(frontSize([plan(900, 1, -1)])).toEqual({
      ...{ hypervolume: 0, reference: { makespanMs: 0, costSu: 0 } },
    });
  });
});
