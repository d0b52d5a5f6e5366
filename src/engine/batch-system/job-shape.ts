/**
 * Shape of a waiting job: tasks that each stay on one node.
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
  /** Memory per processor comes with the processors that make its last core whole, too: so much on a node. */
  readonly coreBytesPerNode: number;
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
  const bytes = view.countsMemory ? memoryOf(view, job, partition) : NO_MEMORY;
  const procsPerTask = Math.max(1, Math.ceil(procs / tasks)) * bytes.procsForOne;
  const isExclusive = partition?.oversubscribe.startsWith("EXCLUSIVE") ?? false;
  const threads = view.countsCores ? kindOf(view, partition).threadsPerCore : 1;
  const onNode = Math.ceil((tasks * procsPerTask) / nodes);
  return {
    tasks,
    procsPerTask,
    tasksPerNode: job.tasksPerNode ?? Number.POSITIVE_INFINITY,
    nodes,
    bytesPerTask: bytes.perProc * procsPerTask,
    bytesPerNode: bytes.perNode,
    coreBytesPerNode: bytes.perProc * (Math.ceil(onNode / threads) * threads - onNode),
    gpusPerNode: Math.ceil(job.gpus / nodes),
    gpuType: gpuTypeOf(job),
    isWholeNodes: view.wholeNodesOnly || job.isExclusive || isExclusive,
  };
}

const NO_MEMORY = { perProc: 0, perNode: 0, procsForOne: 1 };

/** Node properties that every job of a partition shares. */
function kindOf(view: ClusterView, partition: ClusterPartition | undefined) {
  return view.nodeKinds.get(partition?.name ?? "") ?? { threadsPerCore: 1, leastMemoryBytes: 0 };
}

/**
 * A job's memory: as it says, else by the rules of its partition. Where nothing is said and nobody has set
 * what then holds, Slurm gives all that a node has. More for a processor than the most there is, also as a
 * part of what is asked for a node, makes a processor `procsForOne` of them.
 */
function memoryOf(view: ClusterView, job: ClusterJob, partition: ClusterPartition | undefined) {
  const whole = view.givesWholeMemory ? kindOf(view, partition).leastMemoryBytes : 0;
  const asked = askedMemory(job, partition) ?? { perProc: 0, perNode: whole };
  const most = partition?.maxMemoryPerProcBytes ?? null;
  if (most === null) return { ...asked, procsForOne: 1 };
  if (asked.perProc > most) {
    return { perProc: most, perNode: 0, procsForOne: Math.ceil(asked.perProc / most) };
  }
  const procsOnNode = Math.ceil(Math.max(1, job.procs) / Math.max(1, job.nodeCount));
  const procsForOne = Math.max(1, Math.ceil(asked.perNode / (most * procsOnNode)));
  return { ...asked, procsForOne };
}

function askedMemory(job: ClusterJob, partition: ClusterPartition | undefined) {
  const procs = Math.max(1, job.procs);
  const usual = partition?.defaultMemoryPerProcBytes ?? null;
  if (job.memoryPerProcBytes !== null) return { perProc: job.memoryPerProcBytes, perNode: 0 };
  if (job.memoryPerNodeBytes !== null) {
    // Of a job with one processor a node both are written alike.
    const isPerProc = job.memoryPerNodeBytes === usual && procs === Math.max(1, job.nodeCount);
    const bytes = job.memoryPerNodeBytes;
    return isPerProc ? { perProc: bytes, perNode: 0 } : { perProc: 0, perNode: bytes };
  }
  if (job.memoryBytes !== null) return { perProc: Math.ceil(job.memoryBytes / procs), perNode: 0 };
  if (usual !== null) return { perProc: usual, perNode: 0 };
  const perNode = partition?.defaultMemoryPerNodeBytes ?? null;
  return perNode === null ? undefined : { perProc: 0, perNode };
}

function gpuTypeOf({ tres }: ClusterJob): string | null {
  const typed = Object.keys(tres).find((name) => name.startsWith("gres/gpu:"));
  return typed === undefined ? null : typed.slice("gres/gpu:".length);
}
