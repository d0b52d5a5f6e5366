import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { type Scene, siteOf } from "../../../test/enforced-scene.ts";
import { enforcedScenes, NOW_MS } from "../../../test/plain/enforced-arbitrary.ts";
import { enforce } from "./enforce.ts";
import type { EnforcedJob, EnforcedSite } from "./enforced-site.ts";
import { levelsAt } from "./levels.ts";
import { addWaiting, createWaitingJobs, relevantJobs, removeWaiting } from "./waiting-jobs.ts";

const { numRuns: RUNS } = draws(300);

const isOther = ({ state }: EnforcedJob) => state === "queued" || state === "suspended";

/** The jobs that a pass gets where waiting jobs are filtered. */
function shownAt(site: EnforcedSite): readonly EnforcedJob[] | undefined {
  const { available, rules, jobs } = site;
  const levels = levelsAt(site.shares, site.capacity, jobs);
  const waiting = createWaitingJobs();
  // In another order, and with a job that has left again.
  const waiters = jobs.filter(({ state }) => state === "waiting").toReversed();
  for (const job of waiters) addWaiting(waiting, levels, job);
  for (const job of waiters.slice(0, 2)) removeWaiting(waiting, levels, job);
  for (const job of waiters.slice(0, 2)) addWaiting(waiting, levels, job);
  const running = jobs.filter(({ state }) => state === "running");
  const procsOf = (some: readonly EnforcedJob[]) => some.reduce((sum, { need }) => sum + need.cpu, 0);
  const shown = relevantJobs({
    ...{ levels, available, hasOthers: jobs.some(isOther), waiting, rules },
    usedProcs: procsOf(running),
    usedProcsOf: (path) => procsOf(running.filter(({ consumer }) => `${consumer}/`.startsWith(`${path}/`))),
  });
  return shown === undefined || shown.length === 0 ? shown : [...running, ...shown];
}

/** Mostly scenes in which the filter applies: no caps, nothing dedicated, no queued or suspended jobs. */
const plainScenes = fc
  .tuple(enforcedScenes, enforcedScenes, enforcedScenes, fc.boolean())
  .map(([scene, second, third, isShared]): Scene => {
    const more = [...(second.jobs ?? []), ...(third.jobs ?? [])];
    return {
      ...scene,
      policies: scene.policies.map((policy) => ({
        ...policy,
        resource: "cpu" as const,
        rule: "entitlement" as const,
        mode: policy.mode === "preempting" && !isShared ? policy.mode : ("shared" as const),
      })),
      jobs: [
        ...(scene.jobs ?? []).filter(({ state }) => state === "running"),
        ...more.map(({ begunAtMs: _, ...job }) => ({ ...job, state: "waiting" as const })),
      ],
      rules: { ...scene.rules, granted: ["hold", "suspend"] },
    };
  });

describe("the filter of waiting jobs", () => {
  it("skipping such an instant does not change the decisions of a pass", () => {
    let fewer = 0;
    let none = 0;
    fc.assert(
      fc.property(plainScenes, (scene) => {
        const site = siteOf(scene, NOW_MS);
        const whole = enforce(site, NOW_MS);
        const shown = shownAt(site);
        if (shown === undefined) return;
        if (shown.length === 0) none++;
        else if (shown.length < site.jobs.length) fewer++;
        const levels = levelsAt(site.shares, site.capacity, site.jobs);
        const seen =
          shown.length === 0
            ? { actions: [], wakeAtMs: null }
            : enforce({ ...site, jobs: shown }, NOW_MS, levels);
        expect(seen.actions).toEqual(whole.actions);
        expect(seen.wakeAtMs).toBe(whole.wakeAtMs);
      }),
      { numRuns: 3 * RUNS },
    );
    expect([fewer > RUNS / 10, none > RUNS / 20]).toEqual([true, true]);
  });

  it("does not apply where a pass could do more than release", () => {
    fc.assert(
      fc.property(enforcedScenes, (scene) => {
        const site = siteOf(scene, NOW_MS);
        const shown = shownAt(site);
        if (shown?.length !== 0) return;
        expect(enforce(site, NOW_MS)).toMatchObject({ actions: [], wakeAtMs: null });
      }),
      { numRuns: RUNS },
    );
  });
});
