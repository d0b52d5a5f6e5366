/**
 * Interface of every workload model: jobs, gaps between their arrivals, and a clock.
 *
 * Arrivals happen on the model's own clock, which runs as fast as real time on the average but may run
 * faster by day than by night. Scaling the gaps on that clock changes how many jobs come, and leaves the
 * daily cycle as it is.
 */
import type { Random } from "../../base/index.ts";

/** A job without its place in time. */
export interface DrawnJob {
  /** ≥ 1 and at most the machine's. */
  readonly procs: number;
  /** Whole seconds, ≥ 1. */
  readonly runtimeSec: number;
  /** Requested time of the job. */
  readonly requestSec: number;
  /** From 1; -1 where the model knows no users. */
  readonly user: number;
}

/** A model for one machine, with all its parameters. */
export interface WorkloadModel {
  /** For the header: whose model it is. */
  readonly title: string;
  readonly parameters: Readonly<Record<string, number>>;
  drawJob(random: Random): DrawnJob;
  /** Seconds of the model's clock from one arrival to the next. */
  drawGap(random: Random): number;
  /** Real seconds since midnight of the first day at which the model's clock shows `clockSec`. */
  secondsAt(clockSec: number): number;
}
