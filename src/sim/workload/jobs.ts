/**
 * From the job lines of a workload to the jobs of a simulation, or the reason why one is none (rule SI-1).
 */
import { type Amounts, type JobEntry, lineFault } from "../../formats/workload-jsonl/index.ts";
import type { SimulationRequest, WorkloadFacts } from "../../model/index.ts";
import { emptyNodes, firstFit, type TaskShape } from "../../queue/index.ts";
import { type Resource, vectorOf, type WorkloadSite } from "./site.ts";
import type { WorkloadJob } from "./workload.ts";

/** Why a job is not simulated. */
export type Unfit = "noRuntime" | keyof WorkloadFacts["fitNowhere"];

/** The job of a line, whose `id` and times are still the file's; or why there is none. */
export function workloadJob(
  entry: JobEntry,
  site: WorkloadSite,
  request: SimulationRequest,
): WorkloadJob | Unfit {
  const recordedMs = entry.runtimeMs ?? entry.limitMs ?? 0;
  if (recordedMs === 0) return "noRuntime";
  const limitMs = entry.limitMs ?? recordedMs;
  const isCut = request.overrun === "kill" && recordedMs > limitMs;
  const runtimeMs = isCut ? limitMs : recordedMs;
  const pools = entry.pools?.flatMap((name) => indexOfPool(site, name) ?? []);
  if (pools?.length === 0) return "unknownPool";
  const shape = shapeOf(entry, `job ${entry.id}`, site, request.trace);
  const need = shape.perTask.map((amount) => amount * shape.tasks);
  const named = pools ?? site.pools.map((_, pool) => pool);
  const roomy = named.filter((pool) => fitsEmpty(site, pool, need, shape));
  if (roomy.length === 0) return whatIsScarce(site, named, need);
  return {
    id: entry.line,
    name: entry.id,
    user: entry.user ?? "",
    group: entry.group ?? "",
    queue: entry.queue ?? entry.pools?.join("+") ?? "",
    recordedStartMs: entry.recordedStartMs,
    submitMs: entry.submitMs,
    need,
    memoryBytes: entry.memoryBytes ?? 0,
    gpus: entry.gpus ?? 0,
    runtimeMs,
    estimateMs: request.estimates === "exact" ? runtimeMs : Math.max(runtimeMs, limitMs),
    isCut,
    shape,
    ...poolsToUse(site, pools, roomy),
  };
}

function indexOfPool({ pools }: WorkloadSite, name: string): number | undefined {
  const at = pools.findIndex((pool) => pool.name === name);
  return at < 0 ? undefined : at;
}

/** Entry that is placed on nodes: a job or a reservation. */
type PartedEntry = Amounts & Pick<JobEntry, "line" | "nodes"> & Partial<Pick<JobEntry, "tasksPerNode">>;

/**
 * Rule SI-52: with `nodes` a task is the part of one node; else it is one processor with its part of memory
 * and GPUs. A part of a byte counts as a whole one.
 *
 * @throws Fault `workloadParts` where GPUs cannot be parted; `what` it is, in which file
 */
export function shapeOf(entry: PartedEntry, what: string, site: WorkloadSite, file: string): TaskShape {
  const { nodes, procs, tasksPerNode, gpus, line } = entry;
  if (!site.hasNodes) return { tasks: 1, perTask: vectorOf(entry, site.resources), mostPerNode: 1 };
  const tasks = nodes ?? procs;
  if ((gpus ?? 0) % tasks !== 0) {
    throw lineFault({ file, line }, 1, {
      code: "workloadParts",
      what: `${what}: ${gpus} GPUs cannot be divided equally among ${tasks} tasks`,
      why: "this site has nodes, and without nodes in its line a job has as many tasks as processors",
      remedy: 'state the number of nodes, for instance "nodes": 1',
    });
  }
  const perTask = vectorOf(entry, site.resources).map((amount) => Math.ceil(amount / tasks));
  return { tasks, perTask, mostPerNode: nodes === undefined ? (tasksPerNode ?? tasks) : 1 };
}

/** Rule SI-52: on nodes a job has one pool, the first one that is large enough for it. */
function poolsToUse(
  site: WorkloadSite,
  pools: readonly number[] | undefined,
  roomy: readonly number[],
): Pick<WorkloadJob, "pools"> {
  if (site.hasNodes) return { pools: roomy.slice(0, 1) };
  return pools === undefined ? {} : { pools };
}

function fitsEmpty(site: WorkloadSite, pool: number, need: readonly number[], shape: TaskShape): boolean {
  const { capacity, nodes, perNode, hasNodes } = site;
  if (need.some((amount, c) => amount > capacity[pool][c])) return false;
  return !hasNodes || firstFit(emptyNodes(nodes[pool], perNode[pool]), shape) !== undefined;
}

function whatIsScarce(
  { capacity, resources }: WorkloadSite,
  pools: readonly number[],
  need: readonly number[],
): Resource | "together" {
  return resources.find((_, c) => pools.every((pool) => need[c] > capacity[pool][c])) ?? "together";
}
