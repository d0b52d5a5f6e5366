/**
 * When a job of a cluster would start, one that waits or one that is only thought of.
 *
 * Under a planning discipline the jobs before it have fixed places, so its own is the first gap beside
 * them; under the others the machine is played forward on a copy. Jobs after it are left out: they may
 * delay it under EASY only, by little.
 */
import type { ClusterJob, ClusterPartition } from "../../model/index.ts";
import { isPlanning } from "../../model/index.ts";
import { checkpoint, machineFrom, startAhead } from "../../queue/index.ts";
import type { BlockerKind } from "./blocker.ts";
import { type ClusterMachine, enqueue, machineWith, placeFor, requestIn } from "./cluster-machine.ts";
import type { ResourceRequest } from "./node-classes.ts";
import { partitionBlockers } from "./partition-blockers.ts";
import { rivalsOf } from "./priority-blocker.ts";
import { inOrder, tierOf } from "./queue-order.ts";
import { resourceBlockers } from "./resource-blockers.ts";
import type { ClusterView } from "./view.ts";

/** The instant at which this would start, behind all that wait in the machine; Infinity: never. */
export function startOf(cluster: ClusterMachine, request: ResourceRequest, fromMs?: number): number {
  const { machine, view } = cluster;
  if (request.pools.length === 0) return Number.POSITIVE_INFINITY;
  if (isPlanning(machine.rules.discipline) || machine.waiting.count === 0) {
    return placeFor(cluster, request, fromMs)?.startMs ?? Number.POSITIVE_INFINITY;
  }
  return Math.max(fromMs ?? view.nowMs, playedStart(cluster, request));
}

/** Start of a request by simulating a copy of the queue, for any discipline; the last of its parts counts. */
export function playedStart(cluster: ClusterMachine, request: ResourceRequest): number {
  const { machine, view } = cluster;
  const copy = machineFrom(checkpoint(machine), machine.rules);
  const parts = enqueue({ ...cluster, machine: copy }, request);
  if (parts.length === 0) return Number.POSITIVE_INFINITY;
  const starts = parts.map((part) =>
    startAhead(machineFrom(checkpoint(copy), machine.rules), part, view.nowMs),
  );
  return Math.max(...starts);
}

/** The machine with the jobs that are before one, in which that one would come last. */
export function machineBefore(view: ClusterView, job: ClusterJob): ClusterMachine {
  const own = { job, tier: tierOf(view, job) };
  const rivals = rivalsOf(view, job, job.partitions);
  // Where its place is hidden, it is taken to be the last.
  const before = job.priority === null ? rivals : rivals.filter((rival) => inOrder(rival, own) < 0);
  return machineWith(view, before, job.reservation);
}

/**
 * When a waiting job starts if nothing but room and the jobs before it keep it; Infinity: never.
 *
 * A pool may have in all what no node of it has together. So what the nodes do not take now does not start
 * now, but at the first change on them at the earliest.
 */
export function startOfJob(cluster: ClusterMachine, job: ClusterJob, fromMs: number): number {
  const request = requestIn(cluster, job);
  if (request === undefined) return Number.POSITIVE_INFINITY;
  const { view } = cluster;
  const short = openTo(view, job).map((partition) => resourceBlockers(view, job, partition));
  if (short.every((blockers) => blockers.some(({ kind }) => HOPELESS.has(kind))))
    return Number.POSITIVE_INFINITY;
  const startMs = startOf(cluster, request, fromMs);
  if (startMs > view.nowMs || short.some((blockers) => blockers.length === 0)) return startMs;
  const changeMs = nextChange(cluster, request);
  return changeMs === Number.POSITIVE_INFINITY ? changeMs : startOf(cluster, request, changeMs);
}

const HOPELESS: ReadonlySet<BlockerKind> = new Set(["neverFits", "featuresUnknown"]);

function openTo(view: ClusterView, job: ClusterJob): readonly ClusterPartition[] {
  return job.partitions
    .filter((name) => partitionBlockers(view, job, name).length === 0)
    .flatMap((name) => view.partitions.get(name) ?? []);
}

/** The first instant at which something ends or begins in the pools of a job. */
function nextChange({ machine, view }: ClusterMachine, { pools }: ResourceRequest): number {
  const changes = pools.flatMap((pool) => {
    const { times, head, tail } = machine.pools[pool];
    return [...times.subarray(head, tail)].filter((atMs) => atMs > view.nowMs);
  });
  return changes.reduce((first, atMs) => Math.min(first, atMs), Number.POSITIVE_INFINITY);
}
