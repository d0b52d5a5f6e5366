/**
 * One run of a recorded workload: when each of its jobs starts under some rules.
 */
import { Fault } from "../../base/index.ts";
import { isWorkloadFile } from "../../formats/index.ts";
import type { SimulationRequest, WhatIfRules } from "../../model/index.ts";
import { policiesOf, priorityOf } from "../asked-rules.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import { nothingEnded } from "../workload/facts.ts";
import { playWorkload } from "../workload/play.ts";
import type { DoneJob } from "../workload/play-state.ts";
import { assertPlayable } from "../workload/playable.ts";
import { type PoolChange, prepareWorkload } from "../workload/prepare.ts";
import type { Workload } from "../workload/workload.ts";
import { playWithoutThem } from "./never-started.ts";
import type { BegunWorkload } from "./record-beginning.ts";
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
  readonly endMs: number;
  readonly backfilled: boolean;
  readonly recordedStartMs: number | undefined;
}

/** A run. */
export interface PlayedRecord {
  readonly rules: WhatIfRules;
  readonly begun: BegunWorkload;
  /** In order of the queue; without those that ran at the beginning. */
  readonly started: readonly StartedJob[];
  /** Those that ran at the beginning. */
  readonly underWay: readonly StartedJob[];
  readonly runningWithoutRoom: number;
  /** Left out: jobs that were cancelled before they started, and would have started here. */
  readonly neverStarted: ReadonlySet<string>;
}

/** Request and pools of a simulated record, and the version of Stint. */
export interface RecordPlay {
  readonly request: SimulationRequest;
  readonly changePools: PoolChange;
  readonly version: string;
}

/**
 * Simulates a record. Jobs that were cancelled before they started wait among the others.
 *
 * @param absent the jobs of a play before that are left out here, too; then no others are
 * @throws Fault as `simulateFile`
 */
export async function playRecord(
  { request, changePools, version }: RecordPlay,
  absent?: ReadonlySet<string>,
): Promise<PlayedRecord> {
  const { discipline, stoppedJobs = "requeue", estimates, overrun, trace: file, sampleSlotsMs } = request;
  if (sampleSlotsMs !== undefined) throw samplesMisplaced();
  const isLines = await isWorkloadFile(file);
  const policies = await policiesOfRecord(request, isLines);
  const whole = await preparedRecord(request, { isLines, changePools });
  assertPlayable(request, whole);
  const priority = await priorityOf(request);
  const program = { request, hooks: { version } };
  const rules = { discipline, stoppedJobs, priority, policies, file, program };
  const { begun, played, neverStarted } = await playWithoutThem(
    whole,
    ({ workload, running: underWay }) => playWorkload(workload, { ...rules, underWay }),
    absent,
  );
  const { done } = played;
  if (done.length === 0) throw nothingEnded(file);
  const inOrder = done
    .toSorted((one, other) => one.job.id - other.job.id)
    .map((one) => startedJob(one, begun.eligibleMs[one.job.id]));
  const underWay = done.filter(({ job }) => job.id < begun.running).length;
  return {
    rules: {
      ...{ discipline, estimates, overrun, stoppedJobs, pools: begun.workload.site.pools },
      policies: request.policies?.files ?? [],
    },
    ...{ begun, neverStarted },
    started: inOrder.slice(underWay),
    underWay: inOrder.slice(0, underWay),
    runningWithoutRoom: done.filter(({ job, startMs }) => job.id < begun.running && startMs > 0).length,
  };
}

/** A job that ended, as it is compared. */
export function startedJob({ job, startMs, endMs, backfilled }: DoneJob, eligibleMs: number): StartedJob {
  const { name, queue, group, user, recordedStartMs } = job;
  return {
    name,
    queue,
    group,
    user,
    procs: job.need[0],
    eligibleMs,
    startMs,
    endMs,
    backfilled,
    recordedStartMs,
  };
}

/** The policies, by whose owners a trace in SWF has numbers: its record names user 12 `u12`. */
async function policiesOfRecord(
  request: SimulationRequest,
  isLines: boolean,
): Promise<TracePolicies | undefined> {
  const policies = await policiesOf(request);
  if (policies === undefined || isLines) return policies;
  const { consumerOf } = policies;
  return {
    ...policies,
    consumerOf: ({ user, group }) => consumerOf({ user: user.slice(1), group: group.slice(1) }, true),
  };
}

async function preparedRecord(
  request: SimulationRequest,
  { isLines, changePools }: { readonly isLines: boolean; readonly changePools: PoolChange },
): Promise<Workload> {
  if (isLines) return await prepareWorkload(request, changePools);
  // Its size is in the record's pool, which a change may make another.
  const { procs: _, ...others } = request;
  return await prepareWorkload(others, changePools, swfRecord(request));
}

function samplesMisplaced(): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: "--sample-slots has no effect on a comparison",
    why: "a comparison is of job start times; free slots can only be sampled in a single simulation",
    remedy: "omit it, or simulate the file without --baseline and --what-if",
  });
}
