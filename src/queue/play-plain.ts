/**
 * Playing the instants of the plain case: one pool of processors, arrivals and ends, nobody who looks on.
 *
 * Equivalent to `happen` and `settle` of `replay`, that is to the verbs of `operations` and to `advance`:
 * the machine is left in the same state. It differs for speed in these ways:
 * 1. What the verbs ask of any caller (phases, needs, pools, states) is known here, and not asked.
 * 2. A job that arrives and starts at once is never put into the queue.
 * 3. It is few functions. A simulation that is over in a second spends most of it in code that is not
 *    compiled yet, and compiling takes longer the more there is of it.
 */
import { popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { earliestOneColumn, advance as forgetPast, freeAt, shiftOneColumn } from "../profile/index.ts";
import { sortByArrival } from "./advance.ts";
import { easyClassicalPass, startOneColumn } from "./easy-classical.ts";
import { giveHandleBack, jobState, takeHandle } from "./job-table.ts";
import { appendTo, type Machine, noteFreed } from "./machine.ts";
import { nextPlanned, schedule, unschedule } from "./planned-starts.ts";
import { compress, repack } from "./planning.ts";
import { forgetStarted } from "./queueing.ts";
import { finishedJob, noteOnSite, type ReplayJob, type ReplayRun } from "./replay-run.ts";
import { dequeue } from "./waiting.ts";

/** Whether a replay is of this kind, and stays so. */
export function isPlainReplay<Job extends ReplayJob>(run: ReplayRun<Job>): boolean {
  const { machine, listener, operations } = run;
  const { pools, jobs, rules } = machine;
  const isOneColumn = pools.length === 1 && jobs.need.length === 1;
  const isBuiltIn = rules.discipline !== "external" && rules.priority === undefined;
  const looksOn = listener.arrived ?? listener.started ?? listener.settled;
  return isOneColumn && isBuiltIn && looksOn === undefined && operations.length === 0;
}

/** Plays every instant before `untilMs`, on a machine without reservations. */
export function playPlain<Job extends ReplayJob>(run: ReplayRun<Job>, untilMs: number): void {
  const { machine, ends } = run;
  const { plannedStarts, started, rules } = machine;
  const plans = isPlanning(rules.discipline);
  for (;;) {
    const planned = nextPlanned(plannedStarts);
    const plannedMs = planned < 0 ? Number.POSITIVE_INFINITY : machine.jobs.startMs[planned];
    const atMs = Math.min(run.arrivingAtMs, smallestKey(ends), plannedMs);
    if (atMs >= untilMs) return;
    machine.nowMs = atMs;
    forgetPast(machine.pools[0], atMs);
    started.count = 0;
    if (smallestKey(ends) === atMs) endDue(run);
    if (plans) settlePlanned(run);
    else settleQueued(run);
    if (started.count > 0) beginStarted(run);
  }
}

function endDue<Job extends ReplayJob>(run: ReplayRun<Job>): void {
  const { machine, ends, onSite, listener } = run;
  const { jobs, nowMs } = machine;
  machine.lastPass.holds = false;
  while (smallestKey(ends) === nowMs) {
    const handle = popHeap(ends);
    const estimatedMs = jobs.startMs[handle] + jobs.estimateMs[handle];
    if (estimatedMs > nowMs) {
      shiftOneColumn(machine.pools[0], jobs.need[0][handle], nowMs, estimatedMs);
      noteFreed(machine.freed, 0, nowMs, estimatedMs);
      machine.cameFree = true;
    }
    onSite.endMs[handle] = Number.NaN;
    giveHandleBack(jobs, handle);
    listener.finished(finishedJob(run, handle));
  }
}

function settlePlanned<Job extends ReplayJob>(run: ReplayRun<Job>): void {
  const { machine, onSite } = run;
  const { jobs, plannedStarts, nowMs, waiting, started } = machine;
  if (machine.cameFree) {
    if (machine.rules.discipline === "repack") repack(machine);
    else compress(machine);
    machine.cameFree = false;
  }
  const profile = machine.pools[0];
  for (;;) {
    const handle = nextPlanned(plannedStarts);
    if (handle < 0 || jobs.startMs[handle] > nowMs) break;
    unschedule(plannedStarts, jobs.startMs, handle);
    dequeue(machine, handle);
    jobs.state[handle] = jobState.running;
    appendTo(started, handle);
  }
  if (run.arrivingAtMs !== nowMs) return;
  for (let i = 0; i < run.arrivingCount; i++) {
    const handle = letIn(run, run.arriving[i]);
    if (handle < 0) continue;
    const startMs = earliestOneColumn(profile, jobs.need[0][handle], jobs.estimateMs[handle], nowMs);
    shiftOneColumn(profile, -jobs.need[0][handle], startMs, startMs + jobs.estimateMs[handle]);
    jobs.pool[handle] = 0;
    jobs.startMs[handle] = startMs;
    onSite.promisedMs[handle] = startMs;
    if (startMs === nowMs) {
      jobs.state[handle] = jobState.running;
      appendTo(started, handle);
    } else {
      schedule(plannedStarts, jobs.startMs, handle);
      appendTo(waiting, handle);
    }
  }
  noneArrives(run);
}

function settleQueued<Job extends ReplayJob>(run: ReplayRun<Job>): void {
  const { machine } = run;
  if (run.arrivingAtMs === machine.nowMs) {
    for (let i = 0; i < run.arrivingCount; i++) {
      const handle = letIn(run, run.arriving[i]);
      if (handle >= 0) appendTo(machine.waiting, handle);
    }
    noneArrives(run);
  }
  machine.cameFree = false;
  if (machine.rules.discipline === "easy") easyClassicalPass(machine);
  else startInOrder(machine);
}

/** FCFS (rule QU-1) on one pool of processors. */
function startInOrder(machine: Machine): void {
  const { waiting, jobs, pools, nowMs } = machine;
  let freeNow = freeAt(pools[0], nowMs);
  for (let i = 0; i < waiting.count; i++) {
    const handle = waiting.handles[i];
    const procs = jobs.need[0][handle];
    if (procs > freeNow) break;
    freeNow -= procs;
    startOneColumn(machine, handle);
  }
  forgetStarted(machine);
}

/** Gives a job its row; −1 where it is wider than the site. */
function letIn<Job extends ReplayJob>(run: ReplayRun<Job>, job: Job): number {
  const { machine, onSite, listener } = run;
  const { jobs } = machine;
  const procs = job.need[0];
  if (procs > machine.pools[0].capacity[0]) {
    listener.tooWide?.(job);
    return -1;
  }
  const handle = takeHandle(jobs);
  jobs.need[0][handle] = procs;
  jobs.estimateMs[handle] = job.estimateMs;
  jobs.arrivedAtMs[handle] = machine.nowMs;
  jobs.arrival[handle] = jobs.nextArrival++;
  jobs.poolSet[handle] = 0;
  jobs.state[handle] = jobState.waiting;
  jobs.pool[handle] = -1;
  jobs.startMs[handle] = Number.POSITIVE_INFINITY;
  noteOnSite(onSite, handle, job);
  return handle;
}

function noneArrives<Job extends ReplayJob>(run: ReplayRun<Job>): void {
  run.arrivingCount = 0;
  run.arrivingAtMs = Number.POSITIVE_INFINITY;
}

/** Marks who started past somebody else (rule QU-18), and notes when they end. */
function beginStarted<Job extends ReplayJob>({ machine, onSite, ends }: ReplayRun<Job>): void {
  const { started, jobs, waiting, nowMs } = machine;
  sortByArrival(machine);
  const firstWaiting = waiting.count > 0 ? jobs.arrival[waiting.handles[0]] : Number.POSITIVE_INFINITY;
  for (let i = 0; i < started.count; i++) {
    const handle = started.handles[i];
    jobs.backfilled[handle] = firstWaiting < jobs.arrival[handle] ? 1 : 0;
    const endMs = nowMs + onSite.restMs[handle];
    onSite.firstStartMs[handle] = nowMs;
    onSite.endMs[handle] = endMs;
    pushHeap(ends, endMs, handle);
  }
}
