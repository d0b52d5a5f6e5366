/**
 * A cluster as a site machine: what runs, what is reserved, and who waits, as one look showed it.
 *
 * Equivalent to the batch system's own queue under these assumptions: every job uses its whole limit,
 * nothing else comes, priorities stay, and a pool's nodes are one large one (see `node-classes`). Slurm's
 * backfill plans the jobs that it tests in order of priority and anew each time; where every job uses its
 * whole limit that is conservative backfilling. With bf_job_part_count_reserve=1 only the first of a
 * partition is planned: EASY. Without backfill: FCFS. What waits for something of its own is left out, and
 * of the others only the first `MOST_JOBS` are taken in.
 * Cost: a place in the profile for each job that waits.
 */
import { type ClusterJob, type ClusterSnapshot, type Discipline, isPlanning } from "../../model/index.ts";
import { earliest, indexAt, type Profile, take } from "../../profile/index.ts";
import { adopt, createMachine, type Machine } from "../../queue/index.ts";
import {
  type Amounts,
  atMost,
  isWithin,
  less,
  type NodeClass,
  nodeClasses,
  plus,
  type ResourceRequest,
  requestOf,
  sumOf,
} from "./node-classes.ts";
import { occupy } from "./occupied.ts";
import { partitionBlockers } from "./partition-blockers.ts";
import { inOrder, isRival, type Placed, tierOf } from "./queue-order.ts";
import { type ClusterView, viewOf } from "./view.ts";

/** So many waiting jobs are put into a machine; fewer where the queue has to be played forward. */
const MOST_JOBS = { planned: 500, played: 200 } as const;
/** So many instants are looked at for a job that needs nodes of several pools. */
const MOST_INSTANTS = 100;

/** A cluster that can be asked when something would start. Its jobs are those that come before. */
export interface ClusterMachine {
  readonly view: ClusterView;
  readonly classes: readonly NodeClass[];
  readonly machine: Machine;
  readonly discipline: Discipline;
  /** Waiting jobs in the machine, and startable jobs left out because there are too many. */
  readonly jobs: number;
  readonly jobsLeftOut: number;
}

/** The machine of a whole cluster: one more job would come last. */
export function clusterMachine(snapshot: ClusterSnapshot): ClusterMachine {
  const view = viewOf(snapshot);
  const waiting = snapshot.jobs.filter((job) => isRival(view, job) && job.reservation === null);
  return machineWith(
    view,
    waiting.map((job) => ({ job, tier: tierOf(view, job) })),
    null,
  );
}

/** A machine in which these jobs wait; a reservation's own jobs are not kept out by it. */
export function machineWith(
  view: ClusterView,
  waiting: readonly Placed[],
  reservation: string | null,
): ClusterMachine {
  const classes = nodeClasses(view);
  const discipline = view.discipline;
  const capacities = classes.map(({ capacity }) => capacity);
  const machine = createMachine(capacities.length > 0 ? capacities : [[0, 0, 0]], { discipline }, view.nowMs);
  occupy({ view, machine, classes }, reservation);
  const inTurn = [...waiting]
    .sort(inOrder)
    .flatMap(({ job }) => Array.from({ length: startableOf(job) }, () => job));
  const most = isPlanning(discipline) ? MOST_JOBS.planned : MOST_JOBS.played;
  const cluster: ClusterMachine = {
    view,
    classes,
    machine,
    discipline,
    jobs: Math.min(inTurn.length, most),
    jobsLeftOut: Math.max(0, inTurn.length - most),
  };
  for (const job of inTurn.slice(0, most)) {
    const request = requestIn(cluster, job);
    if (request !== undefined) enqueue(cluster, request);
  }
  return cluster;
}

/** Number of jobs of an entry that can run at once. */
export function startableOf({ count, arrayLimit }: ClusterJob): number {
  return Math.min(count, arrayLimit ?? count);
}

/** Resource request of a job, in the partitions that accept it. */
export function requestIn({ view, classes }: ClusterMachine, job: ClusterJob): ResourceRequest | undefined {
  const open = job.partitions.filter((name) => partitionBlockers(view, job, name).length === 0);
  return requestOf(view, classes, job, open);
}

/** Lets a job wait: in one pool, or as rectangles in several where these together have room earlier. */
export function enqueue(cluster: ClusterMachine, request: ResourceRequest): readonly number[] {
  const { machine, view, classes } = cluster;
  const fitting = request.pools.filter((pool) => isWithin(request.need, classes[pool].capacity));
  if (isPlanning(machine.rules.discipline)) {
    const place = placeFor(cluster, request);
    if (place === undefined) return [];
    if (place.parts !== undefined) {
      // Fixed like a reservation; a promise in several pools is nothing that the machine has.
      for (const { pool, need } of place.parts)
        take(machine.pools[pool], need, request.limitMs, place.startMs);
      return [];
    }
  }
  const parts = fitting.length > 0 ? [{ pools: fitting, need: request.need }] : partsOf(cluster, request);
  const whole = { estimateMs: request.limitMs, arrivedAtMs: view.nowMs, state: "waiting" } as const;
  return parts.map((part) => adopt(machine, { ...whole, ...part }));
}

