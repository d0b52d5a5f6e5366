import { describe, expect, it } from "vitest";
import type { SlurmRules } from "../../model/index.ts";
import type { OwnedJob, Owner } from "./scheme.ts";
import { ageFactor, sizeFactor, slurmPriority, slurmScheme } from "./slurm.ts";

const rules: SlurmRules = {
  kind: "slurm",
  weights: { age: 0, fairShare: 1000, jobSize: 0, partition: 0, qos: 0 },
  maxAgeMs: 1000,
  halfLifeMs: 1000,
  calcPeriodMs: 100,
  fairShare: "fairTree",
  favour: "large",
  accounts: {},
  users: {},
  queues: {},
  partitions: {},
};

const owner = (user: string, group = "g"): Owner => ({ user, group, queue: "1", partition: "1" });
const job = (own: Owner, more: Partial<OwnedJob> = {}): OwnedJob => ({
  handle: 0,
  need: [1],
  estimateMs: 10,
  arrivedAtMs: 0,
  owner: own,
  ...more,
});

describe("a priority in the manner of Slurm", () => {
  it("is the weighted sum of the factors less nice, a whole number of at least 1", () => {
    const factors = { age: 0.5, fairShare: 0.59534, jobSize: 0.25, partition: 1, qos: 0.1 };
    const weights = { age: 100, fairShare: 1000, jobSize: 40, partition: 7, qos: 20 };
    expect(slurmPriority(factors, { ...rules, weights }, 0)).toBe(50 + 595 + 10 + 7 + 2);
    expect(slurmPriority(factors, { ...rules, weights }, 100)).toBe(564);
    expect(slurmPriority(factors, { ...rules, weights }, 10_000)).toBe(1);
  });

  it("age counts up to its maximum; the whole machine, or one processor, has the full size factor", () => {
    expect([0, 250, 1000, 5000].map((waited) => ageFactor(waited, rules))).toEqual([0, 0.25, 1, 1]);
    const sizes = (favour: "large" | "small") =>
      [1, 5, 10].map((procs) => sizeFactor({ need: [procs] }, { favour }, 10));
    expect(sizes("large")).toEqual([0.1, 0.5, 1]);
    expect(sizes("small")).toEqual([1, 0.6, 0.1]);
  });

  it("queue and partition count relative to the highest of their kind", () => {
    const weights = { ...rules.weights, fairShare: 0, partition: 100, qos: 10 };
    const scheme = slurmScheme({ ...rules, weights, queues: { 1: 5, 2: 10 }, partitions: { 1: 3 } }, 10);
    const own = owner("a");
    scheme.known(own);
    const waiting = [job(own), job({ ...own, queue: "2" }), job({ ...own, partition: "9" })];
    expect(scheme.order(waiting, { nowMs: 0, freeProcs: 0 })).toEqual([105, 110, 5]);
  });

  it("use counts from the next multiple of the period", () => {
    const scheme = slurmScheme(rules, 10);
    const [a, b] = [owner("a"), owner("b")];
    for (const own of [a, b]) scheme.known(own);
    const orderAt = (nowMs: number) => scheme.order([job(a), job(b)], { nowMs, freeProcs: 0 });
    expect(orderAt(0)).toEqual([1000, 1000]);
    scheme.started(a, 4, 10);
    scheme.ended(a, 4, 60);
    expect(orderAt(99)).toEqual([1000, 1000]);
    expect(orderAt(100)).toEqual([500, 1000]);
    scheme.started(b, 10, 110);
    expect(orderAt(199)).toEqual([500, 1000]);
    expect(orderAt(250)).toEqual([1000, 500]);
  });

  it("the classic formula, and accounts with shares below another", () => {
    const accounts = { x: { shares: 3 }, y: { shares: 1, parent: "z" }, z: { shares: 1 } };
    const scheme = slurmScheme({ ...rules, accounts, fairShare: "classic", halfLifeMs: null }, 10);
    const [a, b] = [owner("a", "x"), owner("b", "y")];
    for (const own of [a, b]) scheme.known(own);
    scheme.started(a, 3, 0);
    scheme.started(b, 1, 0);
    expect(scheme.order([job(a), job(b)], { nowMs: 100, freeProcs: 6 })).toEqual([500, 500]);
  });

  it("PF-9 a user who has not submitted yet takes no share", () => {
    const scheme = slurmScheme({ ...rules, fairShare: "classic", halfLifeMs: null }, 10);
    const a = owner("a");
    scheme.known(a);
    scheme.started(a, 1, 0);
    expect(scheme.order([job(a)], { nowMs: 100, freeProcs: 9 })).toEqual([500]);
    scheme.known(owner("b"));
    expect(scheme.order([job(a)], { nowMs: 100, freeProcs: 9 })).toEqual([250]);
  });
});
