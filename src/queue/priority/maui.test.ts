import { describe, expect, it } from "vitest";
import type { MauiRules } from "../../model/index.ts";
import { fairShareDistance, jobValues, mauiPriority, mauiScheme } from "./maui.ts";
import type { OwnedJob, Owner } from "./scheme.ts";

const MINUTE_MS = 60_000;

const rules: MauiRules = {
  kind: "maui",
  weights: { credential: 1, fairShare: 1, service: 1, resource: 1 },
  parts: {
    credential: { user: 0, group: 0, queue: 0 },
    fairShare: { user: 0, group: 0, queue: 0 },
    service: { queueTime: 1, xFactor: 0 },
    resource: { procs: 0, wallTime: 0, procSeconds: 0 },
  },
  caps: {},
  intervalMs: 1000,
  depth: 2,
  decay: 0.5,
  users: {},
  groups: {},
  queues: {},
};
const nothing = { user: 0, group: 0, queue: 0 };

const owner = (user: string, queue = "1"): Owner => ({ user, group: "g", queue, partition: "1" });
const job = (own: Owner, more: Partial<OwnedJob> = {}): OwnedJob => ({
  handle: 0,
  need: [4],
  estimateMs: 30 * MINUTE_MS,
  arrivedAtMs: 0,
  owner: own,
  ...more,
});

describe("a priority in the manner of Maui", () => {
  it("gives the fair-share part of the documented example", () => {
    // User 45 % of 50 %; group 65 % without a target; queue 35 % of 25 %; and 25 % of a floor of 10 %.
    const fairShare = {
      user: fairShareDistance({ percent: 50, kind: "target" }, 45),
      group: fairShareDistance(undefined, 65),
      queue: fairShareDistance({ percent: 25, kind: "target" }, 35),
    };
    const parts = { ...rules.parts, fairShare: { user: 10, group: 20, queue: 30 } };
    const values = { ...jobValues(job(owner("a")), 0), credential: nothing, fairShare };
    const weighted = { ...rules, parts, weights: { ...rules.weights, fairShare: 100 } };
    expect(mauiPriority(values, weighted)).toBe(100 * (10 * 5 + 20 * 0 + 30 * -10));
    expect(fairShareDistance({ percent: 10, kind: "floor" }, 25)).toBe(0);
  });

  it.each([
    ["target", 5, -5],
    ["floor", 5, 0],
    ["ceiling", 0, -5],
  ] as const)("a %s counts %d below and %d above", (kind, below, above) => {
    expect(fairShareDistance({ percent: 20, kind }, 15)).toBe(below);
    expect(fairShareDistance({ percent: 20, kind }, 25)).toBe(above);
  });

  it("minutes in the queue, expansion factor and requested resources are weighted and summed", () => {
    const values = jobValues(job(owner("a")), 60 * MINUTE_MS);
    expect(values).toEqual({
      service: { queueTime: 60, xFactor: 3 },
      resource: { procs: 4, wallTime: 1800, procSeconds: 7200 },
    });
    const parts = {
      ...rules.parts,
      service: { queueTime: 2, xFactor: 10 },
      resource: { procs: 5, wallTime: 0, procSeconds: 0 },
    };
    const whole = { ...values, credential: nothing, fairShare: nothing };
    const weights = { ...rules.weights, resource: 3 };
    expect(mauiPriority(whole, { ...rules, parts, weights })).toBe(120 + 30 + 3 * 20);
  });

  it("a cap bounds its component on both sides, before the weight", () => {
    const values = { ...jobValues(job(owner("a")), 0), credential: nothing };
    const parts = { ...rules.parts, fairShare: { user: 1, group: 0, queue: 0 } };
    const capped = { ...rules, parts, caps: { fairShare: 30 }, weights: { ...rules.weights, fairShare: 2 } };
    expect(mauiPriority({ ...values, fairShare: { ...nothing, user: 90 } }, capped)).toBe(60);
    expect(mauiPriority({ ...values, fairShare: { ...nothing, user: -90 } }, capped)).toBe(-60);
  });

  it("use is a percentage of all delivered, by window; without targets users are equal", () => {
    const parts = {
      ...rules.parts,
      service: { queueTime: 0, xFactor: 0 },
      fairShare: { user: 1, group: 0, queue: 0 },
    };
    const scheme = mauiScheme({ ...rules, parts });
    const [a, b] = [owner("a"), owner("b")];
    for (const own of [a, b]) scheme.known(own);
    const orderAt = (nowMs: number) => scheme.order([job(a), job(b)], { nowMs, freeProcs: 0 });
    scheme.started(a, 3, 0);
    scheme.started(b, 1, 0);
    expect(orderAt(500)).toEqual([-25, 25]);
    scheme.ended(a, 3, 1000);
    // In the second window: a 3000 × 0.5, b 1000 × 0.5 + 1000.
    expect(orderAt(1999).map((number) => Math.abs(Math.round(number)))).toEqual([0, 0]);
    expect(orderAt(4000)).toEqual([50, -50]);
  });
});
