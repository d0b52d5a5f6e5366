import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, type Policy } from "../../model/index.ts";
import { shareTree, transferLevel, transferRates } from "../index.ts";

function network(provider: string, consumer: string, percent: number, more: Partial<Policy> = {}): Policy {
  const window = { kind: "sliding", lengthMs: 3_600_000 } as const;
  const epoch = { window, sharePpm: percent * 10_000 };
  return { ...POLICY_DEFAULTS, resource: "network", provider, consumer, epoch, ...more };
}
const burst = (percent: number) => ({ burst: { bucketMs: 5_000, sharePpm: percent * 10_000 } });
const rates = (policies: readonly Policy[], transferring: readonly string[], capacity = 1000) =>
  Object.fromEntries(
    transferRates({
      tree: shareTree(policies, "here"),
      capacity,
      transferring: new Set(transferring),
    }),
  );

describe("rates of transfers", () => {
  const two = [network("here", "a", 20), network("here", "b", 80)];

  it("PO-53 are at least the entitlement, and never more than the burst", () => {
    expect(rates(two, ["a", "b"])).toEqual({ a: 200, b: 800 });
    const bound = [network("here", "a", 20, burst(30)), network("here", "b", 80, burst(90))];
    expect(rates(bound, ["a"])).toEqual({ a: 300 });
    expect(rates(bound, ["a", "b"])).toEqual({ a: 200, b: 800 });
  });

  it("PO-53 are at most the epoch share under `cap`", () => {
    const capped = [network("here", "a", 20, { rule: "cap" }), network("here", "b", 80)];
    expect(rates(capped, ["a"])).toEqual({ a: 200 });
  });

  it("PO-53 of shares below a level refer to the rate of that level", () => {
    const policies = [...two, network("b", "b/x", 75), network("b", "b/y", 25)];
    expect(rates(policies, ["a", "b/x", "b/y"])).toEqual({ a: 200, "b/x": 600, "b/y": 200 });
    expect(rates(policies, ["a", "b/y"])).toEqual({ a: 200, "b/y": 800 });
    expect(rates(policies, ["b/x", "b/y"])).toEqual({ "b/x": 750, "b/y": 250 });
  });

  it("PO-53 follow max-min fairness where shares exceed the whole", () => {
    const over = [network("here", "a", 40), network("here", "b", 80)];
    expect(rates(over, ["a", "b"])).toEqual({ a: 400, b: 600 });
    expect(rates(over, ["b"])).toEqual({ b: 1000 });
  });

  it("PO-53 of unused capacity are lent in proportion to entitlements", () => {
    const three = [network("here", "a", 10), network("here", "b", 30), network("here", "c", 60)];
    expect(rates(three, ["a", "b"])).toEqual({ a: 250, b: 750 });
  });

  it("PO-53 of dedicated shares are not lent", () => {
    const kept = [network("here", "a", 20), network("here", "b", 80, { mode: "dedicated" })];
    expect(rates(kept, ["a"])).toEqual({ a: 200 });
    expect(rates(kept, ["a", "b"])).toEqual({ a: 200, b: 800 });
  });

  it("PO-53 of consumers without a policy are what the policies do not give out", () => {
    const some = [network("here", "a", 80)];
    expect(rates(some, ["a", ""])).toEqual({ a: 800, "": 200 });
    expect(rates(some, [""])).toEqual({ "": 1000 });
    expect(rates(two, ["a", "b", ""])).toEqual({ a: 200, b: 800, "": 0 });
    const bound = [network("here", "a", 20, burst(30)), network("here", "b", 80, burst(80))];
    expect(rates(bound, ["b", ""])).toEqual({ b: 800, "": 200 });
  });

  it("are whole bytes a second, and leave none over", () => {
    const thirds = ["a", "b", "c"].map((name) => network("here", name, 33));
    const given = rates(thirds, ["a", "b", "c", ""], 100);
    expect(Object.values(given).reduce((sum, rate) => sum + rate, 0)).toBe(100);
    expect(Math.min(given.a, given.b, given.c)).toBeGreaterThanOrEqual(32);
  });

  it("PO-53 belong to the last named level of a transfer's consumer", () => {
    const tree = shareTree([...two, network("b", "b/x", 75)], "here");
    const levels = ["a/u", "b/x/u", "b/z", "c"].map((consumer) => transferLevel(tree, consumer));
    expect(levels).toEqual(["a", "b/x", "b", ""]);
  });
});
