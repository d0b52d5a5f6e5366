/**
 * The accounting of a real Slurm as a workload, and its baseline.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  asUser,
  clusterUp,
  hasSlurm,
  howToInstallSlurm,
  runCommand,
  type TestCluster,
} from "./slurm-clusters.ts";
import { stint } from "./stint.ts";

// A cluster is some fifteen processes; on a machine that is busy besides, they take their time.
vi.setConfig({ testTimeout: 400_000 });
const patience = { timeout: 200_000, interval: 500 };
const JOBS = 20;

describe.skipIf(!hasSlurm)(`stint import accounting${howToInstallSlurm}`, { retry: 2 }, () => {
  it("FO-73 SI-61 the accounting of a real Slurm is imported, and its baseline is simulated", async () => {
    const cluster = await clusterUp("A");
    const folder = mkdtempSync(join(tmpdir(), "stint-import-"));
    try {
      const since = await nowAt(cluster);
      const name = `import-${process.pid}`;
      const ids = await submitJobs(cluster, name);
      const file = (ending: string) => join(folder, ending);
      await vi.waitFor(async () => {
        const states = await onCluster(cluster, ["sacct", "-X", "-n", "-P", "-o", "state", `--name=${name}`]);
        expect(states.match(/COMPLETED/g)).toHaveLength(JOBS);
      }, patience);
      writeFileSync(file("sacct.txt"), await recorded(cluster, since, ids));
      writeFileSync(file("site.txt"), await shown(cluster));
      const words = ["--since", since, "--site", "site.txt", "--zone", zoneHere(), "-o", "w.workload.jsonl"];
      const imported = stint(["import", "accounting", "sacct.txt", ...words], folder);
      expect(imported.err).toBe("");
      expect(imported.code).toBe(0);
      const lines = readFileSync(file("w.workload.jsonl"), "utf8");
      expect(lines.match(/"recordedStart"/g)?.length).toBe(JOBS);
      expect(lines).toMatch(/"user": "user-[0-9a-f]{10}", "group": "account-[0-9a-f]{10}"/);
      expect(lines).not.toContain("stint-alice");
      const asked = ["sim", "w.workload.jsonl", "--what-if", "discipline=conservative", "-o", "json"];
      const report = JSON.parse(stint(asked, folder).out);
      expect(report.baseline.jobs).toBe(JOBS);
      // Jobs of seconds: between are only what a scheduler takes to wake up, and jobs of other tests.
      expect(report.baseline.medianSec).toBeLessThan(600);
      expect(report.change.jobs).toBe(JOBS);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function zoneHere(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

async function onCluster({ environment }: TestCluster, command: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand(command, environment);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${err}`);
  return out;
}

/** As sacct takes it, on the clock of this machine, which is the cluster's too. */
async function nowAt(cluster: TestCluster): Promise<string> {
  return (await onCluster(cluster, ["date", "+%Y-%m-%dT%H:%M:%S"])).trim();
}

/** The ids of the jobs. */
async function submitJobs(cluster: TestCluster, name: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let job = 0; job < JOBS; job++) {
    const words = [
      "-J",
      name,
      "-t",
      "1",
      "-n",
      String(1 + (job % 4)),
      "--output=/dev/null",
      "--wrap=sleep 1",
    ];
    const { code, out, err } = await asUser("stint-alice", ["sbatch", "--parsable", ...words], cluster);
    if (code !== 0) throw new Error(`sbatch ended with ${code}: ${err}`);
    ids.push(out.trim());
  }
  return ids;
}

/** What the command prints that stint names, of our own jobs: other tests have theirs on the cluster. */
async function recorded(cluster: TestCluster, since: string, ids: readonly string[]): Promise<string> {
  const { out } = stint(["import", "accounting", "--print-command", "--since", since, "--until", "now"]);
  const [head, ...rows] = (await onCluster(cluster, ["sh", "-c", out])).split("\n");
  return `${[head, ...rows.filter((row) => ids.includes(row.split("|")[0]))].join("\n")}\n`;
}

async function shown(cluster: TestCluster): Promise<string> {
  const nodes = await onCluster(cluster, ["scontrol", "-a", "-o", "show", "node"]);
  return nodes + (await onCluster(cluster, ["scontrol", "-a", "-o", "show", "partition"]));
}
