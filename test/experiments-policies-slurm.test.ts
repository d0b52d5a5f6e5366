/** The policies on real clusters, in the parts that need none: what is played, read, measured, told. */
import { describe, expect, it } from "vitest";
import type { PlayedJob } from "../experiments/policies/play-sites.ts";
import { violationsOf } from "../experiments/policies/play-sites.ts";
import { playedJob } from "../experiments/policies-slurm/play.ts";
import { policiesSlurmReport } from "../experiments/policies-slurm/run-policies-slurm.ts";
import { valuesOf, verdictsOf } from "../experiments/policies-slurm/verdicts.ts";
import { WAYS } from "../experiments/policies-slurm/ways.ts";
import { drawPlay, PLAY_MS, PROCS, playPolicies } from "../experiments/policies-slurm/workload.ts";

const BEGINS_AT_MS = 1_800_000_000_000;
const at = (seconds: number): string => String(BEGINS_AT_MS / 1000 + seconds);
const [job] = drawPlay(1);
const facts = { beginsAtMs: BEGINS_AT_MS, stops: [] };

describe("a play", () => {
  it("is the same for its seed, ends in its time, and counts whole seconds", () => {
    const jobs = drawPlay(2005);
    expect(drawPlay(2005)).toEqual(jobs);
    expect(jobs).toHaveLength(220);
    for (const { submitMs, runtimeMs } of jobs) {
      expect(submitMs).toBeLessThan(PLAY_MS);
      expect(runtimeMs % 1000).toBe(0);
    }
  });

  it("has the source's policies, all times divided alike", () => {
    const [small, large] = playPolicies("site", "cap");
    expect(small).toMatchObject({ epoch: { window: { lengthMs: 400_000 }, sharePpm: 200_000 } });
    expect(small.burst).toEqual({ bucketMs: 4000, sharePpm: 600_000 });
    expect(large.burst).toEqual({ bucketMs: 4000, sharePpm: 900_000 });
  });
});

describe("a row of the accounting", () => {
  it("is a run from its start to its end, less what it was suspended for", () => {
    const stops = [
      { fromMs: 20_000, toMs: 21_000 },
      { fromMs: 21_000, toMs: 22_000 },
    ];
    const played = playedJob(job, [at(1), at(10), at(40)], { ...facts, stops });
    expect(played.job.submitMs).toBe(1000);
    expect(played.runs).toEqual([
      { fromMs: 10_000, toMs: 20_000 },
      { fromMs: 22_000, toMs: 40_000 },
    ]);
    expect(played.endMs).toBe(40_000);
  });

  it("of one that has not ended, or ends after the play, has an open run", () => {
    expect(playedJob(job, [at(1), at(10), "Unknown"], facts).runs).toEqual([{ fromMs: 10_000, toMs: null }]);
    expect(playedJob(job, [at(1), at(10), at(9999)], facts)).toMatchObject({ endMs: null });
  });

  it("of one that never started, or that the accounting has not, is no run", () => {
    expect(playedJob(job, [at(1), "Unknown", "Unknown"], facts).runs).toEqual([]);
    expect(playedJob(job, [], facts)).toMatchObject({ runs: [], endMs: null, job: { id: job.id } });
  });
});

describe("what came of it", () => {
  const run = (id: string, toMs: number): PlayedJob => ({
    job: { ...job, id, consumer: "vo0", submitMs: 0 },
    runs: [{ fromMs: 0, toMs }],
    endMs: toMs,
  });
  /** So many jobs of VO0 for the whole time: 4 are its epoch share, 12 its burst. */
  const played = (jobs: number) => ({
    jobs: Array.from({ length: jobs }, (_, id) => run(String(id), PLAY_MS - 1)),
    procs: PROCS,
    untilMs: PLAY_MS,
  });
  const plays = [1, 2].flatMap((seed) =>
    [2, 13, 20].map((jobs, place) => {
      const site = played(jobs);
      const violations = violationsOf(site, playPolicies("site", "cap"));
      return { way: WAYS[place], seed, site, violations };
    }),
  );

  it("is measured against the policies", () => {
    expect(valuesOf(plays, "S-PEP", "epoch")).toEqual([0, 0]);
    expect(valuesOf(plays, "S-PEP", "burst")).toEqual([0, 0]);
    const [own] = valuesOf(plays, "Slurm's own shares", "burst");
    expect(own).toBeCloseTo(1 / PROCS, 2);
  });

  it("is a verdict a claim, and a report", () => {
    const verdicts = verdictsOf(plays);
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(["reproduced", "reproduced", "not reproduced"]);
    const { html } = policiesSlurmReport({
      plays,
      told: ["fairshare=200"],
      slurmVersion: "slurm 1",
      load: 1,
    });
    expect(html).toContain("fairshare=200");
    expect(html.match(/<svg/g)?.length).toBeGreaterThanOrEqual(plays.length);
  });
});
