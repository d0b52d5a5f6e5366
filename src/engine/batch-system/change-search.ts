/**
 * A search for changes of a job: what it tries, and when a job so changed would start.
 */
import type { ClusterJob } from "../../model/index.ts";
import type { Blocker } from "./blocker.ts";
import type { ClusterMachine } from "./cluster-machine.ts";
import { startOfJob } from "./cluster-start.ts";
import { shapeOf } from "./job-shape.ts";
import { limitBlockers } from "./limits.ts";
import { ownBlockers } from "./own-blockers.ts";

/** A change of one kind. Amounts are of the whole job. */
export type SingleChange =
  | { readonly kind: "fewerProcs"; readonly procs: number }
  /** GPUs where it asks for any: they go with the nodes. */
  | {
      readonly kind: "fewerNodes";
      readonly nodes: number;
      readonly procs: number;
      readonly gpus?: number;
    }
  | { readonly kind: "shorterLimit"; readonly limitMs: number }
  | { readonly kind: "lessMemory"; readonly memoryBytes: number }
  | { readonly kind: "fewerGpus"; readonly gpus: number }
  | { readonly kind: "otherPartition"; readonly partition: string };

/** A change, or several that only help together, with the start that it leads to. */
export type ClusterChange = (
  | SingleChange
  | { readonly kind: "together"; readonly changes: readonly SingleChange[] }
) & { readonly startAtMs: number };

/** So many changed jobs are tried at most. */
export const MOST_TRIALS = 150;
/** Sooner is at least so much sooner; limits are chosen in such steps, too. */
export const MINUTE_MS = 60_000;
/** Memory is chosen in such steps. */
export const MIB = 1024 ** 2;

/** One search: the machine, the job, and when it would start as it is. */
export interface Search {
  readonly cluster: ClusterMachine;
  readonly job: ClusterJob;
  readonly fromMs: number;
  readonly startMs: number;
  trials: number;
}

/** Blockers that hold a job however many resources are free. */
const KEEPING: ReadonlySet<Blocker["kind"]> = new Set([
  ...(["held", "limit", "minimum", "arrayLimit", "licenses", "reservationAsked"] as const),
]);

/** When a changed job starts, if that is sooner and nothing but room keeps it; counts as a trial. */
export function startSooner(
  search: Search,
  changed: ClusterJob,
  cluster = search.cluster,
): number | undefined {
  search.trials++;
  const startAtMs = startOfJob(cluster, changed, search.fromMs);
  if (startAtMs === Number.POSITIVE_INFINITY || startAtMs > search.startMs - MINUTE_MS) return undefined;
  const kept = [...ownBlockers(cluster.view, changed), ...limitBlockers(cluster.view, changed)];
  return kept.some(({ kind }) => KEEPING.has(kind)) ? undefined : startAtMs;
}

/** The need of its job. */
export function shapeIn({ cluster, job }: Search) {
  return shapeOf(cluster.view, job, cluster.view.partitions.get(job.partitions[0] ?? ""));
}

/** A part of a job: `count` of `whole`. */
export function scaled(job: ClusterJob, count: number, whole: number): ClusterJob {
  const part = (amount: number): number => Math.ceil((amount * count) / whole);
  return {
    ...job,
    procs: part(job.procs),
    tasks: Math.max(1, part(job.tasks)),
    memoryBytes: job.memoryBytes === null ? null : part(job.memoryBytes),
  };
}
