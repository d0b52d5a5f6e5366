import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { POLICY_DEFAULTS, type Policy } from "../../model/index.ts";
import { shareTree, transferRates } from "../index.ts";

const { numRuns: RUNS } = draws(400);
const LEVELS = ["a", "b", "c"];
const percents = fc.constantFrom(0, 10, 20, 40, 80, 100);

function network(consumer: string, epoch: number, burst: number): Policy {
  return {
    ...{ ...POLICY_DEFAULTS, resource: "network", consumer, provider: "here" },
    epoch: { window: { kind: "sliding", lengthMs: 1000 }, sharePpm: epoch * 10_000 },
    burst: { bucketMs: 1000, sharePpm: Math.max(burst, epoch) * 10_000 },
  };
}

const scenes = fc.record({
  shares: fc.array(fc.tuple(percents, percents), { minLength: 3, maxLength: 3 }),
  moving: fc.subarray(LEVELS, { minLength: 1 }),
  kept: fc.array(fc.nat(120), { minLength: 3, maxLength: 3 }),
  capacity: fc.integer({ min: 0, max: 400 }),
});

describe("reserved rates", () => {
  it("PO-53 leave a rest that is fully divided, with no level over its burst", () => {
    fc.assert(
      fc.property(scenes, ({ shares, moving, kept, capacity }) => {
        const policies = LEVELS.map((level, at) => network(level, ...shares[at]));
        const tree = shareTree(policies, "here");
        const reserved = new Map(LEVELS.map((level, at) => [level, kept[at]]));
        const transferring = new Set(moving);
        const rates = transferRates({ tree, capacity, transferring, reserved });
        const left = Math.max(0, capacity - kept.reduce((sum, rate) => sum + rate, 0));
        const given = [...rates.values()].reduce((sum, rate) => sum + rate, 0);
        expect(given).toBeLessThanOrEqual(left);
        const most = LEVELS.map((_, at) => {
          const burst = Math.floor((Math.max(...shares[at]) * capacity) / 100);
          return Math.max(0, burst - kept[at]);
        });
        for (const [level, rate] of rates) expect(rate).toBeLessThanOrEqual(most[LEVELS.indexOf(level)]);
        const isIdle = given < left;
        const mayMore = moving.some((level) => (rates.get(level) ?? 0) < most[LEVELS.indexOf(level)]);
        expect(isIdle && mayMore).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  it("PO-53 act as a smaller capacity where no burst limits, to within a byte", () => {
    fc.assert(
      fc.property(scenes, ({ shares, moving, kept, capacity }) => {
        const policies = LEVELS.map((level, at) => network(level, shares[at][0], 100));
        const tree = shareTree(policies, "here");
        const transferring = new Set(moving);
        const keeper = kept[0];
        const reserved = new Map([["", keeper]]);
        const rates = transferRates({ tree, capacity, transferring, reserved });
        const less = { tree, capacity: Math.max(0, capacity - keeper), transferring };
        // The level that gets the byte left by rounding depends on the order in which they are full.
        for (const [level, rate] of transferRates(less)) {
          expect(Math.abs(rate - (rates.get(level) ?? Number.NaN)), level).toBeLessThanOrEqual(LEVELS.length);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
