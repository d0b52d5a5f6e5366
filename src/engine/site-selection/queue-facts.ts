/** Facts from a survey of a cluster about its queues, as in their ads (rule EN-188). */
import type { GlueStatus } from "../../match/index.ts";
import type { ClusterJob, ClusterNode, ClusterPartition, ClusterSnapshot } from "../../model/index.ts";
import { isOut } from "../batch-system/node-fit.ts";
import type { SurveyedNodes, SurveyedQueue } from "../survey.ts";

const STATUSES: Readonly<Record<string, GlueStatus>> = {
  UP: "Production",
  DOWN: "Queueing",
  DRAIN: "Draining",
};

/** The facts of a queue from its nodes and jobs. */
export function queueFacts(
  partition: ClusterPartition,
  { nodes, jobs }: Pick<ClusterSnapshot, "nodes" | "jobs">,
): SurveyedQueue {
  const names = new Set(partition.nodes);
  const there = nodes.filter((node) => names.has(node.name));
  const kinds = kindsOf(there, partition);
  return {
    ...{ queue: partition.name, isDefault: partition.isDefault },
    status: STATUSES[partition.state] ?? "Closed",
    ...nodeFacts(there, kinds),
    nodeKinds: kinds,
    ...(partition.maxNodes === null ? {} : { mostNodes: partition.maxNodes }),
    ...jobFacts(jobs.filter((job) => job.partitions.includes(partition.name))),
    ...limitFacts(partition),
    ...machineFacts(there),
    ...{ givesWholeNodes: true, queuePriority: partition.priorityTier },
  };
}

/**
 * The queues into which jobs of an account may be put, as far as a cluster says; the default one first.
 *
 * @param account null: the batch system chooses one, which nobody knows here
 */
export function openQueues(
  { partitions, ...shown }: Pick<ClusterSnapshot, "partitions" | "nodes" | "jobs">,
  account: string | null,
): readonly SurveyedQueue[] {
  const open = partitions.filter((partition) => {
    const { isHidden, isRootOnly, isReservationNeeded, accounts } = partition;
    if (isHidden || isRootOnly || isReservationNeeded) return false;
    if (account === null) return true;
    return accounts.allowed?.includes(account) !== false && !accounts.denied.includes(account);
  });
  const inOrder = [...open].sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
  return inOrder.map((partition) => queueFacts(partition, shown));
}

/** Totals of the nodes in service, and the least amounts that a job may have on each of these nodes. */
function nodeFacts(all: readonly ClusterNode[], kinds: readonly SurveyedNodes[]) {
  const nodes = all.filter((node) => !isOut(node));
  const sum = (of: (node: ClusterNode) => number) => nodes.reduce((total, node) => total + of(node), 0);
  const usable = kinds.filter(({ inService }) => inService > 0);
  const least = (of: (node: SurveyedNodes) => number) => Math.min(...usable.map(of));
  return {
    ...{ nodes: nodes.length, procs: sum(({ procs }) => procs) },
    freeProcs: sum(({ procs, allocatedProcs }) => Math.max(0, procs - allocatedProcs)),
    // A queue without GPUs is known to have none, whatever its site has.
    gpus: sum(gpusOf),
    ...(nodes.length === 0
      ? {}
      : { nodeProcs: least(({ procs }) => procs), nodeMemoryBytes: least((node) => node.memoryBytes) }),
  };
}

/** Attributes common to all nodes in service, and the local disk that each has at least. */
function machineFacts(all: readonly ClusterNode[]) {
  const nodes = all.filter((node) => !isOut(node));
  const shared = <Key extends "architecture" | "osName" | "osRelease">(key: Key) => {
    const value = nodes[0]?.[key];
    return value !== undefined && nodes.every((node) => node[key] === value) ? { [key]: value } : {};
  };
  const scratchBytes = Math.min(...nodes.map((node) => node.scratchBytes ?? 0));
  return {
    ...{ ...shared("architecture"), ...shared("osName"), ...shared("osRelease") },
    ...(nodes.length === 0 || scratchBytes === 0 ? {} : { scratchBytes }),
  };
}

/** Kinds of a queue's nodes, by what a job may have on each, those out of service included. */
function kindsOf(nodes: readonly ClusterNode[], limits: ClusterPartition): readonly SurveyedNodes[] {
  const { maxProcsPerNode, maxMemoryPerNodeBytes } = limits;
  const kinds = new Map<string, SurveyedNodes>();
  for (const node of nodes) {
    const procs = Math.min(node.procs, maxProcsPerNode ?? node.procs);
    const memoryBytes = Math.min(node.memoryBytes, maxMemoryPerNodeBytes ?? node.memoryBytes);
    const gpus = gpusOf(node);
    const key = `${procs} ${memoryBytes} ${gpus}`;
    const { all = 0, inService = 0 } = kinds.get(key) ?? {};
    const more = { all: all + 1, inService: inService + (isOut(node) ? 0 : 1) };
    kinds.set(key, { procs, memoryBytes, gpus, ...more });
  }
  return [...kinds.values()];
}

function gpusOf({ gpus }: ClusterNode): number {
  return Object.values(gpus).reduce((total, count) => total + count, 0);
}

function jobFacts(jobs: readonly ClusterJob[]) {
  const count = (states: readonly string[]) =>
    jobs.reduce((total, job) => total + (states.includes(job.state ?? "") ? job.count : 0), 0);
  return { runningJobs: count(["running"]), waitingJobs: count(["waiting", "held"]) };
}

function limitFacts({ defaultTimeMs, maxTimeMs, preemptMode }: ClusterPartition) {
  return {
    ...(defaultTimeMs === null ? {} : { defaultWallTimeMs: defaultTimeMs }),
    ...(maxTimeMs === null ? {} : { maxWallTimeMs: maxTimeMs }),
    ...(preemptMode === null ? {} : { preempts: preemptMode !== "OFF" }),
  };
}
