/**
 * A cluster's current queue as a workload, to be simulated under its own rules and under others.
 *
 * Pools, occupied parts and needs are those of the cluster's machine (`cluster-machine`), and so are its
 * assumptions: every job uses its whole limit, no other job is submitted, priorities stay. A job that needs
 * nodes of several pools is left out and counted: a workload's job stays in one.
 */
import type {
  ClusterJob,
  ClusterSnapshot,
  LivePool,
  LiveQueue,
  LiveRectangle,
  LiveWaiting,
} from "../../model/index.ts";
import { endMsOf, jobState } from "../../queue/index.ts";
import { type ClusterMachine, machineWith, requestIn, startableOf } from "./cluster-machine.ts";
import { type Amounts, isWithin, type NodeClass } from "./node-classes.ts";
import { inOrder, isRival, tierOf } from "./queue-order.ts";
import { viewOf } from "./view.ts";

/** The queue of a look. */
export function liveQueue(snapshot: ClusterSnapshot): LiveQueue {
  const view = viewOf(snapshot);
  const cluster = machineWith(view, [], null);
  const queued = snapshot.jobs.filter(({ state }) => state === "waiting" || state === "held");
  const rivals = queued.filter((job) => isRival(view, job));
  const free = rivals.filter(({ reservation }) => reservation === null);
  const placed = free.map((job) => ({ job, tier: tierOf(view, job) })).sort(inOrder);
  const waiting = placed.flatMap(({ job }) => waitingOf(cluster, job));
  return {
    atMs: view.nowMs,
    discipline: cluster.discipline,
    countsMemory: view.countsMemory,
    pools: poolsOf(cluster.classes),
    running: runningIn(cluster),
    reserved: reservedIn(cluster),
    waiting,
    leftOut: {
      forTheirOwn: countOf(queued) - countOf(rivals),
      tooWide: startableIn(free) - waiting.length,
      inReservations: countOf(rivals) - countOf(free),
    },
  };
}

function countOf(jobs: readonly ClusterJob[]): number {
  return jobs.reduce((sum, { count }) => sum + count, 0);
}

function startableIn(jobs: readonly ClusterJob[]): number {
  return jobs.reduce((sum, job) => sum + startableOf(job), 0);
}

/** Pools of equal partitions are one already; several without any number themselves. */
function poolsOf(classes: readonly NodeClass[]): readonly LivePool[] {
  return classes.map(({ partitions, capacity }) => ({ name: partitions.join("+"), capacity }));
}

function waitingOf(cluster: ClusterMachine, job: ClusterJob): readonly LiveWaiting[] {
  const request = requestIn(cluster, job);
  const pools = (request?.pools ?? []).filter((pool) =>
    request === undefined ? false : isWithin(request.need, cluster.classes[pool].capacity),
  );
  if (request === undefined || pools.length === 0) return [];
  const { nowMs } = cluster.view;
  const { user, account, partitions, expectedStartAtMs, siteJob } = job;
  const isToCome = expectedStartAtMs !== null && expectedStartAtMs >= nowMs;
  const one = {
    ...{ user, account, pools, need: request.need, limitMs: request.limitMs, queue: partitions.join(",") },
    expectedStartAtMs: isToCome ? expectedStartAtMs : null,
  };
  // Of an array only the next task's start is told.
  return Array.from({ length: startableOf(job) }, (_, at) =>
    at === 0 ? { ...one, siteJob } : { ...one, siteJob: `${siteJob}#${at + 1}`, expectedStartAtMs: null },
  );
}

function runningIn({ machine }: ClusterMachine): readonly LiveRectangle[] {
  const { jobs } = machine;
  return Array.from({ length: jobs.size }, (_, handle) => handle)
    .filter((handle) => jobs.state[handle] === jobState.running)
    .map((handle) => ({
      pool: jobs.pool[handle],
      need: amountsIn(jobs.need.map((column) => column[handle])),
      startAtMs: jobs.startMs[handle],
      endAtMs: endMsOf(jobs, handle),
    }));
}

function reservedIn({ machine }: ClusterMachine): readonly LiveRectangle[] {
  return [...machine.reservations.values()].map(({ pool, need, startMs, durationMs }) => ({
    ...{ pool, need: amountsIn(need), startAtMs: startMs, endAtMs: startMs + durationMs },
  }));
}

function amountsIn([procs = 0, memoryBytes = 0, gpus = 0]: readonly number[]): Amounts {
  return [procs, memoryBytes, gpus];
}
