import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slurmSpec } from "../../../test/conformance/slurm-harness.ts";
import {
  asUser,
  clusterUp,
  hasSlurm,
  howToInstallSlurm,
  type TestCluster,
} from "../../../test/slurm-clusters.ts";
import { SLURM_ENVIRONMENT } from "../../formats/slurm/index.ts";
import { jobOrders } from "./job-orders.ts";
import { openSlurmSite } from "./open-site.ts";
import { giveRank } from "./queue-orders.ts";
import type { RunCommand } from "./run-command.ts";
import { siteChecks } from "./site-checks.ts";

/** Timeouts for a shared cluster on a shared machine. */
const timeouts = { timeout: 200_000, interval: 500 };
const about = { retry: 2, timeout: 400_000 };

describe.skipIf(!hasSlurm)(`a real cluster as a user sees it${howToInstallSlurm}`, about, () => {
  let rich: TestCluster;
  let directory: string;
  const asked: string[] = [];
  const waiting: string[] = [];
  /** Runs every command as alice, an ordinary user. */
  const asThem =
    (user: "stint-alice" | "stint-operator"): RunCommand =>
    async ({ words, input }) => {
      asked.push(words.join(" "));
      const settings = Object.entries(SLURM_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
      // A script comes from standard input, which these commands have none of.
      const script = input === undefined ? [] : ["--wrap", "true"];
      const { code, out, err } = await asUser(user, ["env", ...settings, ...words, ...script], rich);
      return { code, stdout: Buffer.from(out), stderr: err, isTimedOut: false, notStarted: null };
    };
  const asAlice = asThem("stint-alice");
  const submit = async (user: "stint-alice" | "stint-bob", words: readonly string[]): Promise<void> => {
    const sbatch = ["sbatch", "--parsable", "--hold", "-o", "/dev/null", ...words, "--wrap", "true"];
    const { out } = await asUser(user, sbatch, rich);
    waiting.push(out.trim());
  };

  beforeAll(async () => {
    rich = await clusterUp("B");
    directory = mkdtempSync(join(tmpdir(), "stint-slurm-real-"));
    await submit("stint-alice", [
      "-A",
      "physics",
      "-p",
      "gpu",
      "--gres=gpu:1",
      "-n2",
      "-J",
      "a|b",
      "-t",
      "30",
    ]);
    await submit("stint-bob", ["-A", "biology", "-J", "secret"]);
  });
  afterAll(async () => {
    if (!hasSlurm) return;
    for (const job of waiting) await asUser("stint-operator", ["scancel", job], rich);
    rmSync(directory, { recursive: true, force: true });
  });

  it("SU-5 shows what she may see, and says what is hidden", async () => {
    const spec = { ...slurmSpec(rich, directory), readOnly: true };
    const clock = { nowMs: () => Date.now() };
    const site = await openSlurmSite({ name: "rich", spec, directory, clock, run: asAlice });
    const snapshot = await site.snapshot();
    expect(snapshot).toMatchObject({ system: "slurm", name: rich.slurmName });
    expect(snapshot.partitions.map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ["batch", true],
      ["gpu", false],
    ]);
    const own = snapshot.jobs.find(({ name }) => name === "a|b");
    expect(own).toMatchObject({ user: "stint-alice", account: "physics", state: "held", gpus: 1 });
    expect(own?.limitMs).toBe(1_800_000);
    expect(snapshot.jobs.some(({ name }) => name === "secret")).toBe(false);
    expect(snapshot.hidden.map(({ what }) => what)).toContain("jobs of others");
    expect(snapshot.qos.map(({ name }) => name)).toEqual(expect.arrayContaining(["short", "limited"]));
    const { jobs } = await site.survey();
    expect(jobs.every(({ token }) => token === null)).toBe(true);
    expect((await site.capacity()).procs).toBeGreaterThan(0);
    expect(asked.filter((line) => /^(sbatch|scancel|mkdir|dd|rm)/.test(line))).toEqual([]);
  });

  it("SU-5 tries out what she may, and changes nothing", async () => {
    asked.length = 0;
    const spec = { ...slurmSpec(rich, directory), readOnly: true };
    const checks = await siteChecks({ spec, run: asAlice, nowMs: () => performance.now() });
    const works = new Map(checks.map(({ what, works }) => [what, works]));
    for (const what of ["controller", "version", "partitions", "queue", "accounting", "priorities"]) {
      expect([what, works.get(what)]).toEqual([what, true]);
    }
    expect([works.get("jobs of others"), works.get("suspending")]).toEqual([false, false]);
    expect(
      asked.filter((line) => /^(sbatch|scancel|mkdir|dd|rm|scontrol (?!.*show|ping))/.test(line)),
    ).toEqual([]);
    const granted = { ...spec, readOnly: false, submitDirectory: "/tmp" };
    const trial = await siteChecks({ spec: granted, run: asAlice, nowMs: () => performance.now() });
    expect(trial.find(({ what }) => what === "submission")).toMatchObject({ works: true });
    const stranger = { ...granted, account: "biology" };
    const refused = await siteChecks({ spec: stranger, run: asAlice, nowMs: () => performance.now() });
    expect(refused.find(({ what }) => what === "submission")).toMatchObject({ works: false, isNeeded: true });
    const operator = asThem("stint-operator");
    const more = await siteChecks({ spec, run: operator, nowMs: () => performance.now() });
    expect(more.find(({ what }) => what === "suspending")).toMatchObject({ works: true });
  });

  it("she may put her job behind others, and not before them", async () => {
    const sbatch = ["sbatch", "--parsable", "--begin=now+1hour", "-A", "physics", "-o", "/dev/null"];
    const { out } = await asUser("stint-alice", [...sbatch, "--wrap", "true"], rich);
    const siteJob = out.trim();
    waiting.push(siteJob);
    const look = async () => {
      const job = await jobOrders(asAlice).look(siteJob);
      return { job, priority: job?.priority ?? 0, nice: job?.nice };
    };
    await expect.poll(async () => (await look()).priority, timeouts).toBeGreaterThan(10);
    const { job, priority } = await look();
    if (job === undefined) throw new Error("what must hold: the job is shown");
    await giveRank(asAlice, job, { priority: priority - 10, mayRaise: false });
    await expect.poll(async () => (await look()).nice, timeouts).toBe(10);
    const raised = giveRank(asAlice, job, { priority: priority + 1000, mayRaise: true });
    await expect(raised).rejects.toMatchObject({ kind: "notAllowed", code: "siteNotAllowed" });
    await giveRank(asThem("stint-operator"), job, { priority: priority + 1000, mayRaise: true });
    await expect.poll(async () => (await look()).priority, timeouts).toBe(priority + 1000);
  });

  it("tells what the accounting remembers of everybody", async () => {
    const words = ["sbatch", "--parsable", "-A", "physics", "-o", "/dev/null", "--wrap", "true"];
    const siteJob = (await asUser("stint-alice", words, rich)).out.trim();
    const spec = { ...slurmSpec(rich, directory), readOnly: true };
    const clock = { nowMs: () => Date.now() };
    const site = await openSlurmSite({ name: "rich", spec, directory, clock, run: asAlice });
    const told = async () => {
      const job = (await site.history(Date.now() - 3_600_000)).find((it) => it.siteJob === siteJob);
      return job?.endedAtMs === null ? undefined : job;
    };
    await expect.poll(told, timeouts).toMatchObject({ user: "stint-alice", account: "physics" });
    const job = await told();
    expect(job?.startedAtMs ?? 0).toBeGreaterThanOrEqual(job?.eligibleAtMs ?? 1);
  });
});
