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
import { openSlurmSite } from "./open-site.ts";
import type { RunCommand } from "./run-command.ts";

describe.skipIf(!hasSlurm)(`a real cluster as a user sees it${howToInstallSlurm}`, { retry: 2 }, () => {
  let rich: TestCluster;
  let directory: string;
  const asked: string[] = [];
  const waiting: string[] = [];
  /** Every command as alice, who has no rights but her own. */
  const asAlice: RunCommand = async ({ words }) => {
    asked.push(words.join(" "));
    const settings = Object.entries(SLURM_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
    const { code, out, err } = await asUser("stint-alice", ["env", ...settings, ...words], rich);
    return { code, stdout: Buffer.from(out), stderr: err, isTimedOut: false, notStarted: null };
  };
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

  it("SU-5 SU-6 shows what she may see, and says what is hidden", async () => {
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
});
