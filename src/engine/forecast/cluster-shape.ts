/**
 * A cluster as predictions see it: rooms, and one of them as a site of one pool.
 *
 * A room is a set of partitions that share nodes, directly or through others. What that leaves out: that a
 * partition may have but a part of its room's nodes, nodes as such, features, and limits of users and
 * accounts. The method "schedule" does not use it at a cluster: it has the whole machine (cluster-start).
 */
import type { ClusterJob, ClusterSnapshot } from "../../model/index.ts";
import type { SiteSnapshot, SnapshotJob } from "../../predict/index.ts";
import { type Amounts, amountsOf, ENDLESS_MS, sumOf } from "../batch-system/node-classes.ts";
import { isOut } from "../batch-system/node-fit.ts";
import { inOrder, isRival, tierOf } from "../batch-system/queue-order.ts";
import { type ClusterView, viewOf } from "../batch-system/view.ts";
import type { Room, SiteShape } from "./site-history.ts";

/** Of the jobs that wait so many are taken in: the first ones. */
const MOST_WAITING = 500;

/** The rooms of a cluster as a look shows it. */
export function shapeOfCluster(snapshot: ClusterSnapshot): SiteShape {
  const view = viewOf(snapshot);
  const rooms: { readonly queues: string[]; readonly nodes: Set<string> }[] = [];
  for (const { name, nodes } of snapshot.partitions) {
    const room = { queues: [name], nodes: new Set(nodes) };
    for (const other of rooms.filter((it) => nodes.some((node) => it.nodes.has(node)))) {
      rooms.splice(rooms.indexOf(other), 1);
      room.queues.push(...other.queues);
      for (const node of other.nodes) room.nodes.add(node);
    }
    rooms.push(room);
  }
  return {
    rooms: rooms.map(({ queues, nodes }) => ({ queues, capacity: columns(view, capacityOf(view, nodes)) })),
    discipline: view.discipline,
  };
}

/** The room of a partition as it is: what runs, and who waits in the order of the priorities. */
export function stateOfCluster(snapshot: ClusterSnapshot, room: Room, shape: SiteShape): SiteSnapshot {
  const view = viewOf(snapshot);
  const there = snapshot.jobs.filter((job) => isIn(room, job));
  const running = there.filter(({ state }) => state === "running" || state === "ending");
  const waiting = there
    .filter((job) => isRival(view, job))
    .map((job) => ({ job, tier: tierOf(view, job) }))
    .sort(inOrder)
    .flatMap(({ job }) => Array.from({ length: Math.min(job.count, MOST_WAITING) }, () => job))
    .slice(0, MOST_WAITING);
  return {
    nowMs: snapshot.atMs,
    capacity: room.capacity,
    discipline: shape.discipline,
    jobs: [...running, ...waiting].map((job) => jobOf(view, job)),
    reservations: reservedIn(view, room),
  };
}

function isIn({ queues }: Room, { partitions }: ClusterJob): boolean {
  return queues === null || partitions.some((name) => queues.includes(name));
}

function jobOf(view: ClusterView, job: ClusterJob): SnapshotJob {
  const isUp = job.state === "running" || job.state === "ending";
  return {
    user: job.user ?? "",
    queue: job.partitions[0] ?? "",
    need: columns(view, [Math.max(1, job.procs), job.memoryBytes ?? 0, 0]),
    estimateMs: Math.max(1, job.limitMs ?? ENDLESS_MS),
    arrivedAtMs: job.eligibleAtMs ?? job.submittedAtMs,
    startedAtMs: isUp ? (job.startedAtMs ?? view.nowMs) : undefined,
  };
}

function capacityOf(view: ClusterView, names: ReadonlySet<string>): Amounts {
  const nodes = [...names].flatMap((name) => view.nodes.get(name) ?? []);
  return sumOf(
    nodes.filter((node) => !isOut(node)),
    amountsOf,
  );
}

function columns({ countsMemory }: ClusterView, [procs, memoryBytes]: Amounts): readonly number[] {
  return countsMemory ? [procs, memoryBytes] : [procs];
}

/** Reservations that are not over; the machine leaves out those that conflict with running jobs. */
function reservedIn(view: ClusterView, { queues }: Room) {
  const { snapshot, nowMs } = view;
  const nodes = new Set(
    snapshot.partitions.filter(({ name }) => queues?.includes(name) ?? true).flatMap((it) => it.nodes),
  );
  return snapshot.reservations
    .filter(({ endAtMs }) => endAtMs > nowMs)
    .flatMap((it) => {
      const names = new Set(it.nodes.filter((name) => nodes.has(name)));
      if (names.size === 0) return [];
      const startMs = Math.max(nowMs, it.startAtMs);
      const need = columns(view, capacityOf(view, names));
      return [{ pool: 0, need, startMs, durationMs: it.endAtMs - startMs }];
    });
}
