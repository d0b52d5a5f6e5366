/**
 * The size of a job, from what batch systems say of it: tasks, nodes, processors of each, memory of each.
 *
 * Stint counts processors, memory and GPUs of the whole job.
 */

/** Parts of a size, as directives say them. */
export interface Size {
  readonly procs?: number;
  readonly nodes?: number;
  readonly tasks?: number;
  readonly tasksPerNode?: number;
  readonly procsPerTask?: number;
  readonly memoryBytes?: number;
  readonly memoryPerNodeBytes?: number;
  readonly memoryPerProcBytes?: number;
  readonly memoryPerTaskBytes?: number;
  readonly memoryPerGpuBytes?: number;
  readonly gpus?: number;
  readonly gpusPerNode?: number;
  readonly gpusPerTask?: number;
}

/** A size as Stint has it; absent where nothing was said. */
export interface WholeSize {
  readonly procs?: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
}

/** Both sizes together: what `later` says of memory or of GPUs replaces all that was said of them. */
export function joinedSize(earlier: Size, later: Size): Size {
  const kinds = Object.keys(later).map(kindOf);
  const kept = Object.entries(earlier).filter(
    ([name]) => kindOf(name) === "procs" || !kinds.includes(kindOf(name)),
  );
  return { ...Object.fromEntries(kept), ...later };
}

/** Kind of a part of a size. */
export function kindOf(name: string): "procs" | "memoryBytes" | "gpus" {
  if (name.startsWith("memory")) return "memoryBytes";
  return name.startsWith("gpus") ? "gpus" : "procs";
}

/** The size of the whole job; undefined where it is too large to be counted exactly. */
export function wholeSize(size: Size): WholeSize | undefined {
  const tasks = tasksOf(size);
  const nodes = size.nodes ?? (size.tasksPerNode === undefined ? 1 : Math.ceil(tasks / size.tasksPerNode));
  const procs = size.procs ?? Math.max(tasks * (size.procsPerTask ?? 1), nodes);
  const gpus = gpusOf(size, nodes, tasks);
  const memoryBytes = memoryOf(size, { procs, nodes, tasks, gpus: gpus ?? 1 });
  const saysProcs = Object.keys(size).some((name) => kindOf(name) === "procs");
  const whole = { ...(saysProcs && { procs }), ...given({ memoryBytes }), ...given({ gpus }) };
  return Object.values(whole).every(Number.isSafeInteger) ? whole : undefined;
}

function tasksOf({ tasks, nodes, tasksPerNode = 1 }: Size): number {
  return tasks ?? (nodes ?? 1) * tasksPerNode;
}

function gpusOf({ gpus, gpusPerNode, gpusPerTask }: Size, nodes: number, tasks: number): number | undefined {
  if (gpus !== undefined) return gpus;
  if (gpusPerNode !== undefined) return gpusPerNode * nodes;
  return gpusPerTask === undefined ? undefined : gpusPerTask * tasks;
}

interface Counts {
  readonly procs: number;
  readonly nodes: number;
  readonly tasks: number;
  readonly gpus: number;
}

function memoryOf(size: Size, { procs, nodes, tasks, gpus }: Counts): number | undefined {
  const { memoryBytes, memoryPerNodeBytes, memoryPerProcBytes, memoryPerTaskBytes, memoryPerGpuBytes } = size;
  if (memoryBytes !== undefined) return memoryBytes;
  if (memoryPerNodeBytes !== undefined) return memoryPerNodeBytes * nodes;
  if (memoryPerProcBytes !== undefined) return memoryPerProcBytes * procs;
  if (memoryPerTaskBytes !== undefined) return memoryPerTaskBytes * tasks;
  return memoryPerGpuBytes === undefined ? undefined : memoryPerGpuBytes * gpus;
}

function given(one: Readonly<Record<string, number | undefined>>): WholeSize {
  return Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));
}