/** Where a job would start under a planning discipline beside everything in the machine. */
export interface RequestPlace {
  readonly startMs: number;
  /** Undefined: in one pool. */
  readonly parts: readonly { readonly pool: number; readonly need: Amounts }[] | undefined;
}

/**
 * Earliest placement of a request from an instant on, in one or several pools; undefined where none exists.
 */
export function placeFor(
  cluster: ClusterMachine,
  request: ResourceRequest,
  fromMs?: number,
): RequestPlace | undefined {
  const { machine, view } = cluster;
  const startMs = Math.max(fromMs ?? view.nowMs, view.nowMs);
  const single = Math.min(
    ...request.pools.map((pool) => earliest(machine.pools[pool], request.need, request.limitMs, startMs)),
  );
  if (single > startMs && request.pools.length > 1 && request.isOnOneNode !== true) {
    const spanning = spanningPlace(cluster, request, [startMs, single]);
    if (spanning !== undefined) return spanning;
  }
  return single === Number.POSITIVE_INFINITY ? undefined : { startMs: single, parts: undefined };
}

/** The first instant at which several pools together have room, if that is earlier than one has alone. */
function spanningPlace(
  { machine }: ClusterMachine,
  { need, limitMs, pools }: ResourceRequest,
  [fromMs, beforeMs]: readonly [number, number],
): RequestPlace | undefined {
  const profiles = pools.map((pool) => machine.pools[pool]);
  let instants = 0;
  for (let startMs = fromMs; startMs < beforeMs && instants < MOST_INSTANTS; instants++) {
    const free = leastFreeIn(profiles, need, [startMs, startMs + limitMs]);
    if (free !== undefined) return { startMs, parts: shared(need, pools, free) };
    startMs = Math.min(...profiles.map((profile) => nextChangeIn(profile, startMs)));
  }
  return undefined;
}

/**
 * A need dealt out to pools, each up to what it has. A part with memory or GPUs has a processor too: they
 * are of use to nobody without one.
 */
function shared(need: Amounts, pools: readonly number[], free: readonly Amounts[]) {
  let left = need;
  const devices = pools.map((_, at): Amounts => {
    const [procs, ...others] = atMost(left, free[at]);
    const part: Amounts = [others.some((amount) => amount > 0) ? Math.min(1, procs) : 0, ...others];
    left = less(left, part);
    return part;
  });
  return pools.flatMap((pool, at) => {
    const procs = Math.min(left[0], free[at][0] - devices[at][0]);
    left = less(left, [procs, 0, 0]);
    const part = plus(devices[at], [procs, 0, 0]);
    return part[0] < 1 ? [] : [{ pool, need: part }];
  });
}

/** Where no pool is large enough: a part for each, which may start apart from each other. */
function partsOf({ classes }: ClusterMachine, { need, pools }: ResourceRequest) {
  const capacities = pools.map((pool) => classes[pool].capacity);
  if (
    !isWithin(
      need,
      sumOf(capacities, (it) => it),
    )
  )
    return [];
  return shared(need, pools, capacities).map(({ pool, need: part }) => ({ pools: [pool], need: part }));
}

// Free amounts of several pools together, for a job that needs nodes of more than one. Its parts stay
// where they are, so what counts is the least that each pool has free over the whole time, not the least
// of their sum. Cost: the breakpoints of the time, as long as it is enough.

/** The least that each pool has free in [fromMs, toMs); undefined where together it is not enough. */
function leastFreeIn(
  profiles: readonly Profile[],
  need: Amounts,
  [fromMs, toMs]: readonly [number, number],
): readonly Amounts[] | undefined {
  const at = profiles.map((profile) => indexAt(profile, fromMs));
  const least = profiles.map((profile, pool) => amountsAt(profile, at[pool]));
  const isEnough = (): boolean => {
    let [procs, memoryBytes, gpus] = need;
    for (const amounts of least) {
      procs -= amounts[0];
      memoryBytes -= amounts[1];
      gpus -= amounts[2];
    }
    return procs <= 0 && memoryBytes <= 0 && gpus <= 0;
  };
  if (!isEnough()) return undefined;
  for (let pool = 0; pool < profiles.length; pool++) {
    const { times, tail } = profiles[pool];
    while (at[pool] + 1 < tail && times[at[pool] + 1] < toMs) {
      least[pool] = atMost(least[pool], amountsAt(profiles[pool], ++at[pool]));
      if (!isEnough()) return undefined;
    }
  }
  return least;
}

/** The next instant at which a pool has something else free; Infinity where it never changes again. */
function nextChangeIn(profile: Profile, atMs: number): number {
  const next = indexAt(profile, atMs) + 1;
  return next < profile.tail ? profile.times[next] : Number.POSITIVE_INFINITY;
}

function amountsAt({ free }: Profile, at: number): Amounts {
  return [free[0][at], free[1][at], free[2][at]];
}
