/**
 * Which nodes could take a part of a job, and whether several of them together take all of it.
 */
import type { ClusterNode, ClusterPartition, FeatureExpression, FeatureRule } from "../../model/index.ts";
import type { JobShape } from "./job-shape.ts";

/** Amounts of a node that a job can use. */
export interface NodeRoom {
  readonly procs: number;
  readonly memoryBytes: number;
  readonly gpus: number;
}

const OUT = new Set([
  "DOWN",
  "DRAIN",
  "DRAINED",
  "DRAINING",
  "ERROR",
  "FAIL",
  "FAILING",
  "FUTURE",
  "INVAL",
  "INVALID_REG",
  "NOT_RESPONDING",
  "UNKNOWN",
]);

/** True if a node is out of service and starts no jobs until it is returned to service. */
export function isOut({ states }: ClusterNode): boolean {
  return states.some((state) => OUT.has(state));
}

/** Everything that a node has. */
export function wholeOf(node: ClusterNode, type: string | null): NodeRoom {
  return { procs: node.procs, memoryBytes: node.memoryBytes, gpus: gpusOf(node, type) };
}

/** Free amounts of a node. Where the types of allocated GPUs are unknown, all GPUs count as one type. */
export function freeOf(node: ClusterNode, type: string | null): NodeRoom {
  const taken = type === null ? undefined : node.allocatedGpuTypes?.[type];
  const free = Math.max(0, gpusOf(node, null) - node.allocatedGpus);
  return {
    procs: Math.max(0, node.procs - node.allocatedProcs),
    memoryBytes: Math.max(0, node.memoryBytes - node.allocatedMemoryBytes),
    gpus: Math.min(Math.max(0, gpusOf(node, type) - (taken ?? 0)), free),
  };
}

/** GPUs of a type, or of all types. */
export function gpusOf({ gpus }: ClusterNode, type: string | null): number {
  if (type !== null) return gpus[type] ?? 0;
  return Object.values(gpus).reduce((sum, count) => sum + count, 0);
}

/** Number of the job's tasks that fit; 0 where none does. */
export function tasksIn(room: NodeRoom, shape: JobShape, partition: ClusterPartition | undefined): number {
  const most = Math.min(room.procs, partition?.maxProcsPerNode ?? Number.POSITIVE_INFINITY);
  const bytesPerNode = shape.bytesPerNode + shape.coreBytesPerNode;
  if (room.gpus < shape.gpusPerNode || room.memoryBytes < bytesPerNode) return 0;
  const byProcs = Math.floor(most / shape.procsPerTask);
  const left = room.memoryBytes - bytesPerNode;
  const byMemory = shape.bytesPerTask === 0 ? byProcs : Math.floor(left / shape.bytesPerTask);
  return Math.max(0, Math.min(byProcs, byMemory, shape.tasksPerNode));
}

/** True if nodes with room for these numbers of tasks can run the whole job. */
export function takesAll(tasksOnNodes: readonly number[], shape: JobShape): boolean {
  const roomy = tasksOnNodes.filter((tasks) => tasks > 0);
  if (roomy.length < shape.nodes) return false;
  // A job with GPUs takes the nodes that it says: on more of them it would have more GPUs.
  const used = shape.gpusPerNode > 0 ? roomy.sort((a, b) => b - a).slice(0, shape.nodes) : roomy;
  return used.reduce((sum, tasks) => sum + tasks, 0) >= shape.tasks;
}

/** True if a node has the features that a job requests. */
export function hasFeatures({ features }: ClusterNode, rule: FeatureRule | null): boolean {
  return rule === null || rule.needs === null || meets(rule.needs, features);
}

function meets(needs: FeatureExpression, features: readonly string[]): boolean {
  if (needs.kind === "feature") return features.includes(needs.name);
  const isMet = (one: FeatureExpression): boolean => meets(one, features);
  return needs.kind === "all" ? needs.of.every(isMet) : needs.of.some(isMet);
}
