/** Status of the test clusters, for people and for programs. */
import { type NodeState, nodeStates } from "./cluster-daemons.ts";
import { keptClusters, readKeptCluster } from "./kept.ts";
import { clusterLayout } from "./layout.ts";
import { clusterProcesses, sharedProcesses } from "./processes.ts";
import { type ClusterShape, describeShape, nodeNames, slurmName } from "./shape.ts";

/** One daemon; without a process if it should run and does not. */
interface DaemonState {
  readonly name: string;
  readonly pid: number | null;
}

/** One cluster. `up`: every daemon runs and the controller answers; `down`: none runs. */
export interface ClusterStatus {
  readonly name: string;
  readonly state: "up" | "partly" | "down";
  readonly shape: ClusterShape;
  /** Name of the cluster for `-M` and in accounting. */
  readonly slurmName: string;
  readonly slurmConf: string;
  readonly logs: string;
  readonly daemons: readonly DaemonState[];
  readonly nodes: readonly NodeState[];
}

/** Status of a state directory. */
export interface Status {
  readonly dir: string;
  readonly shared: readonly DaemonState[];
  readonly clusters: readonly ClusterStatus[];
}

/** Reads the status of the clusters of `dir`, or of one of them. */
export function lookAt(dir: string, name?: string): Status {
  const running = new Map(sharedProcesses(dir).map(({ daemon, pid }) => [daemon, pid]));
  const shared = daemonStates(["munged", "mariadbd", "slurmdbd"], running);
  const names = keptClusters(dir).filter((it) => name === undefined || it === name);
  return { dir, shared, clusters: names.flatMap((it) => clusterStatus(dir, it, shared) ?? []) };
}

/** The status as a few lines for people. */
export function describeStatus({ dir, shared, clusters }: Status): string {
  if (clusters.length === 0) return `no test cluster in ${dir}\n`;
  const lines = clusters.flatMap((cluster) => [
    `${cluster.name} is ${cluster.state}: ${describeShape(cluster.shape)}`,
    `  SLURM_CONF=${cluster.slurmConf}`,
    `  logs       ${cluster.logs}`,
    `  daemons    ${describeDaemons([...shared, ...cluster.daemons])}`,
    `  nodes      ${cluster.nodes.map(({ name, state }) => `${name} ${state}`).join(", ") || "not known"}`,
  ]);
  return `${lines.join("\n")}\n`;
}

function clusterStatus(dir: string, name: string, shared: readonly DaemonState[]): ClusterStatus | undefined {
  const kept = readKeptCluster(dir, name);
  if (kept === undefined) return undefined;
  const { shape } = kept;
  const running = new Map(clusterProcesses(dir, name).map(({ daemon, pid }) => [daemon, pid]));
  const names = ["slurmctld", ...nodeNames(shape).map((node) => `slurmd:${node}`)];
  const daemons = daemonStates(names, running);
  const nodes = running.has("slurmctld") ? nodeStates(dir, name) : [];
  const layout = clusterLayout(dir, name);
  const isWhole = nodes.length > 0 && [...shared, ...daemons].every(({ pid }) => pid !== null);
  const isPartly = daemons.some(({ pid }) => pid !== null);
  return {
    name,
    state: isWhole ? "up" : partlyOrDown(isPartly),
    shape,
    slurmName: slurmName(shape),
    slurmConf: layout.slurmConf,
    logs: layout.log,
    daemons,
    nodes,
  };
}

function partlyOrDown(isPartly: boolean): "partly" | "down" {
  return isPartly ? "partly" : "down";
}

function daemonStates(names: readonly string[], running: ReadonlyMap<string, number>): DaemonState[] {
  return names.map((name) => ({ name, pid: running.get(name) ?? null }));
}

function describeDaemons(daemons: readonly DaemonState[]): string {
  return daemons.map(({ name, pid }) => `${name} ${pid ?? "is down"}`).join(", ");
}
