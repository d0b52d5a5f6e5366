/**
 * The smallest change of a job that would let it start sooner, in each direction.
 *
 * Fewer processors, fewer nodes, a shorter limit, less memory, fewer GPUs, another partition: each is tried
 * on the machine with the jobs before it, and against all else that would keep the job so changed (limits,
 * licences, a hold): what then still waits is not told. What is smaller fits wherever the larger one does,
 * so the largest value that helps is found by halving. Where no direction alone lets it start at once,
 * several are tried together. Bound: `MOST_TRIALS` tries in all; a direction that they do not suffice for is
 * left out.
 */
import type { ClusterJob } from "../../model/index.ts";
import {
  type ClusterChange,
  MIB,
  MINUTE_MS,
  MOST_TRIALS,
  type Search,
  scaled,
  shapeIn,
  startSooner,
} from "./change-search.ts";
import type { ClusterMachine } from "./cluster-machine.ts";
import { machineBefore } from "./cluster-start.ts";
import { partitionBlockers } from "./partition-blockers.ts";
import { severalChanges } from "./several-changes.ts";

/**
 * All changes that help, at most one for each direction; none where it starts at once.
 *
 * @param startMs Infinity where it cannot start as it is
 */
export function smallestChanges(
  cluster: ClusterMachine,
  job: ClusterJob,
  fromMs: number,
  startMs: number,
): readonly ClusterChange[] {
  if (startMs <= fromMs) return [];
  const search: Search = { cluster, job, fromMs, startMs, trials: 0 };
  const single = singleChanges(search);
  const bestMs = single.reduce((first, { startAtMs }) => Math.min(first, startAtMs), startMs);
  if (bestMs <= fromMs) return single;
  return [...single, ...severalChanges({ ...search, startMs: bestMs })];
}

function singleChanges(search: Search): readonly ClusterChange[] {
  return [
    ...fewerTasks(search),
    ...fewerNodes(search),
    ...shorterLimit(search),
    ...lessMemory(search),
    ...fewerGpus(search),
    ...otherPartition(search),
  ];
}

/** The largest value below `now`, and not below `least`, with which the job starts sooner. */
function largestThatHelps(
  search: Search,
  [least, now]: readonly [number, number],
  changed: (value: number) => ClusterJob,
): { readonly value: number; readonly startAtMs: number } | undefined {
  let low = least;
  let high = now - 1;
  let best: { readonly value: number; readonly startAtMs: number } | undefined;
  // The smallest first: if that does not help, nothing does.
  let next = low;
  while (low <= high) {
    if (search.trials >= MOST_TRIALS) return undefined;
    const startAtMs = startSooner(search, changed(next));
    if (startAtMs !== undefined) {
      best = { value: next, startAtMs };
      low = next + 1;
    } else if (best === undefined) return undefined;
    else high = next - 1;
    next = Math.ceil((low + high) / 2);
  }
  return best;
}

function fewerTasks(search: Search): readonly ClusterChange[] {
  const { tasks, procsPerTask, nodes, isWholeNodes } = shapeIn(search);
  if (isWholeNodes) return [];
  const found = largestThatHelps(search, [nodes, tasks], (count) => scaled(search.job, count, tasks));
  if (found === undefined) return [];
  return [{ kind: "fewerProcs", procs: found.value * procsPerTask, startAtMs: found.startAtMs }];
}

function fewerNodes(search: Search): readonly ClusterChange[] {
  const { job } = search;
  const { nodes, gpusPerNode } = shapeIn(search);
  const changed = (count: number): ClusterJob => ({
    ...scaled(job, count, nodes),
    nodeCount: count,
    gpus: count * gpusPerNode,
  });
  const found = largestThatHelps(search, [1, nodes], changed);
  if (found === undefined) return [];
  const { procs, gpus } = changed(found.value);
  const its = gpus === 0 ? { procs } : { procs, gpus };
  return [{ kind: "fewerNodes", nodes: found.value, ...its, startAtMs: found.startAtMs }];
}

function shorterLimit(search: Search): readonly ClusterChange[] {
  const { job, cluster } = search;
  const partition = cluster.view.partitions.get(job.partitions[0] ?? "");
  const limitMs = job.limitMs ?? partition?.maxTimeMs ?? null;
  if (limitMs === null) return [];
  const found = largestThatHelps(search, [1, Math.ceil(limitMs / MINUTE_MS)], (minutes) => ({
    ...job,
    limitMs: minutes * MINUTE_MS,
  }));
  if (found === undefined) return [];
  return [{ kind: "shorterLimit", limitMs: found.value * MINUTE_MS, startAtMs: found.startAtMs }];
}

function lessMemory(search: Search): readonly ClusterChange[] {
  const { job } = search;
  const shape = shapeIn(search);
  const bytes = shape.bytesPerTask * shape.tasks + shape.bytesPerNode * shape.nodes;
  const each = Math.ceil((shape.bytesPerNode > 0 ? shape.bytesPerNode : shape.bytesPerTask) / MIB);
  if (bytes === 0 || shape.isWholeNodes) return [];
  const perProc = (mib: number): number => Math.floor((mib * MIB) / shape.procsPerTask);
  const found = largestThatHelps(search, [1, each], (mib) => ({
    ...job,
    memoryPerNodeBytes: shape.bytesPerNode > 0 ? mib * MIB : null,
    memoryPerProcBytes: shape.bytesPerNode > 0 ? null : perProc(mib),
  }));
  if (found === undefined) return [];
  const count = shape.bytesPerNode > 0 ? shape.nodes : shape.tasks;
  return [{ kind: "lessMemory", memoryBytes: found.value * MIB * count, startAtMs: found.startAtMs }];
}

function fewerGpus(search: Search): readonly ClusterChange[] {
  const { gpusPerNode, nodes } = shapeIn(search);
  const found = largestThatHelps(search, [0, gpusPerNode], (count) => ({
    ...search.job,
    gpus: count * nodes,
  }));
  if (found === undefined) return [];
  return [{ kind: "fewerGpus", gpus: found.value * nodes, startAtMs: found.startAtMs }];
}

/** The partition of those that it does not name and may use in which it would start first. */
function otherPartition(search: Search): readonly ClusterChange[] {
  const { job, cluster } = search;
  const { view } = cluster;
  let best: { readonly partition: string; readonly startAtMs: number } | undefined;
  for (const { name, isHidden } of view.snapshot.partitions) {
    const moved = { ...job, partitions: [name] };
    if (isHidden || job.partitions.includes(name) || partitionBlockers(view, moved, name).length > 0)
      continue;
    if (search.trials >= MOST_TRIALS) break;
    const startAtMs = startSooner(search, moved, machineBefore(view, moved));
    if (startAtMs !== undefined && startAtMs < (best?.startAtMs ?? Number.POSITIVE_INFINITY)) {
      best = { partition: name, startAtMs };
    }
  }
  return best === undefined ? [] : [{ kind: "otherPartition", ...best }];
}
