/**
 * Replay of a trace in columns: for simulations of arrivals and ends only, in order of arrival, without
 * observers. No object is made for a job, except where a row is written for it.
 *
 * Equivalent to offering its jobs one by one to `beginReplay` (a test compares the two).
 */
import { assert } from "../base/index.ts";
import { createPlainReplay, finishedOf, type PlainDiscipline, type PlainOutcome } from "../queue/index.ts";
import type { JobsOut } from "./jobs-out.ts";
import type { MetricsOfRun } from "./metrics.ts";
import type { TraceColumns, TraceJob } from "./trace-job.ts";
import type { UtilisationBins } from "./utilisation-course.ts";

/** A replay in columns, with the receiver of its ended jobs. */
export interface ColumnOrder {
  readonly procs: number;
  readonly discipline: PlainDiscipline;
  readonly metrics: MetricsOfRun;
  readonly bins: UtilisationBins;
  readonly jobsOut: JobsOut | undefined;
}

/** A replay under way; `takeStock` is called between any two calls of the others. */
export interface ColumnReplay {
  offer(jobs: TraceColumns): void;
  finish(): void;
  /** Reports the jobs that ended in the last call; returns the instant of the last end, 0 for none. */
  takeStock(): number;
}

/** Begins a replay in columns. */
export function beginColumnReplay(order: ColumnOrder): ColumnReplay {
  const { procs, discipline, metrics, bins, jobsOut } = order;
  const replay = createPlainReplay(procs, discipline);
  const written = new Map<number, TraceJob>();
  let outcome: PlainOutcome | undefined;
  const writeRows = (out: JobsOut, { ended }: PlainOutcome): void => {
    for (let at = 0; at < ended.count; at++) {
      const job = written.get(ended.order[at]);
      assert(job !== undefined, "a job that is written down comes to one end");
      written.delete(job.order);
      out.add(finishedOf(job, ended, at));
    }
  };
  return {
    offer(jobs) {
      for (const job of jobs.jobs) written.set(job.order, job);
      outcome = replay.offer(jobs);
    },
    finish() {
      outcome = replay.finish();
    },
    takeStock() {
      assert(outcome !== undefined, "stock is taken after a call");
      const { count, procs: procsOf, startMs, endMs } = outcome.ended;
      metrics.addAll(outcome.ended);
      for (let at = 0; at < count; at++) bins.add(procsOf[at], startMs[at], endMs[at]);
      if (jobsOut !== undefined) writeRows(jobsOut, outcome);
      return count === 0 ? 0 : endMs[count - 1];
    },
  };
}
