/**
 * One run of a recorded workload: when each of its jobs starts under some rules.
 */
import { Fault } from "../../base/index.ts";
import { isWorkloadFile } from "../../formats/workload-jsonl/index.ts";
import type { SimulationRequest, WhatIfRules } from "../../model/index.ts";
import { playWorkload } from "../workload/play.ts";
import { type PoolChange, type PreparedWorkload, prepareWorkload } from "../workload/prepare.ts";
import {
  assertPlayable,
  nothingEnded,
  playedDiscipline,
  playedPriority,
} from "../workload/simulate-workload.ts";
import { playWithoutThem } from "./never-started.ts";
import { type BegunWorkload, beginRecord } from "./record-beginning.ts";
import { swfRecord } from "./swf-record.ts";

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
  /** Left out: jobs that were cancelled before they started, and would have started here. */
  readonly neverStarted: ReadonlySet<string>;
}

/**
 * Plays it. Jobs that the record has as cancelled before they started wait among the others.
 *
 * @param absent the jobs of a play before that are left out here, too; then no others are
 * @throws Fault as `simulateWorkload`
 */
export async function playRecord(
  request: SimulationRequest,
  changePools: PoolChange,
  absent?: ReadonlySet<string>,
): Promise<PlayedRecord> {
  assertPlayable(request);
  const discipline = playedDiscipline(request);
  const { stoppedJobs = "requeue", estimates, overrun, trace: file } = request;
  const whole = await preparedRecord(request, changePools);
  const priority = await playedPriority(request, whole);
  if (priority !== undefined && beginRecord(whole).running > 0) throw runningFirst();
  const { begun, played, neverStarted } = playWithoutThem(
    whole,
    ({ workload }) => playWorkload(workload, { discipline, stoppedJobs, priority, file }),
    absent,
  );
  const { done } = played;
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
    ...{ begun, started, neverStarted },
    runningWithoutRoom: done.filter(({ job, startMs }) => job.id < begun.running && startMs > 0).length,
  };
}

async function preparedRecord(
  request: SimulationRequest,
  changePools: PoolChange,
): Promise<PreparedWorkload> {
  if (await isWorkloadFile(request.trace)) return await prepareWorkload(request, changePools);
  // Its size is in the record's pool, which a change may make another.
  const { procs: _, ...others } = request;
  return await prepareWorkload(others, changePools, swfRecord(request));
}

function runningFirst(): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "--priority means nothing for this record",
    why: "what ran when its period began has to be first in the queue",
    remedy: "leave it out, or take a record that begins with an empty site",
  });
}
