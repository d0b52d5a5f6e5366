import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, type Policy } from "../../src/model/index.ts";
import { createStoredKeeper, noteStored, shareTree, storedLimit } from "../../src/policy/index.ts";
import { plainQuota } from "./plain-quota.ts";

const RUNS = Number(process.env.STINT_PROPERTY_RUNS ?? 400);
const LEVELS = ["a", "a/x", "b"];
const OWNERS = ["a/u", "a/x/u", "a/x/v", "b/u"];

const percents = fc.constantFrom(10, 25, 50, 80, 100);
const terms = fc.record({
  epoch: percents,
  burst: percents,
  isCap: fc.boolean(),
  lengthMs: fc.integer({ min: 1, max: 8 }),
});
const courses = fc.array(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 10, maxLength: 10 }), {
  minLength: OWNERS.length,
  maxLength: OWNERS.length,
});

describe("what keeps files out is as a count tick by tick says", () => {
  it("PO-57 PO-58 the first limit", () => {
    fc.assert(
      fc.property(
        fc.record({
          named: fc.subarray(LEVELS, { minLength: 1 }),
          each: fc.array(terms, { minLength: LEVELS.length, maxLength: LEVELS.length }),
          stored: courses,
          consumer: fc.constantFrom(...OWNERS, "c"),
          asked: fc.integer({ min: 0, max: 12 }),
        }),
        ({ named, each, stored, consumer, asked }) => {
          const policies = named.map((level, index): Policy => {
            const { epoch, burst, isCap, lengthMs } = each[index];
            return {
              ...{ ...POLICY_DEFAULTS, resource: "storage", consumer: level },
              provider: level === "a/x" && named.includes("a") ? "a" : "here",
              rule: isCap ? "cap" : "entitlement",
              epoch: { window: { kind: "sliding", lengthMs }, sharePpm: epoch * 10_000 },
              burst: { bucketMs: 1000, sharePpm: burst * 10_000 },
            };
          });
          const keeper = createStoredKeeper(shareTree(policies, "here"));
          for (let tick = 0; tick < 10; tick++) {
            for (const [index, owner] of OWNERS.entries()) {
              noteStored(keeper, owner, stored[index][tick] - (stored[index][tick - 1] ?? 0), tick);
            }
          }
          const plain = plainQuota(
            policies,
            Object.fromEntries(OWNERS.map((owner, index) => [owner, stored[index]])),
            { consumer, asked, capacity: 20 },
          );
          const ours = storedLimit(keeper, { consumer, askedBytes: asked, capacityBytes: 20 }, 9);
          const words = ours && [ours.limit, ...(ours.level === null ? [] : [ours.level])].join(" ");
          expect(words).toBe(plain);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
