/** What a look at a cluster shows of its queues, as their ads have it (rule EN-188). */
import type { GlueStatus } from "../../match/index.ts";
import type { ClusterJob, ClusterNode, ClusterPartition, ClusterSnapshot } from "../../model/index.ts";
import { isOut } from "../batch-system/node-fit.ts";
import type { SurveyedQueue } from "../survey.ts";

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
  return {
    ...{ queue: partition.name, isDefault: partition.isDefault },
    status: STATUSES[partition.state] ?? "Closed",
    ...nodeFacts(nodes.filter((node) => partition.nodes.includes(node.name))),
    ...jobFacts(jobs.filter((job) => job.partitions.includes(partition.name))),
    ...limitFacts(partition),
    givesWholeNodes: true,
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

/** What nodes have that are in service; of a node what each of them has at least. */
function nodeFacts(all: readonly ClusterNode[]) {
  const nodes = all.filter((node) => !isOut(node));
  const sum = (of: (node: ClusterNode) => number) => nodes.reduce((total, node) => total + of(node), 0);
  const gpus = sum((node) => Object.values(node.gpus).reduce((total, count) => total + count, 0));
  const least = (of: (node: ClusterNode) => number) => Math.min(...nodes.map(of));
  return {
    ...{ nodes: nodes.length, procs: sum(({ procs }) => procs) },
    freeProcs: sum(({ procs, allocatedProcs }) => Math.max(0, procs - allocatedProcs)),
    ...(gpus === 0 ? {} : { gpus }),
    ...(nodes.length === 0
      ? {}
      : { nodeProcs: least(({ procs }) => procs), nodeMemoryBytes: least((node) => node.memoryBytes) }),
  };
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
