/** Blockers of a job in a partition that do not depend on free resources: state, access, limits. */
import type { AllowedNames, ClusterJob, ClusterPartition } from "../../model/index.ts";
import type { Blocker, BlockerFacts, PartitionLimit, Remedy } from "./blocker.ts";
import { shapeOf } from "./job-shape.ts";
import type { ClusterView } from "./view.ts";

/** All of them for one partition that the job names, or might name. */
export function partitionBlockers(view: ClusterView, job: ClusterJob, name: string): readonly Blocker[] {
  const partition = view.partitions.get(name);
  if (partition === undefined) return [{ kind: "partitionUnknown", partition: name, remedies: [] }];
  return [
    ...closedBlockers(partition),
    ...forbiddenBlockers(job, partition),
    ...limitBlockers(view, job, partition),
  ];
}

function closedBlockers({ name, state }: ClusterPartition): readonly Blocker[] {
  if (state === "UP" || state === "DRAIN") return [];
  return [{ kind: "partitionClosed", partition: name, state, remedies: [{ kind: "askAdmin", about: name }] }];
}

function forbiddenBlockers(job: ClusterJob, partition: ClusterPartition): readonly Blocker[] {
  const { name, accounts, qosNames } = partition;
  const found: Blocker[] = [];
  const forbid = (
    what: Extract<BlockerFacts, { kind: "partitionForbids" }>["what"],
    who: { readonly name: string | null; readonly allowed: readonly string[] | null },
    remedy: Remedy,
  ): void => {
    found.push({ kind: "partitionForbids", partition: name, what, ...who, remedies: [remedy] });
  };
  if (!letsIn(accounts, job.account)) {
    const { allowed } = accounts;
    forbid("account", { name: job.account, allowed }, { kind: "otherAccount", accounts: allowed });
  }
  if (!letsIn(qosNames, job.qos)) {
    const { allowed } = qosNames;
    forbid("qos", { name: job.qos, allowed }, { kind: "otherQos", qos: allowed });
  }
  const nobody = { name: null, allowed: null };
  if (partition.isRootOnly) forbid("ordinaryUsers", nobody, { kind: "askAdmin", about: name });
  if (partition.isReservationNeeded && job.reservation === null) {
    forbid("withoutReservation", nobody, { kind: "otherReservation", names: [] });
  }
  return found;
}

/** True if a name may use the partition; a hidden name (null) is assumed to be allowed. */
function letsIn({ allowed, denied }: AllowedNames, name: string | null): boolean {
  if (name === null) return true;
  return (allowed === null || allowed.includes(name)) && !denied.includes(name);
}

function limitBlockers(view: ClusterView, job: ClusterJob, partition: ClusterPartition): readonly Blocker[] {
  const { limitMs, nodeCount } = job;
  const flags = view.qos.get(job.qos ?? "")?.flags ?? [];
  const isFree = (flag: string): boolean => flags.includes(flag);
  const found: Blocker[] = [];
  const check = (
    what: PartitionLimit,
    limit: number | null,
    wanted: number,
    remedy: (most: number) => Remedy,
  ) => {
    if (limit === null || (what === "minNodes" ? wanted >= limit : wanted <= limit)) return;
    const remedies = [remedy(limit)];
    found.push({ kind: "partitionLimit", partition: partition.name, what, limit, wanted, remedies });
  };
  if (!isFree("PartitionTimeLimit")) {
    check("time", partition.maxTimeMs, limitMs ?? 0, (most) => ({ kind: "limitAtMost", limitMs: most }));
  }
  if (!isFree("PartitionMaxNodes")) {
    check("maxNodes", partition.maxNodes, nodeCount, (nodes) => ({ kind: "nodesAtMost", nodes }));
  }
  if (!isFree("PartitionMinNodes")) {
    check("minNodes", partition.minNodes, nodeCount, (nodes) => ({ kind: "nodesAtLeast", nodes }));
  }
  const { procsPerTask, bytesPerTask, bytesPerNode } = shapeOf(view, job, partition);
  check("procsPerNode", partition.maxProcsPerNode, procsPerTask, (amount) => atMost("procs", amount));
  // Memory that the rules of the partition give counts as well; a node has one task at least.
  const perNode = Math.max(job.memoryPerNodeBytes ?? 0, bytesPerNode + bytesPerTask);
  check("memoryPerNode", partition.maxMemoryPerNodeBytes, perNode, (amount) => atMost("memory", amount));
  return found;
}

function atMost(what: "procs" | "memory", amount: number): Remedy {
  return { kind: "askAtMost", what, amount };
}
