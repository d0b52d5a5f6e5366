/**
 * Memory that nobody asked for, at a cluster where memory is handed out: what the schedule says beside what
 * `sbatch --test-only` says, Slurm's own answer to when a job would start.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { jobAtCluster, scheduleAtCluster, unfitAtCluster } from "../src/engine/index.ts";
import { takeSnapshot } from "../src/sites/slurm/snapshot.ts";
import {
  asUser,
  clusterUp,
  hasSlurm,
  howToInstallSlurm,
  runCommand,
  type TestCluster,
} from "./slurm-clusters.ts";

const MINUTE_MS = 60_000;
const MIB = 2 ** 20;
const HELD_MINUTES = 30;

/** Makes the cluster's own rules of memory these lines, and none else. */
async function ruled({ environment }: TestCluster, lines: readonly string[]): Promise<void> {
  const file = environment.SLURM_CONF;
  const others = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !/^(Def|Max)MemPer/.test(line));
  const at = others.findIndex((line) => line.startsWith("NodeName"));
  writeFileSync(file, others.toSpliced(at, 0, ...lines).join("\n"));
  await runCommand(["scontrol", "reconfigure"], environment);
}

async function submitted(cluster: TestCluster, words: readonly string[]): Promise<string> {
  const { out, err } = await asUser("stint-alice", ["sbatch", ...words], cluster);
  return out + err;
}

/** The start that Slurm expects of a job, Unix ms. */
async function slurmsStart(cluster: TestCluster, words: readonly string[]): Promise<number> {
  const said = await submitted(cluster, ["--test-only", ...words, "--wrap", "true"]);
  const [, at] = /to start at (\S+)/.exec(said) ?? [];
  if (at === undefined) throw new Error(said);
  return new Date(at).getTime();
}

describe.skipIf(!hasSlurm)(`memory nobody asked for${howToInstallSlurm}`, () => {
  let cluster: TestCluster | undefined;
  afterAll(async () => {
    if (cluster !== undefined) await runCommand(["scancel", "-u", "stint-alice"], cluster.environment);
  });

  it.each([
    { rules: ["DefMemPerCPU=1500"], memory: 0, waits: true },
    { rules: ["DefMemPerNode=3000"], memory: 0, waits: true },
    { rules: [], memory: 0, waits: true },
    { rules: ["DefMemPerCPU=1500", "MaxMemPerCPU=500"], memory: 0, waits: true },
    { rules: ["DefMemPerNode=2000", "MaxMemPerCPU=600"], memory: 0, waits: true },
    { rules: ["DefMemPerCPU=1500"], memory: 400, waits: false },
    { rules: ["DefMemPerCPU=500"], memory: 0, waits: false },
  ])(
    "with $rules a job of one processor and $memory MB starts as Slurm says",
    async ({ rules, memory, waits }) => {
      cluster = await clusterUp("M", ["--kind", "rich"]);
      const { environment } = cluster;
      await runCommand(["scancel", "-u", "stint-alice"], environment);
      await ruled(cluster, rules);
      const queued = async (...states: readonly string[]) => {
        const words = ["squeue", "-h", "-r", ...states.map((it) => `--states=${it}`), "-o", "%i"];
        return (await runCommand(words, environment)).out.split("\n").filter((line) => line !== "").length;
      };
      while ((await queued()) > 0) await setTimeout(200);
      const usual = ["-n", "1", "-t", String(HELD_MINUTES), "-p", "batch", "-o", "/dev/null"];
      for (let job = 0; job < 3; job++) await submitted(cluster, [...usual, "--wrap", "sleep 600"]);
      while ((await queued("running")) < 3) await setTimeout(200);
      const asked = memory === 0 ? [] : [`--mem-per-cpu=${memory}M`];
      const startMs = await slurmsStart(cluster, ["-n", "1", "-t", "10", "-p", "batch", ...asked]);
      const ask = async (_: string, words: readonly string[]) => (await runCommand(words, environment)).out;
      const snapshot = await takeSnapshot(ask, Date.now);
      const thought = {
        procs: 1,
        memoryBytes: memory * MIB,
        gpus: 0,
        limitMs: 10 * MINUTE_MS,
        queue: "batch",
      };
      const schedule = scheduleAtCluster(snapshot, jobAtCluster(snapshot, "batch", thought));
      const waitMs = schedule?.promises[0].waitMs ?? Number.NaN;
      expect(waitMs > 20 * MINUTE_MS).toBe(waits);
      // Slurm's answer is in whole seconds, and was given a moment before the look.
      expect(Math.abs(snapshot.atMs + waitMs - startMs)).toBeLessThan(MINUTE_MS);
    },
  );

  it.each([[["MaxMemPerNode=2000"]], [["DefMemPerCPU=1500", "MaxMemPerNode=1000"]]])(
    "with %j a job that asks for none is over the most, and never starts",
    async (rules) => {
      cluster = await clusterUp("M", ["--kind", "rich"]);
      const { environment } = cluster;
      await runCommand(["scancel", "-u", "stint-alice"], environment);
      await ruled(cluster, rules);
      const usual = ["-n", "1", "-t", "10", "-p", "batch", "-o", "/dev/null", "-J", "over"];
      await submitted(cluster, [...usual, "--wrap", "true"]);
      const reason = async () =>
        (await runCommand(["squeue", "-h", "-n", "over", "-t", "PD", "-o", "%r"], environment)).out.trim();
      await expect.poll(reason, { timeout: 200_000, interval: 300 }).toBe("MaxMemPerLimit");
      const ask = async (_: string, words: readonly string[]) => (await runCommand(words, environment)).out;
      const snapshot = await takeSnapshot(ask, Date.now);
      const thought = { procs: 1, memoryBytes: 0, gpus: 0, limitMs: 10 * MINUTE_MS, queue: "batch" };
      const unfit = unfitAtCluster(snapshot, jobAtCluster(snapshot, "batch", thought));
      expect(JSON.stringify(unfit)).toContain("memoryPerNode");
    },
  );
});
