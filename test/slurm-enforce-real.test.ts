/** An enforcer's orders on a real cluster: what Slurm makes of them, and what is left by itself. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SurveyedJob } from "../src/engine/index.ts";
import { SLURM_ENVIRONMENT } from "../src/formats/slurm/index.ts";
import { ENFORCEMENT_DEFAULTS, ENFORCEMENT_STEPS, type EnforcementVerb } from "../src/model/index.ts";
import { openSlurmSite, type RunCommand, type SlurmSite } from "../src/sites/slurm/index.ts";
import { slurmSpec } from "./conformance/slurm-harness.ts";
import { asUser, clusterUp, hasSlurm, howToInstallSlurm, type TestCluster } from "./slurm-clusters.ts";

const LEASE_MS = 45_000;
/** Beyond the instant at which the user's own job may begin, which is beyond this test's end. */
const LONG_LEASE_MS = 600_000;
/** By how much the age of a job may be less, that was held before Slurm's scheduler had seen it. */
const LET_GO_SEC = 9;
const patience = { timeout: 200_000, interval: 500 };
vi.setConfig({ testTimeout: 400_000, hookTimeout: 120_000 });

describe.skipIf(!hasSlurm)(`an enforcer at a real cluster${howToInstallSlurm}`, { retry: 1 }, () => {
  let cluster: TestCluster;
  let directory: string;
  let asked: string[];
  let site: SlurmSite;

  /** Commands as somebody there. */
  const as =
    (user: "stint-bob" | "stint-operator"): RunCommand =>
    async ({ words }) => {
      asked.push(words.join(" "));
      const settings = Object.entries(SLURM_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
      const { code, out, err } = await asUser(user, ["env", ...settings, ...words], cluster);
      return { code, stdout: Buffer.from(out), stderr: err, isTimedOut: false, notStarted: null };
    };
  const open = (user: "stint-bob" | "stint-operator" = "stint-operator", granted = ENFORCEMENT_STEPS) => {
    const enforcement = { ...ENFORCEMENT_DEFAULTS, granted };
    const spec = { ...slurmSpec(cluster, "/tmp"), readOnly: true, submitDirectory: null, enforcement };
    const clock = { nowMs: () => Date.now() };
    return openSlurmSite({ name: "real", spec, directory, clock, run: as(user) });
  };
  const sbatch = async (...words: readonly string[]): Promise<string> => {
    const start = ["sbatch", "--parsable", "-A", "physics", "-o", "/dev/null", "-n1", "-t", "10"];
    const { out, err } = await asUser("stint-alice", [...start, ...words, "--wrap", "sleep 600"], cluster);
    expect(err).toBe("");
    return out.trim();
  };
  const give = (verb: EnforcementVerb, siteJobs: readonly string[], leaseMs = LEASE_MS) =>
    site.enforce({ verb, siteJobs, untilMs: Date.now() + leaseMs });
  const shown = async (ids: readonly string[]): Promise<readonly SurveyedJob[]> => {
    const { jobs } = await site.survey();
    return jobs.filter(({ siteJob }) => ids.includes(siteJob));
  };
  const isAhead = ({ state, eligibleAtMs }: SurveyedJob): boolean =>
    state === "waiting" && (eligibleAtMs ?? 0) > Date.now();
  /** What Slurm keeps of a job's age; null: nothing yet. */
  const ages = async (job: string) => {
    const { out } = await asUser(
      "stint-operator",
      ["env", "SLURM_TIME_FORMAT=%s", "scontrol", "-o", "show", "job", job],
      cluster,
    );
    const at = (key: string) => Number(new RegExp(`${key}Time=(\\d+)`).exec(out)?.[1] ?? Number.NaN);
    const [submittedSec, accrued, eligibleSec] = [at("Submit"), at("Accrue"), at("Eligible")];
    return { submittedSec, accruedSec: Number.isNaN(accrued) ? null : accrued, eligibleSec };
  };
  /** Slurm's scheduler has seen it, and it is not taken as new any more. */
  const aged = async (job: string): Promise<void> => {
    const isAged = async (): Promise<boolean> => {
      const { submittedSec, accruedSec } = await ages(job);
      return accruedSec !== null && Date.now() > (submittedSec + 3) * 1000;
    };
    await expect.poll(isAged, patience).toBe(true);
  };
  const states = async (ids: readonly string[]) => (await shown(ids)).map(({ state }) => state);

  beforeAll(async () => {
    cluster = await clusterUp("A");
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), "stint-enforce-"));
    asked = [];
    site = await open();
  });
  const empty = async (): Promise<void> => {
    await asUser("stint-operator", ["scancel", "-u", "stint-alice"], cluster);
    const left = async () =>
      (await asUser("stint-operator", ["squeue", "-h", "-u", "stint-alice"], cluster)).out;
    await expect.poll(left, patience).toBe("");
  };
  afterEach(async () => {
    await empty();
    rmSync(directory, { recursive: true, force: true });
  });
  afterAll(() => {
    if (hasSlurm) expect(asked.filter((line) => line.startsWith("scontrol hold"))).toEqual([]);
  });

  it("SU-25 200 jobs are held by a lease; when it is over, only what users hold or put off is", async () => {
    const wide = await sbatch("-n16", "--exclusive");
    // Before the others, which would otherwise take its processors while a node is still completing.
    await expect.poll(() => states([wide]), patience).toEqual(["running"]);
    const array = await sbatch("--array=1-190%50");
    const tasks = Array.from({ length: 190 }, (_, at) => `${array}_${at + 1}`);
    const single = await Promise.all(Array.from({ length: 8 }, () => sbatch()));
    const held = await sbatch("--hold");
    const later = await sbatch("--begin=now+1hour");
    const all = [...tasks, ...single, held, later];
    const [before] = await shown([later]);
    const { commands, refused } = await give("hold", all);
    expect([commands.length, refused]).toEqual([1, []]);
    await expect.poll(async () => (await shown(all)).filter(isAhead).length, patience).toBe(199);
    // Its reason is that of Slurm's last look at it, which is another a moment later.
    expect(await shown([later])).toEqual([{ ...before, reason: expect.any(String) }]);
    expect(await states([held])).toEqual(["held"]);
    await site.close();
    await asUser("stint-alice", ["scancel", wide], cluster);
    site = await open();
    const isFree = async () => {
      const jobs = await shown([...tasks, ...single]);
      return jobs.some(({ state }) => state === "running") && jobs.every((job) => !isAhead(job));
    };
    await expect.poll(isFree, { timeout: 200_000, interval: 1000 }).toBe(true);
    expect(await states([held])).toEqual(["held"]);
    expect(await shown([later])).toMatchObject([{ eligibleAtMs: before?.eligibleAtMs }]);
  });

  it("SU-25 a lease is renewed, and given back before its time with what its user wanted", async () => {
    const free = await sbatch();
    const soon = await sbatch("--begin=now+300");
    await asUser("stint-operator", ["scontrol", "update", `JobId=${free}`, "StartTime=now+600"], cluster);
    await aged(soon);
    const [, own] = await shown([free, soon]);
    await give("hold", [soon], LONG_LEASE_MS);
    const [first] = await shown([soon]);
    await give("hold", [soon], 2 * LONG_LEASE_MS);
    const [second] = await shown([soon]);
    const renewedMs = (second?.eligibleAtMs ?? 0) - (first?.eligibleAtMs ?? 0);
    expect(renewedMs).toBeGreaterThanOrEqual(LONG_LEASE_MS - 1000);
    await give("release", [soon, free]);
    const eligible = (await shown([free, soon])).map(({ eligibleAtMs }) => eligibleAtMs);
    expect(eligible).toContain(own?.eligibleAtMs);
    expect((await shown([free])).every(isAhead)).toBe(true);
  });

  it("SU-25 what is held in its first second keeps its age, as what is held later does", async () => {
    const wide = await sbatch("-n16", "--exclusive");
    await expect.poll(() => states([wide]), patience).toEqual(["running"]);
    const old = await sbatch();
    await aged(old);
    const fresh = await sbatch();
    const array = await sbatch("--array=1-3");
    const held = [old, fresh, `${array}_1`, `${array}_2`];
    expect((await give("hold", held)).refused).toEqual([]);
    expect((await shown([old, fresh])).every(isAhead)).toBe(true);
    // A moment later all of them are held for as long as was ordered.
    const isLong = ({ eligibleAtMs }: SurveyedJob) => (eligibleAtMs ?? 0) > Date.now() + LEASE_MS / 2;
    await expect.poll(async () => (await shown(held)).filter(isLong).length, patience).toBe(held.length);
    await give("release", held);
    for (const [job, mostSec] of [
      [old, 0],
      [fresh, LET_GO_SEC],
      [`${array}_1`, LET_GO_SEC],
    ] as const) {
      await aged(job);
      const { submittedSec, accruedSec, eligibleSec } = await ages(job);
      expect((accruedSec ?? Number.POSITIVE_INFINITY) - submittedSec, job).toBeLessThanOrEqual(mostSec);
      // Whatever holds a job but a nice value moves this, which is what the guide says.
      expect(eligibleSec, job).toBeGreaterThanOrEqual(submittedSec);
    }
  });

  it("what runs is suspended and resumed, and what is requeued waits again", async () => {
    const one = await sbatch();
    const array = await sbatch("--array=3-4");
    const stubborn = await sbatch("--no-requeue");
    const ids = [one, `${array}_3`, `${array}_4`];
    const all = [...ids, stubborn];
    await expect.poll(() => states(all), patience).toEqual(all.map(() => "running"));
    expect((await give("suspend", [...ids, "99999"])).refused).toEqual([]);
    expect(await states(ids)).toEqual(ids.map(() => "suspended"));
    expect((await give("resume", ids)).commands).toHaveLength(1);
    expect(await states(ids)).toEqual(ids.map(() => "running"));
    const requeued = await give("requeue", [one, stubborn]);
    expect(requeued.refused).toMatchObject([{ siteJob: stubborn, why: expect.stringContaining("disabled") }]);
    await expect.poll(() => states([one]), patience).toEqual(["waiting"]);
    const ended = await sbatch();
    await asUser("stint-alice", ["scancel", ended], cluster);
    expect(await give("requeue", [ended])).toEqual({ commands: [], refused: [] });
  });

  it("jobs are put before and behind others, and back", async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, () => sbatch("--begin=now+1hour")));
    const [, middle] = ids;
    const places = async () => {
      const { out } = await asUser("stint-operator", ["squeue", "-h", "-S", "-p", "-o", "%i %Q"], cluster);
      return out
        .split("\n")
        .flatMap((line) => (ids.includes(line.split(" ")[0] ?? "") ? [line.split(" ")[0]] : []));
    };
    await expect.poll(async () => (await places()).length, patience).toBe(3);
    expect((await give("raise", [middle])).refused).toEqual([]);
    await expect.poll(async () => (await places())[0], patience).toBe(middle);
    await give("release", [middle]);
    expect((await give("lower", [middle])).commands).toHaveLength(1);
    await expect.poll(async () => (await places())[2], patience).toBe(middle);
  });

  it("SU-26 without a right it is said which; without a grant nothing is tried", async () => {
    const job = await sbatch("--begin=now+1hour");
    await aged(job);
    const running = await sbatch();
    await expect.poll(() => states([running]), patience).toEqual(["running"]);
    site = await open("stint-bob");
    const orders = [
      ["hold", job, 7_200_000],
      ["raise", job, 0],
      ["suspend", running, 0],
      ["requeue", running, 0],
    ] as const;
    // One more waits, so that there is somebody to be raised before.
    await sbatch("--begin=now+1hour");
    for (const [verb, siteJob, leaseMs] of orders) {
      const given = give(verb, [siteJob], leaseMs);
      if (verb === "raise") await given.catch((error: unknown) => expect(error).toMatchObject(noRight));
      else await expect(given).rejects.toMatchObject(noRight);
    }
    site = await open("stint-operator", ["watch"]);
    asked = [];
    for (const [verb, siteJob] of orders) {
      await expect(give(verb, [siteJob])).rejects.toMatchObject({ code: "enforcementNotGranted" });
    }
    expect(asked).toEqual([]);
  });
});

const noRight = { kind: "notAllowed", code: "siteMayNotEnforce" };
