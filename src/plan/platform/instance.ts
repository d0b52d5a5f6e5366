/**
 * A workflow on a platform, as planners calculate with it: typed arrays by task, site and resource.
 *
 * Runtimes and transfers are rounded up to whole milliseconds, so that every plan holds in exact arithmetic.
 * Resources that no task needs, or that every site has without limit, have no column.
 */
import { accepted, counted, type Result, refused, sizeText } from "../../base/index.ts";
import type { Workflow, WorkflowProblem } from "../workflow/index.ts";
import type { Link, Platform, PlatformSite } from "./platform.ts";

/** Task v at site s is entry `v · siteCount + s`; need of v in column k is `v · columnCount + k`. */
export interface Instance {
  readonly workflow: Workflow;
  readonly platform: Platform;
  readonly taskCount: number;
  readonly siteCount: number;
  /** Runtime including the stage-in of input files; infinity if the task does not fit into the site. */
  readonly runtimeMs: Float64Array;
  /** Names of the columns: procs, memory, gpus, and those of the files. */
  readonly columns: readonly string[];
  readonly needs: Float64Array;
  /** Capacity of site s in column k is entry `s · columnCount + k`. */
  readonly capacity: Float64Array;
  /** From site a to b: entry `a · siteCount + b`. */
  readonly latencyMs: Float64Array;
  readonly bytesPerMs: Float64Array;
  /** True where the platform says which slots are for sale. */
  readonly hasSlots: boolean;
}

/** The instance, or what the platform lacks. */
export function instanceOf(
  workflow: Workflow,
  platform: Platform,
): Result<Instance, readonly WorkflowProblem[]> {
  const columns = columnsOf(workflow, platform);
  const [taskCount, siteCount] = [workflow.tasks.length, platform.sites.length];
  const needs = Float64Array.from(
    workflow.tasks.flatMap((task) => columns.map((name) => amount(task, name))),
  );
  const capacity = Float64Array.from(
    platform.sites.flatMap((site) => columns.map((name) => limit(site, name))),
  );
  const runtimeMs = new Float64Array(taskCount * siteCount);
  const problems: WorkflowProblem[] = [];
  for (let task = 0; task < taskCount; task++) {
    let fits = false;
    for (const [site, { name, speed }] of platform.sites.entries()) {
      const { runtimeMs: base, runtimesMs = {} } = workflow.tasks[task];
      const own = runtimesMs[name] ?? (base === undefined ? Number.POSITIVE_INFINITY : base / speed);
      const isWide = columns.some(
        (_, k) => needs[task * columns.length + k] > capacity[site * columns.length + k],
      );
      const wholeMs = Math.ceil(own) + stageInMs(workflow.tasks[task], name, platform);
      runtimeMs[task * siteCount + site] = isWide ? Number.POSITIVE_INFINITY : wholeMs;
      fits ||= !isWide && Number.isFinite(own);
    }
    if (!fits) problems.push(tooWide(workflow.tasks[task], platform, columns));
  }
  const links = linksOf(platform, workflow, problems);
  const hasSlots = platform.sites.some(({ slots }) => slots !== undefined);
  if (problems.length > 0) return refused(problems);
  const sizes = { taskCount, siteCount, hasSlots };
  return accepted({ ...sizes, workflow, platform, runtimeMs, columns, needs, capacity, ...links });
}

/**
 * Time to transfer the input files of a task to its site, over the platform's `link`, since the files may be
 * at no site of the platform. The time is 0 without such a link, and if the site has all of the files.
 */
export function stageInMs(
  { inputs = [] }: Pick<Workflow["tasks"][number], "inputs">,
  site: string,
  { link }: Pick<Platform, "link">,
): number {
  const away = inputs.filter(({ at = [] }) => !at.includes(site));
  if (link === undefined || away.length === 0) return 0;
  const bytes = away.reduce((sum, file) => sum + file.bytes, 0);
  return link.latencyMs + Math.ceil((bytes * 1000) / link.bytesPerSec);
}

/** Time that bytes take between two sites, zero within one. */
export function transferMs(instance: Instance, bytes: number, from: number, to: number): number {
  if (from === to) return 0;
  const pair = from * instance.siteCount + to;
  return instance.latencyMs[pair] + Math.ceil(bytes / instance.bytesPerMs[pair]);
}

