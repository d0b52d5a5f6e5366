/**
 * Occupied parts of a cluster's nodes, entered into a site machine: running jobs, other allocations of the
 * nodes, and reservations.
 *
 * A snapshot may be incomplete or contradict itself; no function here may fail on that. A running job counts
 * with its share of what its nodes have allocated; further allocations belong to hidden jobs, which are
 * assumed to run for the longest limit.
 */
import type { ClusterJob, ClusterNode, ClusterReservation } from "../../model/index.ts";
import { freeAt, type Profile } from "../../profile/index.ts";
import { adopt, type Machine, reserve } from "../../queue/index.ts";
import {
  type Amounts,
  allocatedOf,
  amountsOf,
  atMost,
  ENDLESS_MS,
  less,
  type NodeClass,
  plus,
  sumOf,
} from "./node-classes.ts";
import { procsOn } from "./reserved.ts";
import type { ClusterView } from "./view.ts";

/** Assumed remaining time of a job that is past its limit or completing. */
const OVERDUE_MS = 60_000;
/** Assumed remaining time of hidden jobs where no partition limits them. */
const UNSEEN_MS = 86_400_000;

/** A machine that is being filled. */
export interface Filling {
  readonly view: ClusterView;
  readonly machine: Machine;
  readonly classes: readonly NodeClass[];
}

/** Something that runs on some nodes until an instant. */
interface Held {
  readonly nodes: ReadonlySet<string>;
  readonly perNode: Amounts;
  readonly endMs: number;
}

/** Puts in what runs and what is reserved; reservations of a name are left out. */
export function occupy(filling: Filling, ownReservation: string | null): void {
  const { view, machine, classes } = filling;
  const held = view.snapshot.jobs.flatMap((job) => heldBy(view, job));
  let id = 0;
  const fix = (pool: number, need: Amounts, [fromMs, toMs]: readonly [number, number]): void => {
    if (need[0] < 1 || toMs <= fromMs) return;
    reserve(machine, id++, { pool, need, startMs: fromMs, durationMs: toMs - fromMs }, view.nowMs);
  };
  const unseenMs = classes.map((it) => unseenOf(view, it));
  classes.forEach((it, pool) => {
    const unseen = adoptRunning(filling, pool, held);
    const earlier: ClusterReservation[] = [];
    fix(pool, unseen, [view.nowMs, view.nowMs + unseenMs[pool]]);
    for (const reservation of view.snapshot.reservations) {
      if (reservation.name === ownReservation) continue;
      const hiddenUntilMs = view.nowMs + unseenMs[pool];
      const taken = onReserved({ view, held, hiddenUntilMs, earlier }, it, reservation);
      earlier.push(reservation);
      if (taken === undefined) continue;
      for (const [fromMs, toMs] of stretches(machine.pools[pool], view.nowMs, reservation)) {
        const free = freeIn(machine.pools[pool], fromMs);
        fix(pool, atMost(less(taken.whole, taken.usedAt(fromMs)), free), [fromMs, toMs]);
      }
    }
  });
}

function heldBy({ nowMs, countsMemory }: ClusterView, job: ClusterJob): Held[] {
  if ((job.state !== "running" && job.state !== "ending") || job.nodes.length === 0) return [];
  const count = job.nodes.length;
  const bytes = countsMemory ? (job.memoryBytes ?? 0) : 0;
  const perNode: Amounts = [
    Math.ceil(job.procs / count),
    Math.ceil(bytes / count),
    Math.ceil(job.gpus / count),
  ];
  const toldMs = job.expectedEndAtMs ?? nowMs + (job.limitMs ?? ENDLESS_MS) - job.ranMs;
  const isOverdue = toldMs <= nowMs || job.state === "ending";
  const endMs = isOverdue ? nowMs + OVERDUE_MS : Math.min(toldMs, nowMs + ENDLESS_MS);
  return [{ nodes: new Set(job.nodes), perNode, endMs }];
}

