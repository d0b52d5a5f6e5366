/**
 * The metrics of a run (rule SI-5); bounded slowdown after [F97].
 */
import { ExactSum, exactProduct, MS_PER_SECOND } from "../base/index.ts";
import type { SimulationReport } from "../model/index.ts";
import type { EndedJobs, FinishedJob } from "../queue/index.ts";
import { Distribution } from "./distribution.ts";

/** Below this a runtime counts as this long in the bounded slowdown (the usual threshold, [F97]). */
const SLOWDOWN_FLOOR_MS = 10 * MS_PER_SECOND;

/** Bounded slowdown of a job ([F97]), at least 1. */
export function boundedSlowdown(responseMs: number, runtimeMs: number): number {
  return Math.max(1, responseMs / Math.max(runtimeMs, SLOWDOWN_FLOOR_MS));
}

/** The part of a report that is computed from finished jobs. */
export type Metrics = Pick<
  SimulationReport,
  | "jobs"
  | "backfilled"
  | "waitMeanSec"
  | "waitMedianSec"
  | "waitP95Sec"
  | "waitP99Sec"
  | "waitMaxSec"
  | "responseMeanSec"
  | "responseMedianSec"
  | "responseP95Sec"
  | "responseP99Sec"
  | "responseMaxSec"
  | "boundedSlowdownMean"
  | "boundedSlowdownMedian"
  | "boundedSlowdownP95"
  | "boundedSlowdownP99"
  | "boundedSlowdownMax"
  | "utilisation"
  | "makespanSec"
>;

/** Takes finished jobs one by one. */
export class MetricsOfRun {
  readonly #waits = new Distribution();
  readonly #responses = new Distribution();
  readonly #slowdowns = new Distribution();
  readonly #waitSum = new ExactSum();
  readonly #responseSum = new ExactSum();
  readonly #busySum = new ExactSum();
  #slowdownSum = 0;
  #jobs = 0;
  #backfilled = 0;
  #lastEndMs = 0;

  /** Jobs taken so far. */
  get jobs(): number {
    return this.#jobs;
  }

  add({ job, startMs, endMs, backfilled }: FinishedJob): void {
    this.#jobs++;
    if (backfilled) this.#backfilled++;
    this.#addTimes(startMs - job.submitMs, endMs - job.submitMs, job.runtimeMs);
    this.#busySum.add(exactProduct(job.need[0], job.runtimeMs));
    this.#lastEndMs = Math.max(this.#lastEndMs, endMs);
  }

  /** Takes all that ended, in columns. */
  addAll({ count, submitMs, procs, runtimeMs, startMs, endMs, backfilled }: EndedJobs): void {
    this.#jobs += count;
    for (let at = 0; at < count; at++) {
      this.#backfilled += backfilled[at];
      this.#addTimes(startMs[at] - submitMs[at], endMs[at] - submitMs[at], runtimeMs[at]);
      this.#busySum.add(exactProduct(procs[at], runtimeMs[at]));
      this.#lastEndMs = Math.max(this.#lastEndMs, endMs[at]);
    }
  }

  #addTimes(waitMs: number, responseMs: number, runtimeMs: number): void {
    const slowdown = boundedSlowdown(responseMs, runtimeMs);
    this.#waits.add(waitMs);
    this.#responses.add(responseMs);
    this.#slowdowns.add(slowdown);
    this.#waitSum.add(waitMs);
    this.#responseSum.add(responseMs);
    this.#slowdownSum += slowdown;
  }

  /** The metrics over all jobs taken; at least one. The first submission is instant 0. */
  summary(procs: number): Metrics {
    return {
      jobs: this.#jobs,
      backfilled: this.#backfilled,
      waitMeanSec: this.#waitSum.dividedBy(this.#jobs) / MS_PER_SECOND,
      waitMedianSec: this.#waits.quantile(0.5) / MS_PER_SECOND,
      waitP95Sec: this.#waits.quantile(0.95) / MS_PER_SECOND,
      waitP99Sec: this.#waits.quantile(0.99) / MS_PER_SECOND,
      waitMaxSec: this.#waits.quantile(1) / MS_PER_SECOND,
      responseMeanSec: this.#responseSum.dividedBy(this.#jobs) / MS_PER_SECOND,
      responseMedianSec: this.#responses.quantile(0.5) / MS_PER_SECOND,
      responseP95Sec: this.#responses.quantile(0.95) / MS_PER_SECOND,
      responseP99Sec: this.#responses.quantile(0.99) / MS_PER_SECOND,
      responseMaxSec: this.#responses.quantile(1) / MS_PER_SECOND,
      boundedSlowdownMean: this.#slowdownSum / this.#jobs,
      boundedSlowdownMedian: this.#slowdowns.quantile(0.5),
      boundedSlowdownP95: this.#slowdowns.quantile(0.95),
      boundedSlowdownP99: this.#slowdowns.quantile(0.99),
      boundedSlowdownMax: this.#slowdowns.quantile(1),
      utilisation: this.#busySum.dividedBy(this.#lastEndMs) / procs,
      makespanSec: this.#lastEndMs / MS_PER_SECOND,
    };
  }
}