const PROCS = "procs";
const MEMORY = "memory";
const GPUS = "gpus";

function columnsOf({ tasks }: Workflow, { sites }: Platform): readonly string[] {
  const names = new Set(tasks.flatMap(({ amounts }) => Object.keys(amounts)));
  return [PROCS, MEMORY, GPUS, ...names].filter(
    (name) =>
      (name === PROCS && sites.some(({ slots }) => slots !== undefined)) ||
      (tasks.some((task) => amount(task, name) > 0) &&
        sites.some((site) => limit(site, name) < Number.POSITIVE_INFINITY)),
  );
}

function amount(
  task: Pick<Workflow["tasks"][number], "procs" | "memoryBytes" | "gpus" | "amounts">,
  name: string,
): number {
  if (name === PROCS) return task.procs;
  if (name === MEMORY) return task.memoryBytes;
  return name === GPUS ? task.gpus : (task.amounts[name] ?? 0);
}

/** A site that says nothing of its memory has enough of it; of GPUs and the rest it has none. */
function limit({ procs, memoryBytes, gpus, amounts }: PlatformSite, name: string): number {
  if (name === PROCS) return procs;
  if (name === MEMORY) return memoryBytes ?? Number.POSITIVE_INFINITY;
  return name === GPUS ? (gpus ?? 0) : (amounts?.[name] ?? 0);
}

function linksOf(
  { sites, link, pairs }: Platform,
  { parentOf }: Workflow,
  problems: WorkflowProblem[],
): Pick<Instance, "latencyMs" | "bytesPerMs"> {
  const latencyMs = new Float64Array(sites.length ** 2);
  const bytesPerMs = new Float64Array(sites.length ** 2);
  const unlinked: string[] = [];
  const between = (a: string, b: string): Link | undefined =>
    pairs.findLast(({ from, to }) => (from === a && to === b) || (from === b && to === a)) ?? link;
  for (const [from, { name: a }] of sites.entries()) {
    for (const [to, { name: b }] of sites.entries()) {
      const known = from === to ? NO_DISTANCE : between(a, b);
      if (known === undefined) unlinked.push(`${a} and ${b}`);
      latencyMs[from * sites.length + to] = known?.latencyMs ?? 0;
      bytesPerMs[from * sites.length + to] = (known ?? NO_DISTANCE).bytesPerSec / 1000;
    }
  }
  if (unlinked.length > 0 && parentOf.length > 0) problems.push(noLink(unlinked[0]));
  return { latencyMs, bytesPerMs };
}

const NO_DISTANCE: Link = { latencyMs: 0, bytesPerSec: Number.POSITIVE_INFINITY };

function tooWide(
  task: Workflow["tasks"][number],
  { sites }: Platform,
  columns: readonly string[],
): WorkflowProblem {
  const short = columns.flatMap((name) => {
    const [needed, most] = [amount(task, name), Math.max(...sites.map((site) => limit(site, name)))];
    return needed <= most
      ? []
      : [`it needs ${amountText(name, needed)}, and no site has ${mostText(name, most)}`];
  });
  const isTimed =
    task.runtimeMs !== undefined || sites.some(({ name }) => task.runtimesMs?.[name] !== undefined);
  const other = isTimed ? "no site has all that it needs at once" : "its runtime is known for no site";
  return {
    code: "taskTooWide",
    what: `task ${task.id} fits into no site`,
    why: short.length === 0 ? other : short.join("; "),
    remedy: "make the task smaller, or include a site that is large enough",
  };
}

function mostText(name: string, most: number): string {
  return most <= 0 ? "any" : `more than ${amountText(name, most)}`;
}

function amountText(name: string, count: number): string {
  if (name === PROCS) return counted(count, "processor");
  if (name === GPUS) return counted(count, "GPU");
  return name === MEMORY ? `${sizeText(count)} of memory` : `${count} of ${name}`;
}

const noLink = (pair: string): WorkflowProblem => ({
  code: "linkMissing",
  what: `the platform has no link between ${pair}`,
  why: "tasks of the workflow exchange data, and the transfer time between these sites is unknown",
  remedy: "add for instance links: { bandwidth: 10Gbit/s, latency: 5ms }",
});
