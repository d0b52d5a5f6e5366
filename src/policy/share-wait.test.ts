import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { POLICY_DEFAULTS, type Policy } from "../model/index.ts";
import type { EnforcedJob } from "./enforce/enforced-site.ts";
import { shareTree } from "./share-tree.ts";
import { admittedAtMs, type SharedSite } from "./share-wait.ts";
import { changeUse, createUseHistory } from "./use-history.ts";

const HOUR = 3_600_000;

function policy(consumer: string, burstPercent: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ ...POLICY_DEFAULTS, provider: "far", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 0 },
    burst: { bucketMs: 60_000, sharePpm: burstPercent * 10_000 },
    ...more,
  };
}

/** A job of `cms` for an hour; running until an instant, or waiting. */
function job(order: number, procs: number, endMs: number | null, consumer = "cms/g/u"): EnforcedJob {
  return {
    ...{ id: `j${order}`, consumer, order, need: { cpu: procs, gpu: 0, memory: 0 } },
    ...{ state: endMs === null ? "waiting" : "running", begunAtMs: endMs === null ? null : 0 },
    ...{ plannedEndMs: endMs, estimateMs: HOUR, stops: 0, stoppedFor: [], nudged: null },
  };
}

function site(policies: readonly Policy[], jobs: readonly EnforcedJob[]): SharedSite {
  const capacity = { cpu: 20, gpu: 0, memory: 0 };
  return { capacity, jobs, shares: shareTree(policies, "far"), uses: new Map() };
}

const at = (world: SharedSite, consumer: string, procs = 1) => admittedAtMs(world, { consumer, procs }, 0);

describe("PO-58 when shares admit a request", () => {
  it("is now within the share, and never beyond it or without one", () => {
    const world = site([policy("cms", 50)], [job(1, 9, HOUR)]);
    expect([at(world, "cms"), at(world, "cms", 11), at(world, "alice")]).toEqual([0, null, null]);
  });

  it("waits for the ends of the jobs of the level, and for those that wait before it", () => {
    const running = [job(1, 6, HOUR), job(2, 4, 2 * HOUR)];
    const others = job(3, 10, 9 * HOUR, "alice/g/u");
    expect(at(site([policy("cms", 50), policy("alice", 50)], [...running, others]), "cms")).toBe(HOUR);
    expect(at(site([policy("cms", 50)], running), "cms", 7)).toBe(2 * HOUR);
    expect(at(site([policy("cms", 50)], [...running, job(4, 6, null)]), "cms")).toBe(2 * HOUR);
  });

  it("is that of the narrowest level of the path", () => {
    const world = site([policy("cms", 50), policy("cms/g", 20)], [job(1, 4, HOUR)]);
    expect([at(world, "cms"), at(world, "cms/g")]).toEqual([0, HOUR]);
  });

  it("waits until the window of a capped share has room", () => {
    const epoch = { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 250_000 } as const;
    const history = createUseHistory(HOUR);
    changeUse(history, -HOUR, 10);
    changeUse(history, 0, 0);
    const world = {
      ...site([policy("cms", 50, { epoch, rule: "cap" })], []),
      uses: new Map([["cpu", new Map([["cms", { all: history, counted: history }]])]]),
    } as SharedSite;
    // 10 processors for an hour were used, of 5 on average: half of them must have left the window.
    expect(at(world, "cms")).toBe(HOUR / 2 + 1);
  });

  it("agrees with a simulation hour by hour", () => {
    const amount = fc.record({
      procs: fc.integer({ min: 1, max: 12 }),
      hours: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 6 }), fc.array(amount, { maxLength: 6 }), (up, waiting) => {
        const running = up.map(({ procs, hours }, i) => job(i, procs, hours * HOUR));
        const queued = waiting.map(({ procs, hours }, i) => ({
          ...job(100 + i, procs, null),
          estimateMs: hours * HOUR,
        }));
        const world = site([policy("cms", 50)], [...running, ...queued]);
        expect(at(world, "cms")).toBe(plain(running, queued));
      }),
      draws(200),
    );
  });
});

/** Hour by hour: ends first, then starts in order, each within 10 processors; then the request for one. */
function plain(running: readonly EnforcedJob[], queued: readonly EnforcedJob[]): number {
  let there = running.map(({ need, plannedEndMs }) => ({ procs: need.cpu, endMs: plannedEndMs ?? 0 }));
  const line = [
    ...queued
      .filter(({ need }) => need.cpu <= 10)
      .map((it) => ({ procs: it.need.cpu, forMs: it.estimateMs })),
    { procs: 1, forMs: 0 },
  ];
  for (let nowMs = 0; ; nowMs += HOUR) {
    let isAny = true;
    while (isAny) {
      const sum = () => there.reduce((total, { procs }) => total + procs, 0);
      const overdue = there.filter(({ endMs }) => endMs <= nowMs);
      isAny = false;
      const [next] = line;
      if (sum() + next.procs > 10 && overdue.length > 0) {
        there = there.filter((one) => one !== overdue[0]);
        isAny = true;
      } else if (sum() + next.procs <= 10) {
        if (line.length === 1) return nowMs;
        there = [...there, { procs: next.procs, endMs: nowMs + next.forMs }];
        line.shift();
        isAny = true;
      }
    }
  }
}
