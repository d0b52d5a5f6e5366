/**
 * One run of a recorded workload: when each of its jobs starts under some rules.
 */
import type { SimulationRequest, WhatIfRules } from "../../model/index.ts";
import { playWorkload } from "../workload/play.ts";
import { type PoolChange, prepareWorkload } from "../workload/prepare.ts";
import { assertPlayable, nothingEnded, playedDiscipline } from "../workload/simulate-workload.ts";
import { type BegunWorkload, beginRecord } from "./record-beginning.ts";

/** A job that started and came to its end. Times count from the beginning of the record. */
export interface StartedJob {
  /** As the file calls it. */
  readonly name: string;
  readonly queue: string;
  readonly group: string;
  readonly user: string;
  readonly procs: number;
  readonly eligibleMs: number;
  readonly startMs: number;
  readonly recordedStartMs: number | undefined;
}

/** A run. */
export interface PlayedRecord {
  readonly rules: WhatIfRules;
  readonly begun: BegunWorkload;
  /** In order of the queue; without those that ran at the beginning. */
  readonly started: readonly StartedJob[];
  readonly runningWithoutRoom: number;
}

/**
 * Plays it.
 *
 * @throws Fault as `simulateWorkload`
 */
export async function playRecord(request: SimulationRequest, changePools: PoolChange): Promise<PlayedRecord> {
  assertPlayable(request);
  const discipline = playedDiscipline(request);
  const { stoppedJobs = "requeue", estimates, overrun, trace: file } = request;
  const begun = beginRecord(await prepareWorkload(request, changePools));
  const { done } = playWorkload(begun.workload, { discipline, stoppedJobs, file });
  if (done.length === 0) throw nothingEnded(file);
  const started = done
    .filter(({ job }) => job.id >= begun.running)
    .toSorted((one, other) => one.job.id - other.job.id)
    .map(({ job, startMs }): StartedJob => {
      const { name, queue, group, user, recordedStartMs } = job;
      const eligibleMs = begun.eligibleMs[job.id];
      return { name, queue, group, user, procs: job.need[0], eligibleMs, startMs, recordedStartMs };
    });
  return {
    rules: { discipline, estimates, overrun, stoppedJobs, pools: begun.workload.site.pools },
    ...{ begun, started },
    runningWithoutRoom: done.filter(({ job, startMs }) => job.id < begun.running && startMs > 0).length,
  };
}
