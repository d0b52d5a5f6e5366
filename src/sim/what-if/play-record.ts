/**
 * One run of a recorded workload: when each of its jobs starts under some rules.
 */
import type { SimulationRequest, WhatIfRules } from "../../model/index.ts";
import { playWorkload } from "../workload/play.ts";
import type { Played } from "../workload/play-state.ts";
import { type PoolChange, type PreparedWorkload, prepareWorkload } from "../workload/prepare.ts";
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
  /** Left out: jobs that were cancelled before they started, and would have started here. */
  readonly neverStarted: ReadonlySet<string>;
}

/**
 * Plays it.
 *
 * Jobs that the record has as cancelled before they started wait among the others. One of them that would
 * start all the same was kept from it by what the record does not tell (a hold, a dependency, a limit): it
 * would occupy what it never had, so it is left out and the rest is played again, until there is none.
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
  const whole = await prepareWorkload(request, changePools);
  const neverStarted = new Set(absent);
  const playOnce = () => {
    const begun = beginRecord(without(whole, neverStarted));
    return { begun, played: playWorkload(begun.workload, { discipline, stoppedJobs, file }) };
  };
  let last = playOnce();
  while (absent === undefined && noteStarted(last, neverStarted) > 0) last = playOnce();
  const { begun } = last;
  const { done } = last.played;
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

function without(workload: PreparedWorkload, names: ReadonlySet<string>): PreparedWorkload {
  if (names.size === 0) return workload;
  const gone = new Set(workload.jobs.flatMap(({ id, name }) => (names.has(name) ? [id] : [])));
  return {
    ...workload,
    jobs: workload.jobs.filter(({ id }) => !gone.has(id)),
    events: workload.events.filter((event) => event.kind !== "cancel" || !gone.has(event.job)),
  };
}

/** Adds those who started although the record has them as cancelled before; how many they are. */
function noteStarted(
  { begun, played }: { readonly begun: BegunWorkload; readonly played: Played },
  names: Set<string>,
): number {
  const { events } = begun.workload;
  const cancelled = new Set(events.flatMap((event) => (event.kind === "cancel" ? [event.job] : [])));
  const before = names.size;
  for (const { id, name, recordedStartMs } of [...played.done.map(({ job }) => job), ...played.interrupted]) {
    if (recordedStartMs === undefined && cancelled.has(id)) names.add(name);
  }
  return names.size - before;
}
