/**
 * From the runs of an accounting to the jobs of a workload, in order of their eligible time.
 *
 * A run that follows another of the same id (a requeue, or an id that was used again) is a job of its own,
 * `17#2`, whose wait counts from the end of the one before. A job that was cancelled while it ran is one
 * that ends by itself: whenever a simulation starts it, it runs as long as it did.
 */
import type { ImportCounts, SkipReason } from "./sacct-counts.ts";
import type { SacctRun } from "./sacct-run.ts";

/** A job of the workload. Times are Unix ms. */
export interface ImportedJob {
  readonly id: string;
  readonly run: SacctRun;
  readonly submittedMs: number;
  readonly eligibleMs: number;
  /** Undefined for a job that never started, or started at an unknown time. */
  readonly startMs: number | undefined;
  /** Undefined: as long as its limit. */
  readonly runtimeMs: number | undefined;
  readonly limitMs: number | undefined;
  /** Instant of a cancellation before the start. */
  readonly withdrawnMs: number | undefined;
}

/** The time of which the record is; either end may be open. */
export interface ImportPeriod {
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
}

/** Options that turn runs into jobs. */
export interface JobRules {
  readonly period: ImportPeriod;
  /** The limit of a partition, for jobs without one of their own; null: none. */
  readonly limitOf: (partition: string) => number | null | undefined;
  /** True for a partition of the site. */
  readonly isKnown: (partition: string) => boolean;
  /** To be simulated, a job needs a run time or a limit; to tell how long jobs waited, it does not. */
  readonly isReplayed: boolean;
}

/** A job still running this long after its limit counts as not running. */
const LATE_MS = 24 * 3_600_000;

/** The jobs; `counts` is added to. */
export function jobsOfRuns(
  runs: readonly SacctRun[],
  rules: JobRules,
  counts: ImportCounts,
): readonly ImportedJob[] {
  const earlier = new Map<string, { readonly count: number; readonly endMs: number }>();
  const jobs: ImportedJob[] = [];
  for (const run of runs.toSorted((one, other) => one.submittedMs - other.submittedMs)) {
    if (run.id.kind === "step") counts.skipped.step++;
    for (const id of run.id.ids) {
      const before = earlier.get(id);
      const count = (before?.count ?? 0) + 1;
      earlier.set(id, { count, endMs: run.endMs ?? before?.endMs ?? 0 });
      const named = count === 1 ? id : `${id}#${count}`;
      const job = jobOf(named, run, before?.endMs ?? 0, rules);
      const reason = typeof job === "string" ? job : whyOutside(job, rules);
      if (typeof job === "string" || reason !== undefined) {
        if (reason !== undefined) counts.skipped[reason]++;
        continue;
      }
      jobs.push(job);
      countIn(counts, job, count > 1);
    }
  }
  return jobs.sort((one, other) => one.eligibleMs - other.eligibleMs);
}

function jobOf(id: string, run: SacctRun, freeMs: number, rules: JobRules): ImportedJob | SkipReason {
  const { ending, elapsedMs, procs } = run;
  const { limitOf, isReplayed } = rules;
  const limitMs = run.limitMs ?? limitOf(run.partitions[0] ?? "") ?? undefined;
  if (procs === 0) return "noProcs";
  const hasRun = run.startMs !== null || ending === "ended" || ending === "running" || elapsedMs > 0;
  if (!hasRun) {
    const isTimeless = limitMs === undefined && isReplayed;
    const reason = outOfSight(run, freeMs) ?? (isTimeless ? "timeUnknown" : undefined);
    return reason ?? queuedOnly(id, run, limitMs, freeMs);
  }
  if (ending === "running") {
    if (limitMs !== undefined && elapsedMs > limitMs + LATE_MS) return "runaway";
  } else if (elapsedMs === 0 && (isReplayed || run.startMs === null)) return "noTime";
  const longest = run.startMs ?? Number.POSITIVE_INFINITY;
  return {
    ...{ id, run, limitMs },
    ...askedWhen(run, freeMs, longest),
    startMs: run.startMs ?? undefined,
    // Of what still runs nobody knows more than that its limit will end it.
    runtimeMs: ending === "running" ? Math.max(limitMs ?? 0, elapsedMs) || undefined : elapsedMs,
    withdrawnMs: undefined,
  };
}

/** Why a job that never started was not there to be started. */
function outOfSight({ endMs, eligibleMs }: SacctRun, freeMs: number): SkipReason | undefined {
  if (endMs === null && eligibleMs === null) return "held";
  const isGone = eligibleMs === null || (endMs !== null && endMs <= Math.max(eligibleMs, freeMs));
  return isGone ? "neverEligible" : undefined;
}

function queuedOnly(id: string, run: SacctRun, limitMs: number | undefined, freeMs: number): ImportedJob {
  return {
    ...{ id, run, limitMs, startMs: undefined, runtimeMs: undefined },
    ...askedWhen(run, freeMs, Number.POSITIVE_INFINITY),
    withdrawnMs: run.endMs ?? undefined,
  };
}

/** Submission and eligibility, never later than the start, whatever the record contains. */
function askedWhen({ submittedMs, eligibleMs }: SacctRun, freeMs: number, latestMs: number) {
  const fromMs = Math.max(submittedMs, eligibleMs ?? submittedMs);
  const isAfterAnother = freeMs <= latestMs;
  const eligible = Math.min(isAfterAnother ? Math.max(fromMs, freeMs) : fromMs, latestMs);
  return { submittedMs: Math.min(submittedMs, eligible), eligibleMs: eligible };
}

function whyOutside(job: ImportedJob, { period, isKnown }: JobRules): SkipReason | undefined {
  const { run, eligibleMs, startMs, runtimeMs, withdrawnMs } = job;
  if (run.partitions.length > 0 && !run.partitions.some(isKnown)) return "partitionGone";
  if (eligibleMs >= (period.untilMs ?? Number.POSITIVE_INFINITY)) return "afterPeriod";
  const ranUntilMs = startMs === undefined ? run.endMs : startMs + (runtimeMs ?? 0);
  const goneMs = withdrawnMs ?? (run.ending === "running" ? null : ranUntilMs);
  return goneMs !== null && goneMs <= (period.fromMs ?? 0) ? "beforePeriod" : undefined;
}

function countIn(counts: ImportCounts, { run, startMs, limitMs }: ImportedJob, isAgain: boolean): void {
  counts.jobs++;
  if (startMs !== undefined) counts.started++;
  else if (run.ending === "ended" || run.elapsedMs > 0) counts.startUnknown++;
  if (run.ending === "running") counts.running++;
  if (run.ending === "waiting") counts.waiting++;
  if (run.ending === "withdrawn" && run.elapsedMs === 0) counts.withdrawn++;
  if (isAgain) counts.requeued++;
  if (run.id.kind === "part") counts.parts++;
  if (run.id.isThrottled) counts.throttled++;
  if (limitMs === undefined) counts.unlimited++;
}
