/**
 * Playing the instants of the plain case: one pool of processors, arrivals and ends, nobody who looks on.
 *
 * Equivalent to `happen` and `settle` of `replay`, that is to the verbs of `operations` and to `advance`:
 * the machine is left in the same state. It differs for speed in these ways:
 * 1. What the verbs ask of any caller (phases, needs, pools, states) is known here, and not asked.
 * 2. A job that arrives and starts at once is never put into the queue.
 * 3. It is few functions. A simulation that is over in a second spends most of it in code that is not
 *    compiled yet, and compiling takes longer the more there is of it.
 * 4. Jobs come and go in columns (`plain-columns`), many at once: no object is made for any of them.
 */
import { assert, createHeap, type Heap, popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { earliestOneColumn, advance as forgetPast, freeAt, shiftOneColumn } from "../profile/index.ts";
import { sortByArrival } from "./advance.ts";
import { easyClassicalPass, startOneColumn } from "./easy-classical.ts";
import { giveHandleBack, jobState, takeHandle } from "./job-table.ts";
import { appendTo, type Machine, noteFreed } from "./machine.ts";
import {
  appendJobs,
  type ComingJobs,
  createComingJobs,
  createEndedJobs,
  type EndedJobs,
  grown,
  makeRoomForEnded,
} from "./plain-columns.ts";
import { nextPlanned, schedule, unschedule } from "./planned-starts.ts";
import { compress, repack } from "./planning.ts";
import { forgetStarted } from "./queueing.ts";
import { dequeue } from "./waiting.ts";

/** A replay of the plain case under way. */
export interface PlainReplay {
  /** What ended in the last call; overwritten by the next. */
  readonly ended: EndedJobs;
  /** The numbers of jobs wider than the site that came in the last call. */
  readonly tooWide: readonly number[];
  /**
   * Hands over the next jobs, in order of submission also beyond what was handed over before; plays every
   * instant before the last of these submissions.
   */
  offer(jobs: ComingJobs): void;
  /** Plays everything to the last end. */
  finish(): void;
}

/** The same, from within. */
interface PlainRun {
  readonly machine: Machine;
  readonly coming: ComingJobs;
  /** The place in `coming` of the next to arrive, and its number among all. */
  next: number;
  nextOrder: number;
  readonly ended: EndedJobs;
  readonly tooWide: number[];
  /** Real ends. */
  readonly ends: Heap;
  /** What only the driver knows of the jobs at the site, by handle. */
  runtimeMs: Float64Array;
  promisedMs: Float64Array;
  order: Float64Array;
}

/** Small, as in the job table. */
const FIRST_ROWS = 8;

/** Whether a site can be played so, where nobody looks on and nothing but arrivals and ends happens. */
export function isPlainSite({ pools, jobs, rules, reservations }: Machine): boolean {
  const isOneColumn = pools.length === 1 && jobs.need.length === 1;
  const isBuiltIn = rules.discipline !== "external" && rules.priority === undefined;
  return isOneColumn && isBuiltIn && reservations.size === 0;
}

/** Begins a replay in columns on an empty machine. */
export function createPlainReplay(machine: Machine): PlainReplay {
  assert(isPlainSite(machine), "a plain replay has one pool of processors and a discipline of ours");
  const run: PlainRun = {
    machine,
    coming: createComingJobs(FIRST_ROWS),
    next: 0,
    nextOrder: 0,
    ended: createEndedJobs(FIRST_ROWS),
    tooWide: [],
    ends: createHeap(),
    runtimeMs: new Float64Array(FIRST_ROWS),
    promisedMs: new Float64Array(FIRST_ROWS),
    order: new Float64Array(FIRST_ROWS),
  };
  const playUntil = (untilMs: number): void => {
    run.ended.count = 0;
    run.tooWide.length = 0;
    playPlain(run, untilMs);
  };
  return {
    ended: run.ended,
    tooWide: run.tooWide,
    offer: (jobs) => {
      if (jobs.count === 0) return playUntil(Number.NEGATIVE_INFINITY);
      appendJobs(run.coming, run.next, jobs);
      run.next = 0;
      return playUntil(jobs.submitMs[jobs.count - 1]);
    },
    finish: () => playUntil(Number.POSITIVE_INFINITY),
  };
}

/** Plays every instant before `untilMs`. */
function playPlain(run: PlainRun, untilMs: number): void {
  const { machine, ends, coming } = run;
  const { plannedStarts, started, rules } = machine;
  const plans = isPlanning(rules.discipline);
  for (;;) {
    const planned = nextPlanned(plannedStarts);
    const plannedMs = planned < 0 ? Number.POSITIVE_INFINITY : machine.jobs.startMs[planned];
    const arrivalMs = run.next < coming.count ? coming.submitMs[run.next] : Number.POSITIVE_INFINITY;
    const atMs = Math.min(arrivalMs, smallestKey(ends), plannedMs);
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

function endDue(run: PlainRun): void {
  const { machine, ends } = run;
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
    giveHandleBack(jobs, handle);
    tellEnd(run, handle);
  }
}

/** Writes down a job that ends now, of which the machine still has the row. */
function tellEnd(run: PlainRun, handle: number): void {
  const { ended, machine } = run;
  const { jobs } = machine;
  makeRoomForEnded(ended);
  const at = ended.count++;
  ended.order[at] = run.order[handle];
  ended.submitMs[at] = jobs.arrivedAtMs[handle];
  ended.procs[at] = jobs.need[0][handle];
  ended.runtimeMs[at] = run.runtimeMs[handle];
  ended.startMs[at] = jobs.startMs[handle];
  ended.endMs[at] = machine.nowMs;
  ended.promisedMs[at] = run.promisedMs[handle];
  ended.backfilled[at] = jobs.backfilled[handle];
}

function settlePlanned(run: PlainRun): void {
  const { machine, coming } = run;
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
  while (run.next < coming.count && coming.submitMs[run.next] === nowMs) {
    const handle = letNextIn(run);
    if (handle < 0) continue;
    const startMs = earliestOneColumn(profile, jobs.need[0][handle], jobs.estimateMs[handle], nowMs);
    shiftOneColumn(profile, -jobs.need[0][handle], startMs, startMs + jobs.estimateMs[handle]);
    jobs.pool[handle] = 0;
    jobs.startMs[handle] = startMs;
    run.promisedMs[handle] = startMs;
    if (startMs === nowMs) {
      jobs.state[handle] = jobState.running;
      appendTo(started, handle);
    } else {
      schedule(plannedStarts, jobs.startMs, handle);
      appendTo(waiting, handle);
    }
  }
}

function settleQueued(run: PlainRun): void {
  const { machine, coming } = run;
  while (run.next < coming.count && coming.submitMs[run.next] === machine.nowMs) {
    const handle = letNextIn(run);
    if (handle >= 0) appendTo(machine.waiting, handle);
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

/** Gives the job that arrives next its row; −1 where it is wider than the site. */
function letNextIn(run: PlainRun): number {
  const { machine, coming } = run;
  const { jobs } = machine;
  const at = run.next++;
  const order = run.nextOrder++;
  const procs = coming.procs[at];
  if (procs > machine.pools[0].capacity[0]) {
    run.tooWide.push(order);
    return -1;
  }
  const handle = takeHandle(jobs);
  jobs.need[0][handle] = procs;
  jobs.estimateMs[handle] = coming.estimateMs[at];
  jobs.arrivedAtMs[handle] = machine.nowMs;
  jobs.arrival[handle] = jobs.nextArrival++;
  jobs.poolSet[handle] = 0;
  jobs.state[handle] = jobState.waiting;
  jobs.pool[handle] = -1;
  jobs.startMs[handle] = Number.POSITIVE_INFINITY;
  if (handle >= run.order.length) growSite(run, handle);
  run.order[handle] = order;
  run.runtimeMs[handle] = coming.runtimeMs[at];
  run.promisedMs[handle] = Number.NaN;
  return handle;
}

function growSite(run: PlainRun, handle: number): void {
  const rows = Math.max(handle + 1, run.order.length * 2);
  run.order = grown(run.order, rows);
  run.runtimeMs = grown(run.runtimeMs, rows);
  run.promisedMs = grown(run.promisedMs, rows);
}

/** Marks who started past somebody else (rule QU-18), and notes when they end. */
function beginStarted({ machine, runtimeMs, ends }: PlainRun): void {
  const { started, jobs, waiting, nowMs } = machine;
  sortByArrival(machine);
  const firstWaiting = waiting.count > 0 ? jobs.arrival[waiting.handles[0]] : Number.POSITIVE_INFINITY;
  for (let i = 0; i < started.count; i++) {
    const handle = started.handles[i];
    jobs.backfilled[handle] = firstWaiting < jobs.arrival[handle] ? 1 : 0;
    pushHeap(ends, nowMs + runtimeMs[handle], handle);
  }
}
