/**
 * Jobs that ended at a site as the lines of a workload file: a record of their period.
 *
 * Waits count from the submission to the broker; time before an earlier run, a hold or a dependency is part
 * of them.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { instant, type Line, written } from "./write-line.ts";

/** A job that started and ended. Instants are Unix ms. */
export interface PastJob {
  readonly id: string;
  readonly user: string;
  readonly group: string;
  readonly submittedAtMs: number;
  readonly startedAtMs: number;
  /** Time that it ran, in ms; at least 1 is written. */
  readonly ranMs: number;
  readonly limitMs: number;
  readonly procs: number;
  readonly memoryBytes: number | undefined;
  readonly gpus: number | undefined;
}

/** A period at a site. Instants are Unix ms. */
export interface PastPeriod {
  readonly site: string;
  readonly procs: number;
  readonly memoryBytes: number | undefined;
  readonly gpus: number | undefined;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly jobs: readonly PastJob[];
}

/** The lines, without their ends: the period, the site as one pool, and its jobs. */
export function pastLines({ site, fromMs, untilMs, jobs, ...amounts }: PastPeriod): readonly string[] {
  const { procs, memoryBytes: memory, gpus } = amounts;
  return [
    { period: instant(fromMs), until: instant(untilMs) },
    { pool: site, procs, memory, gpus },
    ...jobs.map((job) => jobLine(job, memory !== undefined)),
  ].map(written);
}

function jobLine(job: PastJob, countsMemory: boolean): Line {
  return {
    job: job.id,
    submit: instant(job.submittedAtMs),
    recordedStart: instant(job.startedAtMs),
    runtime: Math.max(1, job.ranMs) / MS_PER_SECOND,
    limit: job.limitMs / MS_PER_SECOND,
    procs: job.procs,
    memory: countsMemory ? job.memoryBytes : undefined,
    gpus: job.gpus,
    user: job.user,
    group: job.group === "" ? undefined : job.group,
  };
}
