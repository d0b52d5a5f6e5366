import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, type Policy } from "../../model/index.ts";
import { createStoredKeeper, noteStored, shareTree, storedLimit, storedOf } from "../index.ts";

function storage(consumer: string, epoch: number, burst: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ ...POLICY_DEFAULTS, resource: "storage", provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: 100 }, sharePpm: epoch * 10_000 },
    burst: { bucketMs: 10, sharePpm: burst * 10_000 },
    ...more,
  };
}
const keep = (...policies: readonly Policy[]) => createStoredKeeper(shareTree(policies, "here"));
const asking = (consumer: string, askedBytes: number, capacityBytes = 1000) => ({
  ...{ consumer, askedBytes, capacityBytes },
});

describe("storage quotas", () => {
  it("PO-57 accept files up to the burst, and report used, asked and limit", () => {
    const keeper = keep(storage("a", 20, 30));
    noteStored(keeper, "a/u", 200, 0);
    expect(storedLimit(keeper, asking("a/u", 100), 0)).toBeUndefined();
    expect(storedLimit(keeper, asking("a/v", 101), 0)).toEqual({
      ...{ limit: "burst", level: "a", provider: "here", usedBytes: 200, askedBytes: 101, limitBytes: 300 },
      ...{ isNever: false, untilMs: null },
    });
    expect(storedLimit(keeper, asking("a/v", 301), 0)).toMatchObject({ isNever: true });
  });

  it("PO-57 refuse an empty request only over the limit", () => {
    const keeper = keep(storage("a", 20, 30));
    noteStored(keeper, "a", 300, 0);
    expect(storedLimit(keeper, asking("a", 0), 0)).toBeUndefined();
    noteStored(keeper, "a", 1, 0);
    expect(storedLimit(keeper, asking("a", 0), 0)).toMatchObject({ limit: "burst", usedBytes: 301 });
  });

  it("PO-57 never exceed the capacity of the stores", () => {
    const keeper = keep(storage("a", 20, 30));
    noteStored(keeper, "other", 900, 0);
    expect(storedLimit(keeper, asking("a", 101), 0)).toMatchObject({ limit: "capacity", level: null });
    expect(storedLimit(keeper, asking("a", 100), 0)).toBeUndefined();
  });

  it("PO-57 count byte·ms of the epoch under `cap`, and name the instant of the next acceptance", () => {
    const keeper = keep(storage("a", 20, 100, { rule: "cap" }));
    noteStored(keeper, "a", 400, 0);
    // 20 % of 1000 over 100 ms are 20,000 byte·ms: reached after 50 ms of 400.
    expect(storedLimit(keeper, asking("a", 0), 49)).toBeUndefined();
    noteStored(keeper, "a", -400, 50);
    expect(storedLimit(keeper, asking("a", 0), 50)).toEqual({
      ...{ limit: "epoch", level: "a", provider: "here", usedBytes: 200, askedBytes: 0, limitBytes: 200 },
      ...{ isNever: false, untilMs: 101 },
    });
    expect(storedLimit(keeper, asking("a", 0), 101)).toBeUndefined();
  });

  it("PO-57 of a level count the bytes of all levels below it", () => {
    const keeper = keep(storage("a", 20, 30), storage("a/x", 50, 100, { provider: "a" }));
    noteStored(keeper, "a/x/u", 100, 0);
    noteStored(keeper, "a/y", 50, 50);
    const window = { kind: "sliding", lengthMs: 100 } as const;
    expect(storedOf(keeper, { path: "a", window }, 100)).toEqual({ nowBytes: 150, meanBytes: 125 });
    expect(storedOf(keeper, { path: "a/x", window }, 100)).toEqual({ nowBytes: 100, meanBytes: 100 });
  });

  it("PO-57 limit nothing at a place without a store", () => {
    const keeper = keep(storage("a", 20, 30));
    expect(storedLimit(keeper, asking("a", 10 ** 12, 0), 0)).toBeUndefined();
  });
});
