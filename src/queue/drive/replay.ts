/**
 * Replaying a workload through a site: the drive of arrivals, ends and a list of operations (QU-8, QU-17).
 */
import type { Machine } from "../machine.ts";
import { createArrivals, type Feed, feedOf } from "./arrivals.ts";
import { type Actor, createDrive, happen, nextInstantMs, settleInstant } from "./drive.ts";
import { createOperations, type OperationListener, type ReplayOperation } from "./operations.ts";
import type { FinishedJob, ReplayJob } from "./replay-job.ts";
import { arriveAt, createSite, observe, observeEnds } from "./site.ts";

/** Callbacks of a replay; all but `finished` are optional. */
export interface ReplayListener<Job extends ReplayJob = ReplayJob> extends OperationListener {
  finished(finished: FinishedJob<Job>): void;
  started?(job: Job, pool: number, atMs: number, backfilled: boolean): void;
  /** The machine has taken the job; its place is found when the instant is settled. */
  arrived?(job: Job, handle: number): void;
  tooWide?(job: Job): void;
  /** After everything at an instant has happened. */
  settled?(machine: Machine, atMs: number): void;
}

/** A replay under way. */
export interface Replay<Job extends ReplayJob = ReplayJob> extends Feed<Job> {
  readonly machine: Machine;
  /** The job behind a handle of the machine. */
  jobAt(handle: number): Job;
  readonly steps: ReplaySteps<Job>;
}

/** Single steps of a replay. */
interface ReplaySteps<Job extends ReplayJob = ReplayJob> {
  /** Adds the next job; every instant before its submission must have been run. */
  expect(job: Job): void;
  /** Next instant at which an actor or the machine acts, or Infinity. */
  nextInstantMs(): number;
  /** Applies the ends, operations and arrivals of an instant; no instant may be left out. */
  happen(atMs: number): void;
  /** Settles that instant. */
  settle(atMs: number): void;
}

/**
 * Begins a replay on a machine.
 *
 * @param operations in order of time; those of one instant happen in the order given
 */
export function createReplay<Job extends ReplayJob>(
  machine: Machine,
  listener: ReplayListener<Job>,
  operations?: readonly ReplayOperation[],
): Replay<Job> {
  const site = createSite<Job>(machine);
  const { jobs } = site;
  if (listener.arrived !== undefined) {
    observe(site, { arrived: (handle) => listener.arrived?.(jobs[handle], handle) });
  }
  if (listener.started !== undefined) {
    observe(site, {
      started(handle, atMs) {
        const { pool, backfilled } = machine.jobs;
        listener.started?.(jobs[handle], pool[handle], atMs, backfilled[handle] === 1);
      },
    });
  }
  observeEnds(site, (finished) => listener.finished(finished));
  const arrivals = createArrivals<Job>((job, atMs) => {
    if (arriveAt(site, job, atMs) === undefined) listener.tooWide?.(job);
  });
  const actors: Actor[] = [arrivals];
  if (operations !== undefined) actors.push(createOperations(site, operations, listener));
  if (listener.settled !== undefined) {
    actors.push({ settled: (atMs) => listener.settled?.(machine, atMs) });
  }
  const driven = createDrive(site, actors);
  return {
    machine,
    ...feedOf(driven, arrivals),
    jobAt: (handle) => jobs[handle],
    steps: {
      expect: (job) => arrivals.expect(job),
      nextInstantMs: () => nextInstantMs(driven),
      happen: (atMs) => happen(driven, atMs),
      settle: (atMs) => settleInstant(driven, atMs),
    },
  };
}
