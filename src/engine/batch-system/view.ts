/**
 * A look at a cluster, indexed: what every question about one of its jobs needs to find quickly.
 *
 * Cost: one pass over jobs, nodes and partitions.
 */
import type {
  ClusterJob,
  ClusterNode,
  ClusterPartition,
  ClusterQos,
  ClusterReservation,
  ClusterSnapshot,
  SchedulingRules,
} from "../../model/index.ts";

/** A snapshot with its indexes. */
export interface ClusterView extends SchedulingRules {
  readonly snapshot: ClusterSnapshot;
  readonly nowMs: number;
  readonly nodes: ReadonlyMap<string, ClusterNode>;
  readonly partitions: ReadonlyMap<string, ClusterPartition>;
  readonly qos: ReadonlyMap<string, ClusterQos>;
  readonly reservations: ReadonlyMap<string, ClusterReservation>;
  readonly jobs: ReadonlyMap<string, ClusterJob>;
  /** The entries of each array, by the array's id. */
  readonly arrays: ReadonlyMap<string, readonly ClusterJob[]>;
  /** For each node the reservations that have something of it. */
  readonly reservedOn: ReadonlyMap<string, readonly ClusterReservation[]>;
  /** Of each partition what its nodes have in common: the most threads of a core, and the least memory. */
  readonly nodeKinds: ReadonlyMap<string, NodeKind>;
}

/** Properties of the nodes of a partition. */
interface NodeKind {
  readonly threadsPerCore: number;
  readonly leastMemoryBytes: number;
}

/** Indexes a snapshot. */
export function viewOf(snapshot: ClusterSnapshot): ClusterView {
  const jobs = new Map<string, ClusterJob>();
  const arrays = new Map<string, ClusterJob[]>();
  for (const job of snapshot.jobs) {
    jobs.set(job.siteJob, job);
    if (job.arrayJob !== null) append(arrays, job.arrayJob, job);
  }
  const nodes = byName(snapshot.nodes);
  return {
    ...snapshot.scheduling,
    snapshot,
    nowMs: snapshot.atMs,
    nodes,
    partitions: byName(snapshot.partitions),
    qos: byName(snapshot.qos),
    reservations: byName(snapshot.reservations),
    jobs,
    arrays,
    reservedOn: reservedOn(snapshot),
    nodeKinds: new Map(snapshot.partitions.map((it) => [it.name, nodeKindOf(it, nodes)])),
  };
}

/**
 * The entry in which a job is, by the id that people know it by; an array's id finds what is left of it
 * to start, else its first entry. Undefined where the snapshot has no such job.
 */
export function findJob({ jobs, arrays }: ClusterView, id: string): ClusterJob | undefined {
  const found = jobs.get(id);
  if (found !== undefined) return found;
  const [array = "", task] = id.split("_");
  const entries = arrays.get(array);
  if (entries === undefined) return undefined;
  if (task === undefined) return entries.find(({ count }) => count > 1) ?? entries[0];
  return entries.find(({ arrayTasks }) => hasTask(arrayTasks ?? "", Number(task)));
}

/** Adds to the list of a key. */
function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** `5,7,9-20:2%2` */
function hasTask(tasks: string, task: number): boolean {
  return tasks
    .replace(/%.*/, "")
    .split(",")
    .some((part) => {
      const match = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(part);
      if (match === null) return false;
      const first = Number(match[1]);
      const last = Number(match[2] ?? match[1]);
      const step = Math.max(1, Number(match[3] ?? 1));
      return task >= first && task <= last && (task - first) % step === 0;
    });
}

function nodeKindOf(partition: ClusterPartition, nodes: ReadonlyMap<string, ClusterNode>): NodeKind {
  const its = partition.nodes.flatMap((name) => nodes.get(name) ?? []);
  return {
    threadsPerCore: its.reduce((most, node) => Math.max(most, node.threadsPerCore), 1),
    leastMemoryBytes:
      its.length === 0 ? 0 : its.reduce((least, node) => Math.min(least, node.memoryBytes), Infinity),
  };
}

function byName<Named extends { readonly name: string }>(some: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(some.map((one) => [one.name, one]));
}

function reservedOn({ reservations }: ClusterSnapshot): ReadonlyMap<string, readonly ClusterReservation[]> {
  const found = new Map<string, ClusterReservation[]>();
  for (const reservation of reservations) {
    for (const node of reservation.nodes) append(found, node, reservation);
  }
  return found;
}
