/**
 * The clusters of this experiment: real ones under Slurm, alike, in a folder of their own, put down at its
 * end.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { requirePrerequisites } from "../../scripts/clusters/prerequisites.ts";
import type { Status } from "../../scripts/clusters/status.ts";
import { CLUSTER_PROCS } from "./workload.ts";

/** A cluster that is up. */
export interface TruthCluster {
  readonly name: string;
  readonly slurmConf: string;
}

/** Where everything of a run lies, and the clusters in it. */
export interface TruthGround {
  readonly folder: string;
  readonly clusters: readonly TruthCluster[];
  /** As Slurm says it. */
  readonly slurmVersion: string;
}

const NODES = 4;
const LOOK_EVERY_MS = 500;
const CLEAR_LIMIT_MS = 120_000;

const run = promisify(execFile);
const script = resolve(import.meta.dirname, "../../scripts/clusters/slurm");

/**
 * Brings so many clusters up, of equal size, and puts them down when `use` is done or has failed.
 *
 * @param words of `scripts/clusters/slurm up` besides
 * @throws Fault `slurmMissing` or `notRoot` where there can be no cluster, with what to do
 */
export async function onClusters<Result>(
  count: number,
  use: (ground: TruthGround) => Promise<Result>,
  words: readonly string[] = [],
): Promise<Result> {
  requirePrerequisites();
  const folder = mkdtempSync("/tmp/stint-truth-");
  const dir = join(folder, "clusters");
  // Slurm's own user passes through it.
  chmodSync(folder, 0o755);
  try {
    const size = ["--nodes", String(NODES), "--cpus", String(CLUSTER_PROCS / NODES), "--kind", "plain"];
    for (let at = 1; at <= count; at++) {
      await run(script, ["up", "--name", `T${at}`, ...size, ...words, "--dir", dir]);
    }
    const status: Status = JSON.parse((await run(script, ["status", "-o", "json", "--dir", dir])).stdout);
    const clusters = status.clusters.map(({ name, slurmConf }) => ({ name, slurmConf }));
    const version = await slurm(clusters[0].slurmConf, "sinfo", "--version");
    return await use({ folder, clusters, slurmVersion: version.trim() });
  } finally {
    await run(script, ["down", "--all", "--purge", "--dir", dir]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one of Slurm's commands, which has to go well; what it printed. */
export async function slurm(
  slurmConf: string,
  program: string,
  ...words: readonly string[]
): Promise<string> {
  const env = { ...process.env, SLURM_CONF: slurmConf };
  return (await run(program, words, { env, cwd: "/" })).stdout;
}

/** Ends every job, and waits until the cluster is empty and nothing of it is reserved. */
export async function clear({ name, slurmConf }: TruthCluster): Promise<void> {
  await slurm(slurmConf, "scancel", "--user=root");
  const endMs = performance.now() + CLEAR_LIMIT_MS;
  for (;;) {
    const jobs = await slurm(slurmConf, "squeue", "--noheader");
    const reservations = await slurm(slurmConf, "scontrol", "--oneliner", "show", "reservation");
    if (jobs.trim() === "" && !reservations.includes("ReservationName=")) return;
    if (performance.now() > endMs) throw new Error(`cluster ${name} does not become empty: ${jobs}`);
    await delay(LOOK_EVERY_MS);
  }
}
