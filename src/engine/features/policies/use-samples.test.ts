import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../../test/engine-scene.ts";
import { JOB_DEFAULTS, POLICY_DEFAULTS, type Policy, type SiteSpec } from "../../../model/index.ts";
import type { SampledPart } from "../../../policy/index.ts";
import {
  historyOfSite,
  type LevelUsage,
  MOST_SAMPLED,
  type SiteUsage,
  usageAt,
  useSample,
} from "../../index.ts";

const HERE: SiteSpec = {
  ...{ type: "managed", procs: 8, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
};

function submit(play: Scene, job: string, consumer: string, procs: number): void {
  const description = { ...JOB_DEFAULTS, executable: "true", procs, wallTimeMs: HOUR };
  play.ask({ kind: "submit", job, description, consumer, owner: consumer });
  for (const started of play.settle()) play.running(started);
}

function published(play: Scene): SiteUsage {
  const site = play.projection.sites.get("here");
  if (site === undefined) throw new Error("the site is there");
  return usageAt(play.projection, site, play.now);
}

const policy = (consumer: string): Policy => ({
  ...POLICY_DEFAULTS,
  ...{ provider: "here", consumer },
  epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 500_000 },
});

describe("what a site publishes", () => {
  it("EN-83 without policies: free capacity, running jobs and waiting jobs", () => {
    const play = scene({});
    play.ask({ kind: "addSite", site: "here", spec: HERE });
    submit(play, "a", "cms/ann", 5);
    submit(play, "b", "cms/ann", 5);
    const { levels, ...same } = published(play);
    expect(levels).toEqual([]);
    expect(same).toMatchObject({
      ...{ capacity: { cpu: 8, gpu: 0, memory: 2 ** 30 }, free: { cpu: 3, gpu: 0, memory: 2 ** 30 } },
      ...{ jobsRunning: 1, jobsWaiting: 1 },
    });
  });

  it("EN-83 with policies: also the use, demand and jobs of each level", () => {
    const play = scene({});
    play.ask({ kind: "addSite", site: "here", spec: HERE });
    play.ask({
      ...{ kind: "applyPolicies", policies: [policy("cms"), policy("atlas")] },
      ...{ effectiveFromMs: null, onVersion: null, by: "root", note: "" },
    });
    submit(play, "a", "cms/ann", 5);
    submit(play, "b", "cms/ann", 4);
    submit(play, "c", "cms/bob", 6);
    const { levels, jobsRunning, jobsWaiting, free } = published(play);
    expect({ jobsRunning, jobsWaiting, free: free.cpu }).toEqual({ jobsRunning: 1, jobsWaiting: 2, free: 3 });
    const rows = levels.map((level) => [
      level.consumer,
      level.inUse,
      level.waiting,
      level.jobsRunning,
      level.jobsWaiting,
    ]);
    expect(rows.sort()).toEqual([
      ["atlas", 0, 0, 0, 0],
      ["cms", 5, 10, 1, 2],
    ]);
  });
});

const level = (consumer: string, more: Partial<LevelUsage> = {}): LevelUsage => ({
  ...{ resource: "cpu", consumer, inUse: 1, waiting: 2, jobsRunning: 1, jobsWaiting: 1, usedPpm: 5 },
  ...{ epochPpm: 200_000, burstPpm: 600_000, rule: "entitlement", mode: "shared" },
  window: { kind: "sliding", lengthMs: HOUR },
  ...more,
});
const usage: SiteUsage = {
  ...{
    site: "here",
    atMs: 0,
    capacity: { cpu: 8, gpu: 0, memory: 64 },
    free: { cpu: 6, gpu: 0, memory: 60 },
  },
  ...{ jobsRunning: 2, jobsWaiting: 3, levels: [level("cms/top", { usedPpm: 7 }), level("atlas")] },
};

describe("a sample", () => {
  it("EN-83 holds what was published, and its history gives the same", () => {
    const { values, standing } = useSample(usage);
    const part = (value: number): SampledPart => ({ mean: value, min: value, max: value });
    const history = historyOfSite({
      covered: [1],
      values: values.map(([name, value]) => ({ name, parts: [part(value)] })),
      standing: standing.map(([name, value]) => ({ name, parts: [value] })),
    });
    expect(history).toMatchObject({ jobsRunning: [part(2)], jobsWaiting: [part(3)] });
    expect(history.resources.map(({ resource, capacity }) => [resource, capacity])).toEqual([
      ["cpu", [8]],
      ["gpu", [0]],
      ["memory", [64]],
    ]);
    expect(history.resources[0]).toMatchObject({ inUse: [part(2)], free: [part(6)] });
    expect(history.levels.map(({ consumer }) => consumer)).toEqual(["atlas", "cms/top"]);
    expect(history.levels[1]).toEqual({
      ...{ resource: "cpu", consumer: "cms/top", epochPpm: [200_000], burstPpm: [600_000] },
      ...{ inUse: [part(1)], waiting: [part(2)], usedPpm: [part(7)] },
      ...{ jobsRunning: [part(1)], jobsWaiting: [part(1)] },
    });
  });

  it("EN-83 a level not named used nothing; gaps and times without a policy are unknown", () => {
    const history = historyOfSite({
      covered: [1, 0, 1],
      values: [
        { name: "cpu cms inUse", parts: [{ mean: 1, min: 1, max: 1 }, null, { mean: 2, min: 2, max: 2 }] },
      ],
      standing: [{ name: "cpu cms epochPpm", parts: [null, 100, 100] }],
    });
    const [cms] = history.levels;
    expect(cms?.inUse).toEqual([null, null, { mean: 2, min: 2, max: 2 }]);
    expect(cms?.waiting).toEqual([null, null, { mean: 0, min: 0, max: 0 }]);
    expect(history.jobsRunning).toEqual([{ mean: 0, min: 0, max: 0 }, null, { mean: 0, min: 0, max: 0 }]);
  });

  it("EN-83 with too many levels it keeps the busiest, and says how many it left out", () => {
    const levels = Array.from({ length: MOST_SAMPLED + 5 }, (_, i) => level(`vo${i}`, { usedPpm: i }));
    const { values, standing } = useSample({ ...usage, levels });
    expect(values.find(([name]) => name === "levels  leftOut")?.[1]).toBe(5);
    const named = standing.filter(([name]) => name.endsWith("epochPpm")).map(([name]) => name);
    expect(named).toHaveLength(MOST_SAMPLED);
    expect(named).not.toContain("cpu vo4 epochPpm");
    expect(named).toContain("cpu vo5 epochPpm");
  });
});
