import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, type Policy } from "../model/index.ts";
import { divideFairly, entitlements, hasShare, levelsOf, shareTree, WHOLE_SHARE } from "./index.ts";

const PERCENT = WHOLE_SHARE / 100;

function policy(provider: string, consumer: string, epoch: number, rest: Partial<Policy> = {}): Policy {
  const window = { kind: "sliding", lengthMs: 3_600_000 } as const;
  return { ...POLICY_DEFAULTS, provider, consumer, epoch: { window, sharePpm: epoch * 10_000 }, ...rest };
}
const burst = (percent: number) => ({ burst: { bucketMs: 5_000, sharePpm: percent * 10_000 } });
const sharesOf = (policies: readonly Policy[], place: string, consumer: string) =>
  levelsOf(shareTree(policies, place), "cpu", consumer).map(({ path, epochShare, burstShare }) => [
    path,
    epochShare / PERCENT,
    burstShare / PERCENT,
  ]);

describe("shares of the levels of a consumer", () => {
  const recursive = [
    policy("site1", "vo0", 20, burst(60)),
    policy("vo0", "vo0/g1", 50, burst(80)),
    policy("vo0/g1", "vo0/g1/ada", 10),
    policy("site2", "vo0", 40),
  ];

  it("PO-1 epoch is of the epoch, burst of the burst of the level above", () => {
    expect(sharesOf(recursive, "site1", "vo0/g1/ada")).toEqual([
      ["vo0", 20, 60],
      ["vo0/g1", 10, 48],
      ["vo0/g1/ada", 1, 48],
    ]);
    expect(sharesOf(recursive, "site2", "vo0/g1")).toEqual([
      ["vo0", 40, 100],
      ["vo0/g1", 20, 80],
    ]);
  });

  it("PO-1 a level that no policy names has all of what the level above has", () => {
    expect(sharesOf([policy("site1", "vo0/g1", 20, burst(60))], "site1", "vo0/g1/ada")).toEqual([
      ["vo0", 100, 100],
      ["vo0/g1", 20, 60],
    ]);
    expect(
      sharesOf(
        [policy("site1", "vo0", 20, burst(60)), policy("vo0/g1", "vo0/g1/ada", 50)],
        "site1",
        "vo0/g1/ada",
      ),
    ).toEqual([
      ["vo0", 20, 60],
      ["vo0/g1", 20, 60],
      ["vo0/g1/ada", 10, 60],
    ]);
  });

  it("PO-1 a share is of what its provider has, also where that is not the level just above", () => {
    const policies = [policy("site1", "vo0", 20, burst(60)), policy("site1", "vo0/g1", 10, burst(50))];
    expect(sharesOf(policies, "site1", "vo0/g1")).toEqual([
      ["vo0", 20, 60],
      ["vo0/g1", 10, 50],
    ]);
  });

  it("PO-1 a consumer of which no level is named has nothing", () => {
    const tree = shareTree(recursive, "site1");
    expect(levelsOf(tree, "cpu", "vo9")).toEqual([]);
    expect(hasShare(tree, "vo9/g1")).toBe(false);
    expect(hasShare(tree, "vo0/g9/bob")).toBe(true);
    // The share that vo0/g1 has under site2 alone is nothing at site1.
    const elsewhere = shareTree([policy("site2", "vo0", 40), policy("vo0", "vo0/g1", 50)], "site1");
    expect(hasShare(elsewhere, "vo0/g1")).toBe(false);
  });

  it("PO-1 a pool is a place of its own, and so is each resource", () => {
    const policies = [
      policy("site1", "vo0", 20),
      policy("site1/fat", "vo0", 70),
      policy("site1", "vo0", 30, { resource: "gpu" }),
    ];
    expect(sharesOf(policies, "site1", "vo0")).toEqual([["vo0", 20, 100]]);
    expect(sharesOf(policies, "site1/fat", "vo0")).toEqual([["vo0", 70, 100]]);
    expect(levelsOf(shareTree(policies, "site1"), "gpu", "vo0")[0].epochShare).toBe(30 * PERCENT);
    expect(levelsOf(shareTree(policies, "site1"), "memory", "vo0")).toEqual([]);
  });
});

describe("entitlements", () => {
  const entitledOf = (policies: readonly Policy[], demanding: readonly string[]) =>
    Object.fromEntries(
      [...entitlements(shareTree(policies, "site1"), "cpu", (path) => demanding.includes(path))].map(
        ([path, share]) => [path, share / PERCENT],
      ),
    );
  const tooMuch = [policy("site1", "a", 40), policy("site1", "b", 80), policy("b", "b/x", 50)];

  it("PO-4 40 % and 80 % give 40 % and 60 %, and 80 % to the second when it is alone", () => {
    expect(entitledOf(tooMuch, ["a", "b"])).toEqual({ a: 40, b: 60 });
    expect(entitledOf(tooMuch, ["b"])).toEqual({ b: 80 });
    expect(entitledOf(tooMuch, ["a"])).toEqual({ a: 40 });
  });

  it("PO-4 shares below a level refer to that level's entitlement", () => {
    expect(entitledOf(tooMuch, ["a", "b", "b/x"])).toEqual({ a: 40, b: 60, "b/x": 30 });
  });

  it("PO-4 a level that no policy names takes nothing from those that are named", () => {
    const policies = [policy("site1", "a/x", 30), policy("site1", "b", 80), policy("b/y", "b/y/ada", 50)];
    expect(entitledOf(policies, ["a", "a/x", "b", "b/y", "b/y/ada"])).toEqual({
      "a/x": 30,
      b: 70,
      "b/y/ada": 35,
    });
  });

  it("PO-4 no consumer has more than it wants, and nothing is left while one wants more", () => {
    expect(divideFairly([10, 90, 90], 100)).toEqual([10, 45, 45]);
    expect(divideFairly([90, 10], 100)).toEqual([90, 10]);
    expect(divideFairly([100, 100, 100], 100)).toEqual([33, 33, 34]);
    expect(divideFairly([], 100)).toEqual([]);
  });
});
