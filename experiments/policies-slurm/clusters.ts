/**
 * The clusters of this experiment: real ones under Slurm in a folder of their own, each with the
 * configuration that its way of enforcing asks for, put down at the end.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { requirePrerequisites } from "../../scripts/clusters/prerequisites.ts";
import { clusterProcesses } from "../../scripts/clusters/processes.ts";
import type { Status } from "../../scripts/clusters/status.ts";
import { slurm } from "../truth/clusters.ts";
import { PROCS } from "./workload.ts";

/** A cluster that is up. */
export interface PlayCluster {
  readonly name: string;
  readonly slurmConf: string;
  /** The state directory of the clusters. */
  readonly dir: string;
}

/** Where everything of a run lies, and the clusters in it. */
export interface PlayGround {
  readonly folder: string;
  readonly clusters: readonly PlayCluster[];
  /** As Slurm says it. */
  readonly slurmVersion: string;
}

const NODES = 2;
const LOOK_EVERY_MS = 200;
const READY_LIMIT_MS = 90_000;
const run = promisify(execFile);
const script = resolve(import.meta.dirname, "../../scripts/clusters/slurm");

/**
 * Brings so many clusters up, of equal size, and puts them down when `use` is done or has failed.
 *
 * @throws Fault `slurmMissing` or `notRoot` where there can be no cluster, with what to do
 */
export async function onPlayGround<Result>(
  count: number,
  use: (ground: PlayGround) => Promise<Result>,
): Promise<Result> {
  requirePrerequisites();
  const folder = mkdtempSync("/tmp/stint-policies-");
  const dir = join(folder, "clusters");
  // Slurm's own user passes through it.
  chmodSync(folder, 0o755);
  try {
    const size = ["--nodes", String(NODES), "--cpus", String(PROCS / NODES), "--kind", "plain"];
    for (let at = 1; at <= count; at++) await run(script, ["up", "--name", `P${at}`, ...size, "--dir", dir]);
    const status: Status = JSON.parse((await run(script, ["status", "-o", "json", "--dir", dir])).stdout);
    const clusters = status.clusters.map(({ name, slurmConf }) => ({ name, slurmConf, dir }));
    const version = await slurm(clusters[0].slurmConf, "sinfo", "--version");
    return await use({ folder, clusters, slurmVersion: version.trim() });
  } finally {
    await run(script, ["down", "--all", "--dir", dir]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Gives a cluster these settings instead of those of the same names, and starts its daemons anew. */
export async function configure(
  { name, slurmConf, dir }: PlayCluster,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const daemons = clusterProcesses(dir, name).filter(({ daemon }) => /^slurm(ctld|d:)/.test(daemon));
  for (const { pid } of daemons) process.kill(pid, "SIGKILL");
  const names = new Set(Object.keys(settings).map((it) => it.toLowerCase()));
  const kept = readFileSync(slurmConf, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !names.has(line.split("=")[0].toLowerCase()));
  const wanted = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
  writeFileSync(slurmConf, `${[...wanted, ...kept].join("\n")}\n`);
  const isGone = () => clusterProcesses(dir, name).every(({ pid }) => daemons.every((it) => it.pid !== pid));
  await until(`the daemons of ${name} are gone`, async () => isGone());
  await slurm(slurmConf, "slurmctld");
  for (const { daemon } of daemons) {
    if (daemon.startsWith("slurmd:")) await slurm(slurmConf, "slurmd", "-N", daemon.slice("slurmd:".length));
  }
  await until(`the nodes of ${name} are idle`, async () => {
    const nodes = await slurm(slurmConf, "sinfo", "-hN", "-o", "%T").catch(() => "");
    return (
      nodes.trim() !== "" &&
      nodes
        .trim()
        .split("\n")
        .every((state) => state === "idle")
    );
  });
}

/** Waits until something holds; what it is, is for people. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + READY_LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`${what}: not within a minute and a half`);
    await delay(LOOK_EVERY_MS);
  }
}
