/**
 * The nodes of a cluster as pools of a site machine: disjoint sets of nodes with equal partitions.
 *
 * A pool has the processors, memory and GPUs of its nodes in service together. What that leaves out: that
 * a task needs its share on one node, types of GPUs, and features but for those that no node of a pool has.
 */
import type { ClusterJob, ClusterNode } from "../../model/index.ts";
import { shapeOf } from "./job-shape.ts";
import { gpusOf, hasFeatures, isOut, tasksIn, wholeOf } from "./node-fit.ts";
import type { ClusterView } from "./view.ts";

/** Amounts in the order of a machine's columns: processors, bytes, GPUs. */
export type Amounts = readonly [procs: number, memoryBytes: number, gpus: number];

/** One pool. */
export interface NodeClass {
  readonly partitions: readonly string[];
  /** Those in service. */
  readonly nodes: readonly ClusterNode[];
  readonly capacity: Amounts;
}

/** The longest that anything is planned for: what has no time limit. */
export const ENDLESS_MS = 365 * 86_400_000;

/** Resource request of a job to a machine. */
export interface ResourceRequest {
  readonly need: Amounts;
  readonly limitMs: number;
  readonly pools: readonly number[];
  /** True for a request that must stay in one pool: one task, or GPUs of one node. */
  readonly isOnOneNode?: boolean;
}

/** The pools of a cluster; nodes of no partition are in none. */
export function nodeClasses({ snapshot, nodes }: ClusterView): readonly NodeClass[] {
  const partitionsOf = new Map<string, string[]>();
  for (const { name, nodes: its } of snapshot.partitions) {
    for (const node of its) {
      const list = partitionsOf.get(node);
      if (list === undefined) partitionsOf.set(node, [name]);
      else list.push(name);
    }
  }
  const classes = new Map<
    string,
    { readonly partitions: readonly string[]; readonly nodes: ClusterNode[] }
  >();
  for (const [name, partitions] of partitionsOf) {
    const node = nodes.get(name);
    if (node === undefined) continue;
    const key = partitions.join(",");
    const found = classes.get(key) ?? { partitions, nodes: [] };
    classes.set(key, found);
    if (!isOut(node)) found.nodes.push(node);
  }
  return [...classes.values()].map((it) => ({ ...it, capacity: sumOf(it.nodes, amountsOf) }));
}

/** Everything that a node has. */
export function amountsOf(node: ClusterNode): Amounts {
  return [node.procs, node.memoryBytes, gpusOf(node, null)];
}

/** Amounts of a node allocated to jobs, at most the node's total. */
export function allocatedOf(node: ClusterNode): Amounts {
  const [procs, memoryBytes, gpus] = amountsOf(node);
  return [
    Math.min(procs, node.allocatedProcs),
    Math.min(memoryBytes, node.allocatedMemoryBytes),
    Math.min(gpus, node.allocatedGpus),
  ];
}

/** Amounts of several things together. */
export function sumOf<Thing>(things: readonly Thing[], of: (thing: Thing) => Amounts): Amounts {
  return things.reduce<Amounts>((sum, thing) => plus(sum, of(thing)), [0, 0, 0]);
}

/** Column by column. */
export function plus([a, b, c]: Amounts, [x, y, z]: Amounts): Amounts {
  return [a + x, b + y, c + z];
}

/** Column by column, never below nothing. */
export function less([a, b, c]: Amounts, [x, y, z]: Amounts): Amounts {
  return [Math.max(0, a - x), Math.max(0, b - y), Math.max(0, c - z)];
}

/** The smaller of each column. */
export function atMost([a, b, c]: Amounts, [x, y, z]: Amounts): Amounts {
  return [Math.min(a, x), Math.min(b, y), Math.min(c, z)];
}

/** True if no amount of `need` exceeds the one in `amounts`. */
export function isWithin(need: Amounts, amounts: Amounts): boolean {
  return need.every((amount, column) => amount <= amounts[column]);
}

/** Request of a job in some partitions of the machine; undefined where no node could ever run it. */
export function requestOf(
  view: ClusterView,
  classes: readonly NodeClass[],
  job: ClusterJob,
  partitions: readonly string[],
): ResourceRequest | undefined {
  const known = partitions.flatMap((name) => view.partitions.get(name) ?? []);
  // The need is one for all pools: that of a partition which shares nodes, where one does.
  const partition = known.find(({ oversubscribe }) => !oversubscribe.startsWith("EXCLUSIVE")) ?? known[0];
  const shape = shapeOf(view, job, partition);
  const isAble = (node: ClusterNode): boolean =>
    hasFeatures(node, job.features) && tasksIn(wholeOf(node, shape.gpuType), shape, partition) > 0;
  const pools: number[] = [];
  const able: ClusterNode[] = [];
  classes.forEach((it, pool) => {
    if (!it.partitions.some((name) => partitions.includes(name))) return;
    const nodes = it.nodes.filter(isAble);
    if (nodes.length > 0) pools.push(pool);
    able.push(...nodes);
  });
  if (pools.length === 0) return undefined;
  const limitMs = Math.max(1, Math.min(job.limitMs ?? partition?.maxTimeMs ?? ENDLESS_MS, ENDLESS_MS));
  const gpus = shape.nodes * shape.gpusPerNode;
  const procs = shape.tasks * shape.procsPerTask;
  const isOnOneNode = shape.tasks === 1 || (gpus > 0 && shape.nodes === 1);
  if (shape.isWholeNodes) {
    const count = Math.max(shape.nodes, Math.ceil(procs / Math.max(...able.map((node) => node.procs))));
    const bytes = view.countsMemory ? Math.min(...able.map((node) => node.memoryBytes)) : 0;
    const whole = count * Math.min(...able.map((node) => node.procs));
    return { need: [whole, count * bytes, gpus], limitMs, pools, isOnOneNode };
  }
  const threads = view.countsCores ? Math.max(1, able[0].threadsPerCore) : 1;
  const rounded = Math.ceil(procs / shape.nodes / threads) * threads * shape.nodes;
  const bytes =
    shape.tasks * shape.bytesPerTask + shape.nodes * (shape.bytesPerNode + shape.coreBytesPerNode);
  const taken = Math.max(procs, threads > 1 ? rounded : procs);
  return { need: [taken, bytes, gpus], limitMs, pools, isOnOneNode };
}
