/**
 * A recorded workload from the beginning of its period on (rule SI-60).
 *
 * What ran then is first in the queue with what was left of its run time and its limit: no discipline makes
 * the first of an empty site wait, so it runs at once, as it did. What waited then comes behind it, in the
 * order in which it was eligible.
 */
import type { RecordBeginning } from "../../model/index.ts";
import type { Workload, WorkloadJob } from "../workload/workload.ts";

/** A workload whose times count from the beginning of its period. */
export interface BegunWorkload {
  readonly workload: Workload;
  /** When each job was eligible, by its id; before 0 where it waited at the beginning. */
  readonly eligibleMs: readonly number[];
  /** Ids of the jobs that ran at the beginning: all below this one. */
  readonly running: number;
  readonly counts: Pick<RecordBeginning, "fromAt" | "running" | "waiting" | "over">;
}

/** Begins a record; where the file has no period, at its first job. */
export function beginRecord(workload: Workload): BegunWorkload {
  const { period, originMs, jobs, events } = workload;
  const fromMs = Math.max(0, (period?.fromMs ?? 0) - originMs);
  // Who comes in the very instant of a look waited then; without a period the first job is the first to come.
  const waitedBeforeMs = period === undefined ? fromMs : fromMs + 1;
  const goneMs = new Map(
    events.flatMap((event) => (event.kind === "cancel" ? [[event.job, event.atMs]] : [])),
  );
  const running: WorkloadJob[] = [];
  const waiting: WorkloadJob[] = [];
  const coming: WorkloadJob[] = [];
  for (const job of jobs) {
    const { recordedStartMs = Number.POSITIVE_INFINITY, submitMs, runtimeMs, id } = job;
    if ((goneMs.get(id) ?? Number.POSITIVE_INFINITY) <= fromMs) continue;
    if (recordedStartMs < fromMs) {
      if (recordedStartMs + runtimeMs > fromMs) running.push(remaining(job, fromMs - recordedStartMs));
    } else if (submitMs < waitedBeforeMs) waiting.push(job);
    else coming.push(job);
  }
  running.sort((one, other) => (one.recordedStartMs ?? 0) - (other.recordedStartMs ?? 0));
  const kept = [...running, ...waiting, ...coming];
  const idOf = new Map(kept.map((job, id) => [job.id, id]));
  return {
    workload: {
      ...workload,
      jobs: kept.map((job, id) => shifted(job, id, fromMs)),
      events: eventsFrom(workload, idOf, fromMs),
      originMs: originMs + fromMs,
    },
    eligibleMs: kept.map(({ submitMs }) => submitMs - fromMs),
    running: running.length,
    counts: {
      fromAt: period === undefined ? null : new Date(period.fromMs).toISOString(),
      ...{ running: running.length, waiting: waiting.length, over: jobs.length - kept.length },
    },
  };
}

/** Remainder of a job that has run for `elapsedMs`. */
function remaining(job: WorkloadJob, elapsedMs: number): WorkloadJob {
  const runtimeMs = job.runtimeMs - elapsedMs;
  return { ...job, runtimeMs, estimateMs: Math.max(runtimeMs, job.estimateMs - elapsedMs) };
}

function shifted(job: WorkloadJob, id: number, fromMs: number): WorkloadJob {
  const { submitMs, recordedStartMs } = job;
  return {
    ...job,
    id,
    submitMs: Math.max(0, submitMs - fromMs),
    recordedStartMs: recordedStartMs === undefined ? undefined : recordedStartMs - fromMs,
  };
}

function eventsFrom(
  { events }: Workload,
  idOf: ReadonlyMap<number, number>,
  fromMs: number,
): Workload["events"] {
  return events.flatMap((event): Workload["events"] => {
    if (event.kind === "cancel") {
      const job = idOf.get(event.job);
      return job === undefined ? [] : [{ ...event, job, atMs: event.atMs - fromMs }];
    }
    if (event.untilMs <= fromMs) return [];
    return [{ ...event, atMs: Math.max(0, event.atMs - fromMs), untilMs: event.untilMs - fromMs }];
  });
}
