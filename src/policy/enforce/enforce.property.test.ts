import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { carriedOut, siteOf } from "../../../test/enforced-scene.ts";
import { enforcedScenes, NOW_MS } from "../../../test/plain/enforced-arbitrary.ts";
import { mulDiv } from "../../base/index.ts";
import { WHOLE_SHARE } from "../../model/index.ts";
import { levelsOf } from "../share-tree.ts";
import { enforce } from "./enforce.ts";
import { type EnforcedSite, SITE_RESOURCES } from "./enforced-site.ts";

const { numRuns: RUNS } = draws(300);

function inUse({ jobs }: EnforcedSite, path: string, resource: (typeof SITE_RESOURCES)[number]): number {
  let sum = 0;
  for (const { consumer, need, state } of jobs) {
    if (consumer !== path && !consumer.startsWith(`${path}/`)) continue;
    if (state === "running" || state === "queued" || (state === "suspended" && resource === "memory")) {
      sum += need[resource];
    }
  }
  return sum;
}

describe("at any site", () => {
  it("PO-16 a second pass asks for nothing", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf(scene, NOW_MS);
        const first = enforce(site, NOW_MS);
        fc.pre(!first.isWatchOnly);
        expect(enforce(carriedOut(site, first, NOW_MS), NOW_MS).actions).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("a pass depends neither on the order of its input nor on earlier passes", () => {
    fc.assert(
      fc.property(enforcedScenes, fc.infiniteStream(fc.boolean()), (scene, isLeft) => {
        const site = siteOf(scene, NOW_MS);
        const told = enforce(site, NOW_MS);
        const fewer = { ...site, jobs: site.jobs.filter(() => isLeft.next().value) };
        const fresh = { ...fewer, shares: { ...site.shares } };
        expect(enforce(fewer, NOW_MS)).toEqual(enforce(fresh, NOW_MS));
        expect(enforce({ ...site, jobs: [...site.jobs].reverse() }, NOW_MS)).toEqual(told);
      }),
      { numRuns: RUNS },
    );
  });

  it("PO-9 no job is released over a burst or beyond the available capacity", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf(
          { ...scene, rules: { ...scene.rules, granted: ["hold", "suspend", "requeue"] } },
          NOW_MS,
        );
        const decision = enforce(site, NOW_MS);
        const after = carriedOut(site, decision, NOW_MS);
        for (const { verb, job: id } of decision.actions) {
          if (verb !== "release" && verb !== "resume") continue;
          const job = site.jobs.find((it) => it.id === id);
          expect(job).toBeDefined();
          for (const resource of SITE_RESOURCES) {
            if (job === undefined || job.need[resource] === 0) continue;
            if (resource === "memory" && verb === "resume") continue;
            const all = after.jobs.reduce(
              (sum, it) => sum + (isThere(it.state, resource) ? it.need[resource] : 0),
              0,
            );
            expect(all).toBeLessThanOrEqual(site.available[resource]);
            for (const { path, burstShare } of levelsOf(site.shares, resource, job.consumer)) {
              const burst = mulDiv(burstShare, site.capacity[resource], WHOLE_SHARE, "down");
              expect(inUse(after, path, resource)).toBeLessThanOrEqual(burst);
            }
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("PO-11 no job is stopped too early or too often, or twice for each other", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf(scene, NOW_MS);
        const jobs = new Map(site.jobs.map((job) => [job.id, job]));
        for (const { verb, job, cause } of enforce(site, NOW_MS).actions) {
          if (verb !== "suspend" && verb !== "requeue") continue;
          const victim = jobs.get(job);
          expect(victim?.state).toBe("running");
          // A burst holds at every instant.
          if (cause.kind !== "burst")
            expect(NOW_MS - (victim?.begunAtMs ?? NOW_MS)).toBeGreaterThanOrEqual(site.rules.minRunMs);
          // For a limit a job is suspended without a bound on the number.
          if (cause.kind === "roomFor" || verb === "requeue")
            expect(victim?.stops).toBeLessThan(site.rules.maxSuspensions);
          if (cause.kind === "roomFor") expect(jobs.get(cause.job)?.stoppedFor).not.toContain(job);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("PO-15 every action is granted and within the budgets", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf(scene, NOW_MS);
        const decision = enforce(site, NOW_MS);
        fc.pre(!decision.isWatchOnly);
        const { granted, suspendedPpm } = site.rules;
        const needs = {
          release: "hold",
          hold: "hold",
          raise: "priority",
          lower: "priority",
          requeue: "requeue",
          suspend: "suspend",
        } as const;
        for (const { verb } of decision.actions) {
          if (verb !== "resume") expect(granted).toContain(needs[verb]);
        }
        const counted = decision.actions.filter(({ verb }) => !["release", "resume", "raise"].includes(verb));
        expect(counted.length).toBeLessThanOrEqual(site.actionsLeft);
        if (!counted.some(({ verb }) => verb === "suspend")) return;
        const after = carriedOut(site, decision, NOW_MS);
        const suspended = after.jobs.reduce(
          (sum, { state, need }) => sum + (state === "suspended" ? need.cpu : 0),
          0,
        );
        if (suspendedPpm < 1_000_000)
          expect(suspended * 1_000_000).toBeLessThanOrEqual(suspendedPpm * site.capacity.cpu);
      }),
      { numRuns: RUNS },
    );
  });
});

function isThere(state: string, resource: string): boolean {
  return state === "running" || state === "queued" || (state === "suspended" && resource === "memory");
}
