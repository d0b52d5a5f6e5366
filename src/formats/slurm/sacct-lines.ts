/**
 * An imported workload as the lines of its file. Instants are dates in UTC, lengths are seconds.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import type { ImportedJob, ImportPeriod } from "./sacct-jobs.ts";
import type { Disguise } from "./sacct-names.ts";
import type { ImportedPool } from "./sacct-pools.ts";

/** What is written. */
export interface ImportedWorkload {
  readonly period: ImportPeriod;
  readonly pools: readonly ImportedPool[];
  readonly jobs: readonly ImportedJob[];
  readonly disguise: Disguise;
}

/** The lines, each with its end: the period, the pools, then each job with its cancellation. */
export function* workloadLines({ period, pools, jobs, disguise }: ImportedWorkload): Generator<string> {
  if (period.fromMs !== undefined) {
    yield line({ period: instant(period.fromMs), until: instant(period.untilMs) });
  }
  const hasGpus = pools.some(({ gpus }) => gpus > 0);
  for (const { name, procs, memoryBytes, gpus } of pools) {
    yield line({ pool: name, procs, memory: size(memoryBytes), gpus: hasGpus ? gpus : undefined });
  }
  const poolOf = new Map(pools.flatMap(({ name, partitions }) => partitions.map((one) => [one, name])));
  for (const job of jobs) {
    yield line(jobLine(job, poolOf, disguise));
    if (job.withdrawnMs !== undefined) yield line({ cancel: job.id, at: instant(job.withdrawnMs) });
  }
}

type Value = string | number | readonly string[] | undefined;

function jobLine(
  { id, run, submittedMs, eligibleMs, startMs, runtimeMs, limitMs }: ImportedJob,
  poolOf: ReadonlyMap<string, string>,
  disguise: Disguise,
): Readonly<Record<string, Value>> {
  // A partition in which nothing ran has no pool, and a job of it alone fits nowhere.
  const names = run.partitions.length === 0 ? [""] : run.partitions;
  const pools = [...new Set(names.map((partition) => poolOf.get(partition) ?? partition))].filter(Boolean);
  const isEven = run.procs % run.nodes === 0 && run.gpus % run.nodes === 0;
  return {
    job: id,
    submit: instant(eligibleMs),
    submitted: submittedMs === eligibleMs ? undefined : instant(submittedMs),
    recordedStart: instant(startMs),
    runtime: seconds(runtimeMs),
    limit: seconds(limitMs),
    procs: run.procs,
    memory: size(run.memoryBytes),
    gpus: run.gpus === 0 ? undefined : run.gpus,
    nodes: isEven ? run.nodes : undefined,
    pools: pools.length === 0 ? undefined : pools,
    queue: run.partitions.length === 0 ? undefined : run.partitions.join(","),
    user: run.user === undefined ? undefined : disguise("user", run.user),
    group: run.account === undefined ? undefined : disguise("account", run.account),
  };
}

/** What is undefined is left out. */
function line(fields: Readonly<Record<string, Value>>): string {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${said.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(", ")}}\n`;
}

function instant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().replace(".000Z", "Z");
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / MS_PER_SECOND;
}

const UNITS = [
  ["G", 1024 ** 3],
  ["M", 1024 ** 2],
] as const;

/** In the largest unit of which it is a whole number. */
function size(bytes: number | undefined): string | number | undefined {
  if (bytes === undefined || bytes === 0) return bytes;
  const unit = UNITS.find(([, unitBytes]) => bytes % unitBytes === 0);
  return unit === undefined ? bytes : `${bytes / unit[1]}${unit[0]}`;
}
