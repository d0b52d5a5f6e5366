/**
 * The site of a workload in JSON lines: its pools, from the file or from the command line.
 *
 * Resources that no pool says are not scheduled, but for GPUs: where a job asks for one, a pool without a
 * word of them has none.
 */
import { exactProduct, Fault } from "../../base/index.ts";
import { type Amounts, lineFault, type PoolEntry } from "../../formats/workload-jsonl/index.ts";
import type { SimulatedPool, SimulationReport, SimulationRequest } from "../../model/index.ts";

/** The resources that a site schedules, in the order of its vectors. */
export type Resource = "procs" | "memory" | "gpus";

/** A site as a simulation needs it. */
export interface WorkloadSite {
  readonly pools: readonly SimulatedPool[];
  readonly resources: readonly Resource[];
  /** Of one node, by pool and resource; of the whole pool where it has no nodes. */
  readonly perNode: readonly (readonly number[])[];
  /** Nodes by pool; 1 where it has none. */
  readonly nodes: readonly number[];
  /** Of whole pools, by pool and resource. */
  readonly capacity: readonly (readonly number[])[];
  /** True where tasks must be placed on nodes. */
  readonly hasNodes: boolean;
  readonly procs: number;
  readonly procsFrom: SimulationReport["procsFrom"];
}

/**
 * The site that the file or else the options describe.
 *
 * @param asksGpus whether some job needs a GPU
 * @throws Fault `siteMissing`, `optionMisplaced`, `poolTwice`, `poolIncomplete`, `poolTooLarge`
 */
export function siteOf(
  request: SimulationRequest,
  entries: readonly PoolEntry[],
  asksGpus: boolean,
): WorkloadSite {
  const pools = entries.length > 0 ? poolsOfFile(request, entries) : [poolOfOptions(request)];
  const resources: Resource[] = ["procs"];
  if (pools.some(({ memoryBytes }) => memoryBytes !== undefined)) resources.push("memory");
  if (asksGpus || pools.some(({ gpus }) => gpus !== undefined)) resources.push("gpus");
  const perNode = pools.map((pool) => vectorOf(pool, resources));
  const nodes = pools.map((pool) => pool.nodes ?? 1);
  const capacity = perNode.map((amounts, at) => amounts.map((amount) => exactProduct(amount, nodes[at])));
  const tooLarge = capacity.findIndex((amounts) => !amounts.every(Number.isSafeInteger));
  if (tooLarge >= 0) throw poolTooLarge(request.trace, pools[tooLarge].name);
  return {
    ...{ pools, resources, perNode, nodes, capacity },
    hasNodes: pools.some((pool) => pool.nodes !== undefined),
    procs: capacity.reduce((sum, [procs]) => sum + procs, 0),
    procsFrom: entries.length > 0 ? "workload" : "option",
  };
}

/** Amount of each resource that the site schedules; 0 if it is not given. */
export function vectorOf(
  { procs, memoryBytes, gpus }: Amounts | SimulatedPool,
  resources: readonly Resource[],
): readonly number[] {
  const amounts = { procs, memory: memoryBytes ?? 0, gpus: gpus ?? 0 };
  return resources.map((resource) => amounts[resource]);
}

function poolOfOptions({ trace, procs, memoryBytes, gpus }: SimulationRequest): SimulatedPool {
  if (procs === undefined) {
    throw new Fault({
      kind: "badInput",
      code: "siteMissing",
      what: `${trace}: the size of the site is not given`,
      why: "the file has no line of a pool, and there is no --procs",
      remedy: 'add --procs 128 --memory 512G, or a line {"pool": "all", "procs": 128, "memory": "512G"}',
    });
  }
  return said({ name: "site", procs, memoryBytes, gpus, nodes: undefined });
}

function poolsOfFile(request: SimulationRequest, entries: readonly PoolEntry[]): readonly SimulatedPool[] {
  const { trace: file, procs, memoryBytes, gpus } = request;
  if (procs !== undefined || memoryBytes !== undefined || gpus !== undefined) {
    throw new Fault({
      kind: "badInput",
      code: "optionMisplaced",
      what: "--procs, --memory and --gpus have no effect here",
      why: `${file} describes its pools itself`,
      remedy: "remove the options, or the lines of the pools",
    });
  }
  const lineOf = new Map<string, number>();
  for (const { name, line, memoryBytes: bytes } of entries) {
    const earlier = lineOf.get(name);
    if (earlier !== undefined) {
      throw lineFault({ file, line }, 1, {
        code: "poolTwice",
        what: `pool ${name} is described twice`,
        why: `line ${earlier} has it already`,
        remedy: "rename it, or remove one",
      });
    }
    lineOf.set(name, line);
    if ((bytes === undefined) !== (entries[0].memoryBytes === undefined)) {
      throw lineFault({ file, line }, 1, {
        code: "poolIncomplete",
        what: `pool ${name} and pool ${entries[0].name}: one states its memory, the other does not`,
        why: "memory is scheduled in all pools or in none",
        remedy: "write memory for all of them, or for none",
      });
    }
  }
  return entries.map(said);
}

interface Described {
  readonly name: string;
  readonly procs: number;
  readonly memoryBytes: number | undefined;
  readonly gpus: number | undefined;
  readonly nodes: number | undefined;
}

function said({ name, nodes, procs, memoryBytes, gpus }: Described): SimulatedPool {
  return {
    name,
    ...(nodes === undefined ? {} : { nodes }),
    procs,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(gpus === undefined ? {} : { gpus }),
  };
}

function poolTooLarge(file: string, name: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "poolTooLarge",
    what: `${file}: pool ${name} is too large`,
    why: "the total of one of its resources exceeds 2^53",
    remedy: "check the numbers of nodes, processors, memory and GPUs",
  });
}

/**
 * The index of a pool.
 *
 * @throws Fault `poolUnknown`
 */
export function poolNamed(
  { pools }: WorkloadSite,
  name: string,
  place: { readonly file: string; readonly line: number },
): number {
  const at = pools.findIndex((pool) => pool.name === name);
  if (at >= 0) return at;
  throw lineFault(place, 1, {
    code: "poolUnknown",
    what: `there is no pool ${name}`,
    why: `the site has ${pools.map((pool) => pool.name).join(", ")}`,
    remedy: "name one of them, or describe it",
  });
}
