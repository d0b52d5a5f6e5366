/**
 * One variant: a workload under its rules, as `stint sim` simulates it, or as `stint sim --what-if` does
 * where it is a record.
 */
import { Fault, MS_PER_SECOND } from "../../base/index.ts";
import type { SimulationSummary } from "../../contract/index.ts";
import type { SimulationReport, UtilisationSeries, WhatIfBaseline } from "../../model/index.ts";
import { MetricsOfRun } from "../metrics.ts";
import { simulateFile } from "../simulate.ts";
import { playRecord, type StartedJob, startedJob } from "../what-if/play-record.ts";
import { baselineOf, comparedJobs } from "../what-if/start-errors.ts";
import type { VariantRequest } from "./variant-request.ts";

/** Most jobs of a simulation in a broker: what a thread holds of them stays below a gigabyte. */
const MOST_JOBS = 300_000;

/** A variant that was simulated. */
export interface PlayedVariant {
  readonly procs: number;
  readonly summary: SimulationSummary;
  /** In order of submission; without those that ran at the beginning of a record. */
  readonly started: readonly StartedJob[];
  readonly underWay: readonly StartedJob[];
  /** Report of the simulation; null for a record. */
  readonly report: SimulationReport | null;
  readonly course: UtilisationSeries | null;
  /** Error against the recorded starts; null where no start is recorded. */
  readonly baseline: WhatIfBaseline | null;
  /** Of a record: jobs that were cancelled before they started, and are left out of every variant. */
  readonly neverStarted: ReadonlySet<string> | undefined;
}

/** Version of the program, and who is told of the fraction that is done. */
export interface VariantHooks {
  readonly version: string;
  readonly onProgress: (fraction: number) => void;
}

/** Simulates a workload from its first job on. @throws Fault as `simulateFile`; `tooManyJobs` */
export async function playTrace(
  { simulation, changePools }: VariantRequest,
  { version, onProgress }: VariantHooks,
): Promise<PlayedVariant> {
  let ended: { readonly id: number; readonly job: StartedJob }[] = [];
  const { report, course } = await simulateFile(simulation, {
    ...{ version, changePools },
    openJobs() {
      ended = [];
      return (done) => {
        if (ended.length >= MOST_JOBS) throw tooManyJobs();
        ended.push({ id: done.job.id, job: startedJob(done, done.job.submitMs) });
      };
    },
    onProgress: ({ readFraction }) => onProgress(readFraction ?? 0),
  });
  ended.sort((one, other) => one.id - other.id);
  return {
    ...{ procs: report.procs, summary: report, started: ended.map(({ job }) => job), underWay: [] },
    ...{ report, course, baseline: null, neverStarted: undefined },
  };
}

/**
 * Simulates a record from its beginning on.
 *
 * @param absent jobs that the first variant left out
 * @throws Fault as `playRecord`; `tooManyJobs`
 */
export async function playRecordedVariant(
  { simulation, changePools }: VariantRequest,
  { version }: VariantHooks,
  absent: ReadonlySet<string> | undefined,
): Promise<PlayedVariant> {
  const played = await playRecord({ request: simulation, changePools, version }, absent);
  const { started, underWay, neverStarted, begun } = played;
  if (started.length > MOST_JOBS) throw tooManyJobs();
  const { procs } = begun.workload.site;
  const compared = comparedJobs(started);
  return {
    ...{ procs, started, underWay, neverStarted, report: null, course: null },
    summary: summaryOf(started, underWay, procs),
    baseline: compared.length === 0 ? null : baselineOf(compared),
  };
}

/** Waits count from eligibility; the machine's use is that of all jobs. */
function summaryOf(
  started: readonly StartedJob[],
  underWay: readonly StartedJob[],
  procs: number,
): SimulationSummary {
  if (started.length === 0) throw nothingToCompare();
  const metrics = new MetricsOfRun();
  for (const { eligibleMs, startMs, endMs, backfilled, procs: size } of started) {
    const job = { id: 0, submitMs: eligibleMs, need: [size], runtimeMs: endMs - startMs, estimateMs: 0 };
    metrics.add({ job, startMs, endMs, backfilled, promisedMs: undefined, pool: 0 });
  }
  const all = [...underWay, ...started];
  const lastEndMs = all.reduce((latest, { endMs }) => Math.max(latest, endMs), 0);
  const busy = all.reduce((sum, { procs: size, startMs, endMs }) => sum + size * (endMs - startMs), 0);
  return {
    ...metrics.summary(procs),
    utilisation: lastEndMs === 0 ? 0 : busy / lastEndMs / procs,
    makespanSec: lastEndMs / MS_PER_SECOND,
  };
}

function nothingToCompare(): Fault {
  return new Fault({
    kind: "badInput",
    code: "nothingToCompare",
    what: "no job starts in the simulated period",
    why: "every job of the workload had started or ended when the period began",
    remedy: "choose a longer period, or a workload in which jobs wait",
  });
}

function tooManyJobs(): Fault {
  return new Fault({
    kind: "badInput",
    code: "tooManyJobs",
    what: "the workload is too long to be simulated in the broker",
    why: `it has more than ${MOST_JOBS} jobs`,
    remedy: "take a part of it, or simulate it with stint sim, which has no such limit",
  });
}
