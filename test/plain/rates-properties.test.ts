import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, type Policy } from "../../src/model/index.ts";
import { entitlements, shareTree, transferRates, WHOLE_SHARE } from "../../src/policy/index.ts";
import { plainRates } from "./plain-rates.ts";

const RUNS = Number(process.env.STINT_PROPERTY_RUNS ?? 400);
const LEVELS = ["a", "b", "c", "a/x", "a/y", "a/x/u", "b/x"];

const percents = fc.constantFrom(0, 5, 10, 20, 25, 40, 50, 80, 100);
const terms = fc.record({
  epoch: percents,
  burst: percents,
  rule: fc.constantFrom("entitlement", "entitlement", "cap"),
  mode: fc.constantFrom("shared", "shared", "preempting", "dedicated"),
});
const scenes = fc.record({
  named: fc.subarray(LEVELS, { minLength: 1 }),
  terms: fc.array(terms, { minLength: LEVELS.length, maxLength: LEVELS.length }),
  /** Whose transfers: levels that are named, and those whom nobody names. */
  moving: fc.subarray([...LEVELS, ""], { minLength: 1 }),
  capacity: fc.integer({ min: 0, max: 400 }),
});

function policiesOf(
  named: readonly string[],
  each: readonly (typeof terms extends fc.Arbitrary<infer T> ? T : never)[],
) {
  return named.map((consumer, index): Policy => {
    const { epoch, burst, rule, mode } = each[index];
    const above = consumer.slice(0, Math.max(0, consumer.lastIndexOf("/")));
    return {
      ...{ ...POLICY_DEFAULTS, resource: "network", consumer, rule, mode },
      provider: named.includes(above) ? above : "here",
      epoch: { window: { kind: "sliding", lengthMs: 1000 }, sharePpm: epoch * 10_000 },
      burst: { bucketMs: 1000, sharePpm: Math.max(burst, epoch) * 10_000 },
    };
  });
}

describe("links are divided as the plain rule does, byte by byte", () => {
  it("PO-53 PO-54 PO-55 PO-56 rates", () => {
    fc.assert(
      fc.property(scenes, ({ named, terms: each, moving, capacity }) => {
        const tree = shareTree(policiesOf(named, each), "here");
        const transferring = new Set(moving.filter((level) => level === "" || named.includes(level)));
        const ours = transferRates({ tree, capacity, transferring });
        const plain = plainRates(tree, capacity, transferring);
        expect([...ours.keys()].sort()).toEqual([...plain.keys()].sort());
        const sumOf = (rates: ReadonlyMap<string, number>) =>
          [...rates.values()].reduce((sum, rate) => sum + rate, 0);
        expect(sumOf(ours)).toBeLessThanOrEqual(capacity);
        // Both give whole bytes, each by its own rounding at each level.
        for (const [level, rate] of ours) {
          expect(
            Math.abs(rate - (plain.get(level) ?? 0)),
            `${level} of ${JSON.stringify([...ours, ...plain])}`,
          ).toBeLessThanOrEqual(LEVELS.length);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("PO-53 nobody who transfers has less than its entitlement, but by rounding", () => {
    fc.assert(
      fc.property(scenes, ({ named, terms: each, moving, capacity }) => {
        const tree = shareTree(policiesOf(named, each), "here");
        const tops = named.filter((level) => !level.includes("/"));
        const transferring = new Set(moving.filter((level) => tops.includes(level)));
        const entitled = entitlements(
          tree,
          "network",
          (path) =>
            transferring.has(path.split("/")[0]) ||
            named.some(
              (level) =>
                level.startsWith(path) && tree.nodes.get("network")?.get(level)?.mode === "dedicated",
            ),
        );
        for (const [level, rate] of transferRates({ tree, capacity, transferring })) {
          const alone = named.every((other) => !other.startsWith(`${level}/`));
          if (!alone) continue;
          const least = Math.floor(((entitled.get(level) ?? 0) * capacity) / WHOLE_SHARE);
          expect(rate).toBeGreaterThanOrEqual(least - 1);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
