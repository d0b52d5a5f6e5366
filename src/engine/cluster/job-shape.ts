/**
 * What a waiting job needs, as tasks that each stay on one node.
 *
 * A batch system shows processors, tasks and nodes. We take all tasks as equal, memory and GPUs as equal
 * on all nodes, and the number of nodes as the least; a job with GPUs takes exactly so many. The most nodes
 * that a job accepts is not shown, so real jobs may be less flexible.
 */
import type { ClusterJob, ClusterPartition } from "../../model/index.ts";
import type { ClusterView } from "./view.ts";

/** A job's need. Bytes are 0 where memory is not handed out. */
export interface JobShape {
  readonly tasks: number;
  readonly procsPerTask: number;
  /** Infinity where as many tasks share a node as find room there. */
  readonly tasksPerNode: number;
  readonly nodes: number;
  readonly bytesPerTask: number;
  readonly bytesPerNode: number;
  readonly gpusPerNode: number;
  /** The type of its GPUs; null where any will do. */
  readonly gpuType: string | null;
  readonly isWholeNodes: boolean;
}

/** The need of a job in a partition. */
export function shapeOf(view: ClusterView, job: ClusterJob, partition?: ClusterPartition): JobShape {
  const procs = Math.max(1, job.procs);
  const nodes = Math.max(1, job.nodeCount);
  // Where a job has not said how many tasks, systems write numbers that are none.
  const isSaid = job.tasks >= 1 && job.tasks <= procs;
  const tasks = Math.max(nodes, isSaid ? job.tasks : procs);
  const bytes = view.countsMemory ? memoryOf(job, procs, partition) : { perProc: 0, perNode: 0 };
  const procsPerTask = Math.max(1, Math.ceil(procs / tasks));
  const isExclusive = partition?.oversubscribe.startsWith("EXCLUSIVE") ?? false;
  return {
    tasks,
    procsPerTask,
    tasksPerNode: job.tasksPerNode ?? Number.POSITIVE_INFINITY,
    nodes,
    bytesPerTask: bytes.perProc * procsPerTask,
    bytesPerNode: bytes.perNode,
    gpusPerNode: Math.ceil(job.gpus / nodes),
    gpuType: gpuTypeOf(job),
    isWholeNodes: view.wholeNodesOnly || job.isExclusive || isExclusive,
  };
}

function memoryOf(job: ClusterJob, procs: number, partition: ClusterPartition | undefined) {
  if (job.memoryPerProcBytes !== null) return { perProc: job.memoryPerProcBytes, perNode: 0 };
  if (job.memoryPerNodeBytes !== null) return { perProc: 0, perNode: job.memoryPerNodeBytes };
  if (job.memoryBytes !== null) return { perProc: Math.ceil(job.memoryBytes / procs), perNode: 0 };
  return {
    perProc: partition?.defaultMemoryPerProcBytes ?? 0,
    perNode: partition?.defaultMemoryPerNodeBytes ?? 0,
  };
}

function gpuTypeOf({ tres }: ClusterJob): string | null {
  const typed = Object.keys(tres).find((name) => name.startsWith("gres/gpu:"));
  return typed === undefined ? null : typed.slice("gres/gpu:".length);
}
