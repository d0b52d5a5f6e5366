/**
 * A job that is only thought of, and whether a site would take it at all.
 *
 * At a cluster it is asked of the partition that it names, else of the one that the site is configured with,
 * else of the cluster's default. Its tasks are single processors on as few nodes as can have them.
 */
import {
  type ClusterJob,
  type ClusterPartition,
  type ClusterSnapshot,
  isWithinSite,
  type SiteSpec,
} from "../../model/index.ts";
import type { Blocker } from "../batch-system/blocker.ts";
import { shapeOf } from "../batch-system/job-shape.ts";
import { partitionBlockers } from "../batch-system/partition-blockers.ts";
import { resourceBlockers } from "../batch-system/resource-blockers.ts";
import { type ClusterView, viewOf } from "../batch-system/view.ts";

/** Hypothetical job of a forecast. */
export interface ThoughtOfJob {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  /** Null: the site's default. */
  readonly limitMs: number | null;
  /** A partition of clusters; null: the one that a job of ours would go to. */
  readonly queue: string | null;
}

/** A clause that keeps a job from a site. */
export interface UnmetClause {
  /** Owner of the requirements that it is part of. */
  readonly of: "job" | "site";
  readonly text: string;
}

/** Why a site would never start it. */
export type Unfit =
  | {
      readonly kind: "siteTooSmall";
      readonly procs: number;
      readonly memoryBytes: number;
      /** Absent: none are asked for. */
      readonly gpus?: number;
    }
  | { readonly kind: "gpusNotOffered"; readonly gpus: number }
  /** Clauses of the requirements of the job, or of the site, that are not true. */
  | { readonly kind: "noMatch"; readonly clauses: readonly UnmetClause[] }
  /** A cluster that has no such partition, or none that is open, or one with other limits. */
  | { readonly kind: "blocked"; readonly partition: string; readonly blockers: readonly Blocker[] }
  /** A cluster, as `blocked`, that publishes aggregates: the partition and its limits are not shown. */
  | { readonly kind: "blockedUnseen" };

/** Why a site that is one pool would not take it; null where it would. */
export function unfitAtSite(spec: SiteSpec, job: ThoughtOfJob): Unfit | null {
  if (isWithinSite(spec, job)) return null;
  const { procs, memoryBytes, gpus = 0 } = spec;
  if (job.gpus > 0 && gpus === 0) return { kind: "gpusNotOffered", gpus: job.gpus };
  return { kind: "siteTooSmall", procs, memoryBytes, ...(job.gpus === 0 ? {} : { gpus }) };
}

/** The partition that is asked: by the question, by the site's configuration, else the default one. */
export function partitionFor({ partitions }: ClusterSnapshot, spec: SiteSpec, queue: string | null): string {
  const configured = spec.type === "slurm" ? spec.partition : null;
  const first = partitions.find(({ isDefault }) => isDefault) ?? partitions[0];
  return queue ?? configured ?? first?.name ?? "";
}

/** Why a cluster's partition would never start it; null where it would. */
export function unfitAtCluster(snapshot: ClusterSnapshot, job: ClusterJob): Unfit | null {
  const view = viewOf(snapshot);
  const [partition = ""] = job.partitions;
  const found = view.partitions.get(partition);
  const blockers = [
    ...partitionBlockers(view, job, partition),
    ...(found === undefined
      ? []
      : resourceBlockers(view, job, found).filter(({ kind }) => FOR_EVER.has(kind))),
  ];
  return blockers.length === 0 ? null : { kind: "blocked", partition, blockers };
}

const FOR_EVER: ReadonlySet<Blocker["kind"]> = new Set(["neverFits", "featuresUnknown"]);

/** The job as the cluster would show it when it has just been submitted. */
export function jobAtCluster(
  snapshot: ClusterSnapshot,
  partition: string,
  { procs, memoryBytes, gpus, limitMs }: ThoughtOfJob & { readonly limitMs: number },
): ClusterJob {
  const view = viewOf(snapshot);
  return {
    ...NOTHING_SAID,
    partitions: [partition],
    submittedAtMs: snapshot.atMs,
    eligibleAtMs: snapshot.atMs,
    limitMs,
    procs,
    tasks: procs,
    nodeCount: leastNodes(view, view.partitions.get(partition), { procs, gpus }),
    memoryBytes: memoryBytes > 0 ? memoryBytes : null,
    gpus,
  };
}

/** Total memory of a job: its request, or the cluster's default where it requests none. */
export function memoryAtCluster(snapshot: ClusterSnapshot, job: ClusterJob): number {
  const view = viewOf(snapshot);
  const shape = shapeOf(view, job, view.partitions.get(job.partitions[0] ?? ""));
  return shape.tasks * shape.bytesPerTask + shape.nodes * (shape.bytesPerNode + shape.coreBytesPerNode);
}

function leastNodes(
  view: ClusterView,
  partition: ClusterPartition | undefined,
  { procs, gpus }: { readonly procs: number; readonly gpus: number },
): number {
  const nodes = (partition?.nodes ?? []).flatMap((name) => view.nodes.get(name) ?? []);
  const most = (amounts: readonly number[]): number => amounts.reduce((a, b) => Math.max(a, b), 1);
  const gpusOf = nodes.map((node) => Object.values(node.gpus).reduce((sum, count) => sum + count, 0));
  const forProcs = Math.ceil(procs / most(nodes.map((node) => node.procs)));
  return Math.max(1, partition?.minNodes ?? 1, forProcs, Math.ceil(gpus / most(gpusOf)));
}

const NOTHING_SAID: Omit<ClusterJob, "partitions" | "submittedAtMs"> = {
  siteJob: "",
  arrayJob: null,
  arrayTasks: null,
  count: 1,
  arrayLimit: null,
  name: "",
  user: null,
  account: null,
  qos: null,
  state: "waiting",
  stateText: "PENDING",
  reason: null,
  waitsFor: null,
  priority: null,
  priorityParts: null,
  nice: 0,
  eligibleAtMs: null,
  startedAtMs: null,
  expectedStartAtMs: null,
  expectedEndAtMs: null,
  limitMs: null,
  ranMs: 0,
  procs: 1,
  nodeCount: 1,
  nodes: [],
  plannedNodes: [],
  tasks: 1,
  tasksPerNode: null,
  memoryBytes: null,
  memoryPerNodeBytes: null,
  memoryPerProcBytes: null,
  gpus: 0,
  tres: {},
  dependency: null,
  reservation: null,
  features: null,
  isExclusive: false,
  restarts: 0,
  licenses: {},
};