/** Adopts what runs in a pool, within what its nodes have allocated; gives what is left of that. */
function adoptRunning({ view, machine, classes }: Filling, pool: number, held: readonly Held[]): Amounts {
  const { nodes } = classes[pool];
  const names = new Set(nodes.map(({ name }) => name));
  let left = sumOf(nodes, allocatedOf);
  if (!view.countsMemory) left = [left[0], 0, left[2]];
  for (const { nodes: its, perNode, endMs } of held) {
    const count = [...its].filter((name) => names.has(name)).length;
    const need = atMost([count * perNode[0], count * perNode[1], count * perNode[2]], left);
    if (need[0] < 1) continue;
    left = less(left, need);
    const { nowMs } = view;
    const rest = { estimateMs: endMs - nowMs, startMs: nowMs, arrivedAtMs: nowMs, pools: [pool] };
    adopt(machine, { state: "running", pool, need, ...rest });
  }
  return left;
}

function unseenOf({ partitions }: ClusterView, it: NodeClass): number {
  const limits = it.partitions.map((name) => partitions.get(name)?.maxTimeMs ?? UNSEEN_MS);
  return Math.max(1, ...limits);
}

/** Use of a pool's nodes, and the assumed end of its hidden jobs. */
interface InUse {
  readonly view: ClusterView;
  readonly held: readonly Held[];
  readonly hiddenUntilMs: number;
  /** Reservations that have their part already: what two have together is taken once. */
  readonly earlier: readonly ClusterReservation[];
}

/** Amounts of a pool's nodes that a reservation has, and those of them that jobs use at an instant. */
function onReserved(
  { view, held, hiddenUntilMs, earlier }: InUse,
  { nodes }: NodeClass,
  reservation: ClusterReservation,
): { readonly whole: Amounts; readonly usedAt: (atMs: number) => Amounts } | undefined {
  const names = new Set(reservation.nodes);
  const its = nodes.filter(({ name }) => names.has(name));
  if (its.length === 0) return undefined;
  const there = held.map(({ nodes: some, perNode, endMs }) => {
    const count = its.filter(({ name }) => some.has(name)).length;
    return { endMs, amounts: sumOf(Array.from({ length: count }), () => perNode) };
  });
  const hidden = less(
    sumOf(its, allocatedOf),
    sumOf(there, ({ amounts }) => amounts),
  );
  const used = [...there, { endMs: hiddenUntilMs, amounts: hidden }];
  const others = [...earlier].map((other) => {
    const both = its.filter(({ name }) => other.nodes.includes(name));
    return { other, amounts: sumOf(both, (node) => reservedOf(view, other, node)) };
  });
  const byOthers = (atMs: number): Amounts =>
    sumOf(others, ({ other, amounts }) =>
      other.startAtMs <= atMs && other.endAtMs > atMs ? amounts : [0, 0, 0],
    );
  return {
    whole: sumOf(its, (node) => reservedOf(view, reservation, node)),
    usedAt: (atMs) => {
      const byJobs = sumOf(used, ({ endMs, amounts }) => (endMs > atMs ? amounts : [0, 0, 0]));
      return plus(byJobs, byOthers(atMs));
    },
  };
}

/** Memory and GPUs go with whole nodes only. */
function reservedOf(view: ClusterView, reservation: ClusterReservation, node: ClusterNode): Amounts {
  const procs = procsOn(view, reservation, node);
  const [all, bytes, gpus] = amountsOf(node);
  return procs < all ? [procs, 0, 0] : [all, view.countsMemory ? bytes : 0, gpus];
}

/** The time of a reservation in parts within which nothing else changes. */
function stretches(
  { times, head, tail }: Profile,
  nowMs: number,
  { startAtMs, endAtMs }: ClusterReservation,
): readonly (readonly [number, number])[] {
  const fromMs = Math.max(nowMs, startAtMs);
  const toMs = Math.min(endAtMs, fromMs + ENDLESS_MS);
  if (toMs <= fromMs) return [];
  const cuts = [...times.subarray(head, tail)].filter((atMs) => atMs > fromMs && atMs < toMs);
  const all = [fromMs, ...cuts, toMs];
  return all.slice(1).map((endMs, at) => [all[at], endMs] as const);
}

/** Free amounts of a pool at an instant. */
function freeIn(profile: Profile, atMs: number): Amounts {
  return [freeAt(profile, atMs, 0), freeAt(profile, atMs, 1), freeAt(profile, atMs, 2)];
}
