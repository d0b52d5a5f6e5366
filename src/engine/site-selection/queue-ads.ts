/** Ads of the queues of a cluster, from a look at it (rule EN-188). */
import { utcText } from "../../base/index.ts";
import { adText, type GlueStatus, glue2Of, siteAdOf } from "../../match/index.ts";
import type { ClusterJob, ClusterNode, ClusterPartition, ClusterSnapshot } from "../../model/index.ts";
import { isOut } from "../batch-system/node-fit.ts";
import type { SiteState } from "../state/site-state.ts";
import { AD_LIFETIME_MS, storesOf } from "./site-facts.ts";

/** The ad of a queue, in both forms. */
export interface QueueAd {
  readonly queue: string;
  readonly classad: string;
  readonly glue2: unknown;
}

const STATUSES: Readonly<Record<string, GlueStatus>> = {
  UP: "Production",
  DOWN: "Queueing",
  DRAIN: "Draining",
};

/** Ads of the queues that a cluster does not hide, in its order; response times are left to its own ad. */
export function queueAdsOf(
  { name: site, spec, isDraining }: Pick<SiteState, "name" | "spec" | "isDraining">,
  { partitions, nodes, jobs, system, version, atMs }: ClusterSnapshot,
): readonly QueueAd[] {
  const hostName = spec.type === "slurm" && spec.sshHost !== null ? { hostName: spec.sshHost } : {};
  const { applications } = spec;
  const stamp = { createdAt: utcText(atMs), validitySec: AD_LIFETIME_MS / 1000 };
  const shown = partitions.filter(({ isHidden }) => !isHidden);
  return shown.map((partition) => {
    const facts = {
      ...{ site, queue: partition.name, system, ...hostName },
      ...(version === null ? {} : { systemVersion: version }),
      ...(isDraining ? { status: "Draining" as const } : { status: STATUSES[partition.state] ?? "Closed" }),
      ...nodeFacts(nodes.filter((node) => partition.nodes.includes(node.name))),
      ...jobFacts(jobs.filter((job) => job.partitions.includes(partition.name))),
      ...limitFacts(partition),
      givesWholeNodes: true,
      ...(applications === undefined ? {} : { applications: Object.keys(applications) }),
      stores: storesOf(spec),
    };
    return { queue: partition.name, classad: adText(siteAdOf(facts)), glue2: glue2Of(facts, stamp) };
  });
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
