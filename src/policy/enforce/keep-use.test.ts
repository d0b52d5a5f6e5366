import { describe, expect, it } from "vitest";
import { policy, SITE } from "../../../test/enforced-scene.ts";
import { shareTree } from "../share-tree.ts";
import { amountAt, usedOver } from "../use-history.ts";
import { createUseKeeper, noteJob, settleUse, type UseKeeper, usesKept } from "./keep-use.ts";

const WINDOW = { kind: "sliding", lengthMs: 1_000 } as const;
const capacity = { cpu: 10, gpu: 0, memory: 100 };
const job = (consumer: string, cpu: number, memory = 0) => ({ consumer, need: { cpu, gpu: 0, memory } });

function keeperOf(carry: "forgive" | "repay", rule: "entitlement" | "cap" = "entitlement"): UseKeeper {
  const policies = ["a", "b"].map((consumer) => policy(consumer, 50, { carry, rule, windowMs: 1_000 }));
  return createUseKeeper(shareTree(policies, SITE), capacity);
}

const counted = (keeper: UseKeeper, path: string, nowMs: number) => {
  const use = usesKept(keeper).get("cpu")?.get(path);
  return use === undefined ? 0 : Number(usedOver(use.counted, WINDOW, nowMs));
};

describe("the uses of a site", () => {
  it("PO-2 include every level, also those without a policy", () => {
    const keeper = keeperOf("repay");
    noteJob(keeper, job("a/x/u", 4), null, "running");
    settleUse(keeper, 0);
    noteJob(keeper, job("a/x/u", 4), "running", null);
    settleUse(keeper, 300);
    for (const path of ["a", "a/x", "a/x/u"]) expect(counted(keeper, path, 500)).toBe(1_200);
  });

  it("PO-2 include the memory of suspended jobs, and nothing of waiting ones", () => {
    const keeper = keeperOf("repay");
    noteJob(keeper, job("a", 4, 7), null, "waiting");
    settleUse(keeper, 0);
    expect(usesKept(keeper).get("cpu")?.size).toBe(0);
    noteJob(keeper, job("a", 4, 7), "waiting", "running");
    settleUse(keeper, 1);
    noteJob(keeper, job("a", 4, 7), "running", "suspended");
    settleUse(keeper, 2);
    const at = (resource: "cpu" | "memory") => {
      const use = usesKept(keeper).get(resource)?.get("a");
      return use === undefined ? undefined : amountAt(use.all, 3);
    };
    expect([at("cpu"), at("memory")]).toEqual([0, 7]);
  });

  it("forgive over-use while no consumer is denied its share", () => {
    const keeper = keeperOf("forgive");
    noteJob(keeper, job("a", 8), null, "running");
    settleUse(keeper, 0);
    noteJob(keeper, job("b", 3), null, "waiting");
    settleUse(keeper, 100);
    noteJob(keeper, job("b", 3), "waiting", null);
    settleUse(keeper, 200);
    expect(counted(keeper, "a", 300)).toBe(500 + 800 + 500);
  });

  it.each(["repay", "cap"] as const)("count all over-use under %s", (word) => {
    const keeper = word === "cap" ? keeperOf("forgive", "cap") : keeperOf("repay");
    noteJob(keeper, job("a", 8), null, "running");
    settleUse(keeper, 0);
    expect(counted(keeper, "a", 100)).toBe(800);
  });

  it("stay under new policies, and forgiven use stays forgiven", () => {
    const before = keeperOf("forgive");
    noteJob(before, job("a", 8), null, "running");
    settleUse(before, 0);
    const policies = ["a", "b"].map((consumer) =>
      policy(consumer, 20, { carry: "forgive", windowMs: 1_000 }),
    );
    const after = createUseKeeper(shareTree(policies, SITE), capacity, before);
    settleUse(after, 100);
    expect(counted(after, "a", 200)).toBe(500 + 200);
    const repaid = policies.map((it) => ({ ...it, carry: "repay" as const }));
    expect(counted(createUseKeeper(shareTree(repaid, SITE), capacity, after), "a", 200)).toBe(1_600);
  });
});
