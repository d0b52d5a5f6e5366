/**
 * Real clusters of Slurm for tests: A, and B which is unlike it (scripts/clusters/README.md).
 *
 * The first test that asks for a cluster brings it up, for all workers of the run; it ends with the run
 * (slurm-clusters-setup.ts). So a test takes what it needs and leaves no queue behind.
 */

import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import { installCommand, missingPackages } from "../scripts/clusters/prerequisites.ts";
import { type ClusterStatus, lookAt, type Status } from "../scripts/clusters/status.ts";
import type { Ran } from "./stint.ts";

const script = resolve(import.meta.dirname, "../scripts/clusters/slurm");
const missing = missingPackages();

/** Whether clusters can be brought up here: Slurm is installed, and we are root. */
export const hasSlurm = missing.length === 0 && process.getuid?.() === 0;

/** Said by a test that is skipped for want of Slurm; empty where it is there. */
export const howToInstallSlurm = hasSlurm ? "" : ` (skipped: ${whyNot()})`;

/** A cluster that is up. */
export interface TestCluster {
  readonly name: string;
  /** As Slurm's `-M` and accounting call it. */
  readonly slurmName: string;
  /** For the environment of every command: SLURM_CONF. */
  readonly environment: { readonly SLURM_CONF: string };
}

/** The ordinary users that a cluster has; alice is of account physics, bob of biology, carol of both. */
export type TestUserName = "stint-alice" | "stint-bob" | "stint-carol" | "stint-operator";

/** Clusters that this worker has found up: to look again takes seconds of a processor. */
const found = new Map<string, Promise<TestCluster>>();

/**
 * Brings a cluster up with its users, or finds it up. Takes some ten seconds for the first who asks.
 *
 * A and B are everybody's; a test that kills daemons takes one of its own (slurm-daemons.ts).
 */
export function clusterUp(name: string, words: readonly string[] = []): Promise<TestCluster> {
  const dir = clustersDirectory();
  if (words.includes("--fresh")) return bringUp(dir, name, words);
  const key = [dir, name, ...words].join(" ");
  const known = found.get(key);
  if (known !== undefined) return known;
  const cluster = bringUp(dir, name, words);
  found.set(key, cluster);
  // The next who asks tries anew.
  cluster.catch(() => found.delete(key));
  return cluster;
}

async function bringUp(dir: string, name: string, words: readonly string[]): Promise<TestCluster> {
  const up = () => slurmScript(["up", "--name", name, "--users", ...words, "--dir", dir]);
  // All clusters of a run share one accounting, which may be busy with another's beginning.
  await up().catch(async () => {
    await setTimeout(3000);
    await up();
  });
  const cluster = lookAt(dir, name).clusters.at(0);
  if (cluster === undefined) throw new Error(`cluster ${name} is not in ${dir}, though it was brought up`);
  return { name, slurmName: cluster.slurmName, environment: { SLURM_CONF: cluster.slurmConf } };
}

/** Where the clusters of this run lie. */
export function clustersDirectory(): string {
  // A configuration of somebody's own may have left out the set-up, which also ends the clusters.
  const dir: string | undefined = inject("slurmClusters");
  if (dir !== undefined) return dir;
  throw new Error("no directory for test clusters: add test/slurm-clusters-setup.ts to globalSetup");
}

/** What runs of the clusters in a state directory. */
export async function clusterStatus(dir: string, name?: string): Promise<readonly ClusterStatus[]> {
  const words = ["status", "-o", "json", "--dir", dir, ...(name === undefined ? [] : ["--name", name])];
  const status: Status = JSON.parse((await runCommand([script, ...words])).out);
  return status.clusters;
}

/** Runs scripts/clusters/slurm, which has to go well; what it printed. */
export async function slurmScript(words: readonly string[]): Promise<string> {
  const { code, out, err } = await runCommand([script, ...words]);
  if (code !== 0) throw new Error(`scripts/clusters/slurm ${words.join(" ")} ended with ${code}: ${err}`);
  return out;
}

/** Runs a command as one of the cluster's users, in that user's home directory. */
export function asUser(user: TestUserName, command: readonly string[], cluster: TestCluster): Promise<Ran> {
  const become = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups", "--reset-env"];
  const words = [`SLURM_CONF=${cluster.environment.SLURM_CONF}`, "sh", "-c", 'cd && exec "$@"', "sh"];
  return runCommand([...become, "env", ...words, ...command]);
}

/** Runs a command as ourselves. */
export function runCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [program = "", ...words] = command;
  const options = { env: { ...process.env, ...environment }, maxBuffer: 1 << 26 };
  return new Promise((done) => {
    const child = execFile(program, words, options, (error, out, err) => {
      done({ code: child.exitCode, out, err: error === null || err !== "" ? err : error.message });
    });
    child.stdin?.end();
  });
}

function whyNot(): string {
  if (missing.length === 0) return "test clusters of Slurm need root";
  return `no Slurm; as root: ${installCommand(missing)}`;
}
