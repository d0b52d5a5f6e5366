import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { plainSharedRates, type RatedLevel } from "../../../test/plain/plain-shared-rates.ts";
import { POLICY_DEFAULTS, type Policy } from "../../model/index.ts";
import { shareTree, transferLevel, transferRates } from "../index.ts";

const { numRuns: RUNS } = draws(400);

/** All possible levels, each below the one before whose path begins it. */
const PATHS = ["a", "a/x", "a/x/u", "a/y", "b", "b/z", "c"];
const CONSUMERS = ["a/u", "a/x/u", "a/x/v", "a/y/u", "b/u", "b/z/u", "c/u", "d/u"];

const plays = fc.record({
  named: fc.subarray(PATHS),
  terms: fc.array(
    fc.record({
      epoch: fc.constantFrom(0, 5, 20, 30, 50, 80, 100),
      more: fc.constantFrom(0, 10, 30, 100),
      isCap: fc.boolean(),
      isDedicated: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
    }),
    { minLength: PATHS.length, maxLength: PATHS.length },
  ),
  busy: fc.subarray(CONSUMERS, { minLength: 1 }),
  capacity: fc.constantFrom(1, 2, 7, 30, 97, 200),
});
type Play = typeof plays extends fc.Arbitrary<infer One> ? One : never;

/** The levels right below one: the named ones with no named one between. */
function levelsBelow(above: string, { named, terms }: Pick<Play, "named" | "terms">): RatedLevel[] {
  const inside = named.filter((path) => above === "" || path.startsWith(`${above}/`));
  const nearest = inside.filter((path) => !inside.some((other) => path.startsWith(`${other}/`)));
  return nearest.map((path): RatedLevel => {
    const { epoch, more, isCap, isDedicated } = terms[PATHS.indexOf(path)];
    const parts = { epoch: epoch / 100, burst: Math.min(100, epoch + more) / 100 };
    return { path, ...parts, isCap, isDedicated, below: levelsBelow(path, { named, terms }) };
  });
}

function policiesOf(above: string, levels: readonly RatedLevel[]): readonly Policy[] {
  return levels.flatMap(({ path, epoch, burst, isCap, isDedicated, below }) => [
    {
      ...{ ...POLICY_DEFAULTS, resource: "network", consumer: path, provider: above === "" ? "here" : above },
      ...{ rule: isCap ? "cap" : "entitlement", mode: isDedicated ? "dedicated" : "shared" },
      epoch: { window: { kind: "sliding", lengthMs: 60_000 }, sharePpm: Math.round(epoch * 1_000_000) },
      burst: { bucketMs: 1000, sharePpm: Math.round(burst * 1_000_000) },
    } as const,
    ...policiesOf(path, below),
  ]);
}

function depthOf(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

describe("the division of links", () => {
  it("PO-53 equals the byte-by-byte division, to within a byte a second for each level", () => {
    fc.assert(
      fc.property(plays, ({ busy, capacity, ...shape }) => {
        const below = levelsBelow("", shape);
        const policies = policiesOf("", below);
        const tree = shareTree(policies, "here");
        const named = (consumer: string): string =>
          shape.named.filter((path) => `${consumer}/`.startsWith(`${path}/`)).at(-1) ?? "";
        for (const consumer of busy) expect(transferLevel(tree, consumer)).toBe(named(consumer));
        const transferring = new Set(busy.map(named));
        const rates = transferRates({ tree, capacity, transferring });
        const place = { path: "", epoch: 1, burst: 1, isCap: false, isDedicated: false, below };
        const plain = plainSharedRates(place, capacity, transferring);
        expect([...rates.keys()].sort()).toEqual([...plain.keys()].sort());
        // One level has what the others lose by rounding down, a byte a second for each level at most.
        const mostMore = shape.named.length + 1.1;
        const off = [...plain].filter(([path, rate]) => {
          const more = (rates.get(path) ?? Number.NaN) - rate;
          return !(more >= -depthOf(path) - 1.1 && more <= mostMore);
        });
        expect(off.map(([path, rate]) => ({ path, plain: rate, ours: rates.get(path) }))).toEqual([]);
        const sum = [...rates.values()].reduce((total, rate) => total + rate, 0);
        expect(sum).toBeLessThanOrEqual(capacity);
        for (const rate of rates.values()) expect(Number.isSafeInteger(rate)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
