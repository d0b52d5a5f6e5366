/**
 * Replaying a workload through a site: the event loop of virtual time.
 *
 * The driver of the site machine in simulations. Jobs are offered in order of submission as they are
 * read; every instant before the newest submission is then played to its end, so memory grows with the
 * jobs in the system and not with the trace. Rules QU-8, QU-17.
 */
import { assert, popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { advance, wakeAt } from "./advance.ts";
import { jobState } from "./job-table.ts";
import type { Machine } from "./machine.ts";
import { arrive, cancel, end, hold, release, resume, suspend, type WrongState } from "./operations.ts";
import {
  createRun,
  finishedJob,
  noteOnSite,
  type OperationRefusal,
  type ReplayJob,
  type ReplayListener,
  type ReplayOperation,
  type ReplayRun,
} from "./replay-run.ts";
import { cancelReservation, reserve } from "./reservations.ts";

/** A replay under way. */
export interface Replay<Job extends ReplayJob = ReplayJob> {
  readonly machine: Machine;
  /** Hands over the next job; submissions must not go back in time. */
  offer(job: Job): void;
  /** Plays everything to the last end. Jobs that nobody releases or resumes stay where they are. */
  finish(): void;
  /** The job behind a handle of the machine. */
  jobAt(handle: number): Job;
  readonly steps: ReplaySteps<Job>;
}

/** The same in single steps, for a driver that stands between what happens and who starts (QU-21). */
interface ReplaySteps<Job extends ReplayJob = ReplayJob> {
  /** Takes the next job; every instant before its submission must have been played. */
  expect(job: Job): void;
  /** When something next happens by itself, or Infinity. */
  nextInstantMs(): number;
  /** Tells the machine what ends, is operated and arrives at this instant; none may be left out. */
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
  operations: readonly ReplayOperation[] = [],
): Replay<Job> {
  const run = createRun(machine, listener, operations);
  return {
    machine,
    offer: (job) => offer(run, job),
    finish: () => playUntil(run, Number.POSITIVE_INFINITY),
    jobAt: (handle) => run.onSite.jobs[handle],
    steps: {
      expect: (job) => expectNext(run, job),
      nextInstantMs: () => nextInstant(run),
      happen: (atMs) => happen(run, atMs),
      settle: (atMs) => settle(run, atMs),
    },
  };
}

function offer<Job extends ReplayJob>(run: ReplayRun<Job>, job: Job): void {
  playUntil(run, job.submitMs);
  expectNext(run, job);
}

function expectNext<Job extends ReplayJob>(run: ReplayRun<Job>, job: Job): void {
  assert(job.runtimeMs > 0 && job.runtimeMs <= job.estimateMs, "0 < runtime ≤ estimate");
  const latestMs = run.arrivingCount > 0 ? run.arrivingAtMs : run.machine.nowMs;
  assert(job.submitMs >= latestMs, "jobs are offered in order of submission");
  run.arriving[run.arrivingCount++] = job;
  run.arrivingAtMs = job.submitMs;
}

/** Plays every instant before `untilMs`. */
function playUntil<Job extends ReplayJob>(run: ReplayRun<Job>, untilMs: number): void {
  for (;;) {
    const atMs = nextInstant(run);
    if (atMs >= untilMs) return;
    happen(run, atMs);
    settle(run, atMs);
  }
}

function nextInstant<Job extends ReplayJob>(run: ReplayRun<Job>): number {
  const { operations, nextOperation } = run;
  let atMs = Math.min(run.arrivingAtMs, smallestKey(run.ends), wakeAt(run.machine));
  if (nextOperation < operations.length) atMs = Math.min(atMs, operations[nextOperation].atMs);
  return atMs;
}

function happen<Job extends ReplayJob>(run: ReplayRun<Job>, atMs: number): void {
  while (smallestKey(run.ends) === atMs) endOne(run, popHeap(run.ends), atMs);
  while (run.operations[run.nextOperation]?.atMs === atMs) {
    operate(run, run.operations[run.nextOperation++], atMs);
  }
  if (run.arrivingAtMs === atMs) letArrive(run, atMs);
}

function settle<Job extends ReplayJob>(run: ReplayRun<Job>, atMs: number): void {
  const starts = advance(run.machine, atMs);
  notePromises(run);
  for (let i = 0; i < starts.count; i++) startOne(run, starts.handles[i], atMs);
  run.listener.settled?.(run.machine, atMs);
}

function endOne<Job extends ReplayJob>(run: ReplayRun<Job>, handle: number, atMs: number): void {
  const { onSite, machine } = run;
  if (onSite.endMs[handle] !== atMs) return;
  onSite.endMs[handle] = Number.NaN;
  end(machine, handle, atMs);
  run.handleOf?.delete(onSite.jobs[handle].id);
  run.listener.finished(finishedJob(run, handle));
}

function letArrive<Job extends ReplayJob>(run: ReplayRun<Job>, atMs: number): void {
  const { onSite, machine } = run;
  for (let i = 0; i < run.arrivingCount; i++) {
    const job = run.arriving[i];
    const arrived = arrive(machine, job, atMs);
    if (!arrived.ok) {
      run.listener.tooWide?.(job);
      continue;
    }
    const handle = arrived.value;
    noteOnSite(onSite, handle, job);
    run.arrived[run.arrivedCount++] = handle;
    run.handleOf?.set(job.id, handle);
    run.listener.arrived?.(job, handle);
  }
  // Emptied by counting: setting an array's length gives its memory back each time.
  run.arrivingCount = 0;
  run.arrivingAtMs = Number.POSITIVE_INFINITY;
}

/** Remembers what was promised to the jobs that arrived at this instant. */
function notePromises<Job extends ReplayJob>(run: ReplayRun<Job>): void {
  const { arrived, arrivedCount, machine, onSite } = run;
  if (isPlanning(machine.rules.discipline)) {
    for (let i = 0; i < arrivedCount; i++) {
      onSite.promisedMs[arrived[i]] = machine.jobs.startMs[arrived[i]];
    }
  }
  run.arrivedCount = 0;
}

function startOne<Job extends ReplayJob>(run: ReplayRun<Job>, handle: number, atMs: number): void {
  const { onSite, machine } = run;
  const endMs = atMs + onSite.restMs[handle];
  onSite.endMs[handle] = endMs;
  if (Number.isNaN(onSite.firstStartMs[handle])) onSite.firstStartMs[handle] = atMs;
  pushHeap(run.ends, endMs, handle);
  const { pool, backfilled } = machine.jobs;
  run.listener.started?.(onSite.jobs[handle], pool[handle], atMs, backfilled[handle] === 1);
}

function operate<Job extends ReplayJob>(run: ReplayRun<Job>, operation: ReplayOperation, atMs: number): void {
  const refusal = carryOut(run, operation, atMs);
  if (refusal === undefined) run.listener.operated?.(operation);
  else run.listener.refused?.(operation, refusal);
}

function carryOut<Job extends ReplayJob>(
  run: ReplayRun<Job>,
  operation: ReplayOperation,
  atMs: number,
): OperationRefusal | undefined {
  const { machine } = run;
  if (operation.kind === "reserve") return reserve(machine, operation.reservation, operation.fixed, atMs);
  if (operation.kind === "cancelReservation") {
    return cancelReservation(machine, operation.reservation, atMs);
  }
  const handle = run.handleOf?.get(operation.job);
  if (handle === undefined) return { kind: "unknownJob", job: operation.job };
  switch (operation.kind) {
    case "hold":
      return hold(machine, handle, atMs);
    case "release":
      return release(machine, handle, atMs);
    case "resume":
      return resume(machine, handle, atMs);
    case "suspend":
      return suspendOne(run, handle, atMs);
    case "cancel":
      return cancelOne(run, handle, atMs);
  }
}

function suspendOne<Job extends ReplayJob>(
  run: ReplayRun<Job>,
  handle: number,
  atMs: number,
): WrongState | undefined {
  const refusal = suspend(run.machine, handle, atMs);
  if (refusal !== undefined) return refusal;
  run.onSite.restMs[handle] = run.onSite.endMs[handle] - atMs;
  run.onSite.endMs[handle] = Number.NaN;
  return undefined;
}

function cancelOne<Job extends ReplayJob>(
  run: ReplayRun<Job>,
  handle: number,
  atMs: number,
): WrongState | undefined {
  assert(run.machine.jobs.state[handle] !== jobState.none, "a job with an id is at the site");
  run.onSite.endMs[handle] = Number.NaN;
  run.handleOf?.delete(run.onSite.jobs[handle].id);
  return cancel(run.machine, handle, atMs);
}
