/** slurmctld and the slurmds of one cluster: their files, their start, and when they are ready. */

import { existsSync, readFileSync } from "node:fs";
import { cgroupConf } from "./cgroup-conf.ts";
import { makeFolder, ownerNamed, root, writeOwned } from "./folders.ts";
import { gresConf } from "./gres-conf.ts";
import type { KeptCluster, KeptShared } from "./kept.ts";
import { clusterLayout, sharedLayout } from "./layout.ts";
import { clusterProcesses } from "./processes.ts";
import { commandFailed, mustRun, run, waitUntil } from "./run.ts";
import { nodeNames, slurmName } from "./shape.ts";
import { shortHostName } from "./shared-daemons.ts";
import { slurmConf } from "./slurm-conf.ts";

const READY_LIMIT_MS = 60_000;

/** A node as `sinfo` sees it: `idle`, `mixed`, `down*`, … */
export interface NodeState {
  readonly name: string;
  readonly state: string;
}

/** Writes the configuration of a cluster, and makes its folders. */
export function writeClusterFiles(dir: string, { shape, ports }: KeptCluster, kept: KeptShared): void {
  const layout = clusterLayout(dir, shape.name);
  const slurm = ownerNamed("slurm");
  for (const folder of [layout.folder, layout.etc, layout.spool]) makeFolder(folder, root);
  for (const folder of [layout.state, layout.log, layout.run]) makeFolder(folder, slurm);
  const shared = sharedLayout(dir);
  const facts = { shape, layout, shared, ports, accountingPort: kept.accountingPort, host: shortHostName() };
  writeOwned(layout.slurmConf, slurmConf(facts), root);
  writeOwned(`${layout.etc}/gres.conf`, gresConf(shape), root);
  writeOwned(`${layout.etc}/cgroup.conf`, cgroupConf(), root);
}

/**
 * Registers the cluster in the accounting database, without which slurmctld does not start.
 *
 * @throws Fault (failed)
 */
export function registerCluster(dir: string, { shape }: KeptCluster): void {
  const name = slurmName(shape);
  const known = asCluster(dir, shape.name, ["sacctmgr", "-nP", "show", "cluster", "format=cluster"]);
  if (known.split("\n").includes(name)) return;
  asCluster(dir, shape.name, ["sacctmgr", "-i", "add", "cluster", name]);
}

/**
 * Starts a cluster's missing daemons.
 *
 * @returns the names of those that were started
 *
 * @throws Fault (failed)
 */
export function startCluster(dir: string, { shape }: KeptCluster): string[] {
  const running = new Set(clusterProcesses(dir, shape.name).map(({ daemon }) => daemon));
  const environment = { SLURM_CONF: clusterLayout(dir, shape.name).slurmConf };
  const started: string[] = [];
  if (!running.has("slurmctld")) {
    mustRun(["slurmctld"], { environment });
    started.push("slurmctld");
  }
  for (const node of nodeNames(shape).filter((name) => !running.has(`slurmd:${name}`))) {
    mustRun(["slurmd", "-N", node], { environment });
    started.push(`slurmd:${node}`);
  }
  return started;
}

/**
 * Waits until the controller answers and has contact to every node. A drained node stays drained.
 *
 * @throws Fault (failed) after a minute, with the states of the nodes
 */
export async function waitForNodes(dir: string, { shape }: KeptCluster): Promise<void> {
  let last: NodeState[] = [];
  let isControllerGone = false;
  await waitUntil(READY_LIMIT_MS, () => {
    last = nodeStates(dir, shape.name);
    const daemons = clusterProcesses(dir, shape.name).map(({ daemon }) => daemon);
    isControllerGone = !daemons.includes("slurmctld");
    return isControllerGone || areReady(last, shape.nodes);
  });
  if (areReady(last, shape.nodes) && !isControllerGone) return;
  const states = last.map(({ name, state }) => `${name} ${state}`).join(", ");
  const seen = isControllerGone ? "the controller ended" : states || "the controller does not answer";
  const { log } = clusterLayout(dir, shape.name);
  const said = lastErrors(`${log}/slurmctld.log`);
  throw commandFailed(["slurmctld"], { code: 1, out: said, err: `${seen}; see ${log}` });
}

/** Nodes of a running cluster; empty if the controller does not answer. */
export function nodeStates(dir: string, name: string): NodeState[] {
  const environment = { SLURM_CONF: clusterLayout(dir, name).slurmConf };
  if (run(["scontrol", "ping"], { environment, limitMs: 3000 }).code !== 0) return [];
  const { out } = run(["sinfo", "-h", "-N", "-o", "%N|%T"], { environment, limitMs: 3000 });
  const states = new Map(out.split("\n").flatMap((line) => (line === "" ? [] : [pairOf(line)])));
  return [...states].map(([node, state]) => ({ name: node, state }));
}

/**
 * Runs one of Slurm's commands at a cluster.
 *
 * @throws Fault (failed)
 */
export function asCluster(dir: string, name: string, command: readonly string[], input = ""): string {
  return mustRun(command, { environment: { SLURM_CONF: clusterLayout(dir, name).slurmConf }, input });
}

function areReady(nodes: readonly NodeState[], count: number): boolean {
  return nodes.length === count && nodes.every(({ state }) => !/\*|unk|down|inval/i.test(state));
}

/** Last errors in a log. */
function lastErrors(file: string): string {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines
    .filter((line) => /fatal|Address already in use/.test(line))
    .slice(-1)
    .join("\n");
}

function pairOf(line: string): [string, string] {
  const [name = "", state = ""] = line.split("|");
  return [name, state];
}
