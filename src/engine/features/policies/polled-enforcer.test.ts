import { describe, expect, it } from "vitest";
import { HOUR, scene } from "../../../../test/engine-scene.ts";
import { PolledCluster } from "../../../../test/polled-cluster.ts";
import { ENFORCEMENT_DEFAULTS, type EnforcementRules, type Policy } from "../../../model/index.ts";
import { noteTrouble } from "../../index.ts";
import { obstaclesAt } from "./obstacles.ts";

const SECOND = 1000;
const LEASE_MS = 300 * SECOND;

function policy(consumer: string, percent: number, burstPercent: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "cpu", provider: "far", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 5 * SECOND, sharePpm: burstPercent * 10_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
    ...more,
  };
}

function clusterOf(
  procs: number,
  policies: readonly Policy[],
  rules: Partial<EnforcementRules> = {},
): PolledCluster {
  const play = scene({});
  play.now = HOUR;
  play.foreign("far", procs);
  const site = play.projection.sites.get("far");
  if (site === undefined) throw new Error("it was just added");
  const enforcement = { ...ENFORCEMENT_DEFAULTS, granted: ["hold"] as const, leaseMs: LEASE_MS, ...rules };
  play.ask({ kind: "changeSite", site: "far", spec: { ...site.spec, enforcement } });
  play.ask({
    kind: "applyPolicies",
    ...{ policies, effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
  });
  return new PolledCluster({ play, site: "far", procs, lookEverySeconds: 5, leaseMs: LEASE_MS });
}

/** What keeps the enforcer of the site of a cluster from acting. */
function obstaclesOf({ play }: PolledCluster) {
  const site = play.projection.sites.get("far");
  if (site === undefined) throw new Error("it is still there");
  return obstaclesAt(play.projection, site, play.now);
}

const mean = (values: Iterable<number>, of: number): number => [...values].reduce((a, b) => a + b, 0) / of;

describe("the enforcer of a cluster that is seen now and then", () => {
  it("keeps bursts, and orders no more than to hold a job once and to let it go once", () => {
    const cluster = clusterOf(16, [policy("a", 25, 25), policy("b", 25, 25)]);
    // The first look comes before the jobs do.
    cluster.pass(1);
    cluster.submit("a", 40, 40 * SECOND);
    cluster.submit("b", 40, 40 * SECOND);
    // What starts before the first look that shows it is past every polled enforcer.
    cluster.pass(50);
    const before = cluster.secondsOver("a", 4);
    cluster.pass(150);
    expect(["a", "b"].map((account) => cluster.running(account))).toEqual([4, 4]);
    cluster.pass(400);
    expect(cluster.secondsOver("a", 4)).toBe(before);
    expect(cluster.secondsOver("b", 4)).toBe(0);
    expect(Math.max(...cluster.orders.values())).toBe(2);
  });

  it("suspends at once what has started beyond a burst, and resumes it within it", () => {
    const cluster = clusterOf(10, [policy("a", 50, 50)], { granted: ["hold", "suspend"] });
    cluster.pass(1);
    cluster.submit("a", 8, 40 * SECOND);
    cluster.pass(7);
    expect(cluster.running("a")).toBe(5);
    cluster.pass(100);
    expect(cluster.most.get("a")).toBe(8);
    expect(cluster.running("a")).toBe(0);
    expect([...cluster.orders.values()]).toEqual([2, 2, 2]);
    expect(cluster.secondsOver("a", 5)).toBeLessThanOrEqual(6);
  });

  it("holds nobody again for jobs that start past it as long as no limit is concerned", () => {
    const cluster = clusterOf(16, [policy("a", 50, 100), policy("b", 50, 100)]);
    cluster.pass(1);
    for (let i = 0; i < 120; i++) {
      cluster.submit(i % 3 === 0 ? "b" : "a", 2, (30 + (i % 5) * 5) * SECOND);
      cluster.pass(5);
    }
    cluster.pass(200);
    expect(mean(cluster.orders.values(), 240)).toBeLessThanOrEqual(2);
    expect(Math.max(...cluster.orders.values())).toBeLessThanOrEqual(2);
  });
});

describe("the budget of an enforcer", () => {
  it("is spent on what would pass a limit before it is spent on turns", () => {
    const cluster = clusterOf(16, [policy("a", 30, 100), policy("b", 30, 25), policy("c", 40, 100)], {
      actionsPerHour: 12,
    });
    cluster.submit("a", 4, 600 * SECOND);
    cluster.submit("c", 12, 600 * SECOND);
    cluster.pass(1);
    cluster.submit("a", 10, 60 * SECOND);
    cluster.submit("b", 10, 60 * SECOND);
    cluster.pass(60);
    expect([...cluster.orders.keys()]).toEqual(["31", "32", "33", "34", "35", "36"]);
    expect(obstaclesOf(cluster)).toEqual([]);
  });

  it("is told to be used up, with the instant at which it is not any more", () => {
    const cluster = clusterOf(16, [policy("a", 25, 25)], { actionsPerHour: 5 });
    cluster.pass(1);
    const beganMs = cluster.play.now;
    cluster.submit("a", 40, 60 * SECOND);
    cluster.pass(20);
    expect(cluster.orders.size).toBe(5);
    const [obstacle, ...others] = obstaclesOf(cluster);
    expect(others).toEqual([]);
    expect(obstacle).toEqual({ kind: "budget", actionsPerHour: 5, untilMs: beganMs + HOUR + 4 * SECOND });
  });

  it("a right that the site refuses, and a site that is away, are told as well", () => {
    const cluster = clusterOf(16, [policy("a", 25, 25)]);
    const { play } = cluster;
    cluster.submit("a", 20, 60 * SECOND);
    cluster.pass(1);
    const jobs = [...play.log].flatMap((event) =>
      event.kind === "enforced" ? event.actions.map(({ job }) => job) : [],
    );
    const refused = jobs.map((job) => ({ job, why: "Access denied", about: "right" as const }));
    play.tell({ kind: "enforcementAnswered", site: "far", verb: "hold", jobs, commands: [], refused });
    noteTrouble(play.projection, "far", "no answer");
    const kinds = obstaclesOf(cluster).map((obstacle) => obstacle.kind);
    expect(kinds).toEqual(["siteAway", "noRight"]);
  });
});
