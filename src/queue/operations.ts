/**
 * Operations on the jobs of a site: arrive, end, cancel, hold, release, suspend, resume.
 *
 * Each verb takes the instant at which it happens; what follows from it for other jobs happens in
 * `advance` at the same instant, in the order of rule QU-8. A verb that does not apply to the job as it
 * is now is refused with the state that it found.
 */
import { accepted, assert, type Result, refused } from "../base/index.ts";
import { isPlanning } from "../model/index.ts";
import { advance as forgetPast, type Need } from "../profile/index.ts";
import { endMsOf, giveHandleBack, jobState, takeHandle } from "./job-table.ts";
import { appendTo, assertNeed, type Machine, noteFreed, phase } from "./machine.ts";
import { earliestPlace, promise, vacate } from "./placement.ts";
import { unschedule } from "./planned-starts.ts";
import { dequeue, enqueue } from "./waiting.ts";

/** A job as it comes to a site. */
export interface Arrival {
  readonly need: Need;
  /** Run time assumed in planning; > 0. */
  readonly estimateMs: number;
  /** The pools it may use, by index in the site's order; all of them when absent. */
  readonly pools?: readonly number[];
}

/** Rule QU-14: wider than every pool that the job names. */
export interface TooWide {
  readonly kind: "widerThanPool";
  readonly need: readonly number[];
  readonly largestCapacity: readonly number[];
}

/** A verb that does not apply to a job in this state. */
export interface WrongState {
  readonly kind: "wrongState";
  readonly state: JobStateName;
  readonly allowedIn: readonly JobStateName[];
}

/** The states by name. */
export type JobStateName = keyof typeof jobState;

/** Lets a job arrive; it is placed or queued by `advance`. Gives its handle. */
export function arrive(machine: Machine, job: Arrival, nowMs: number): Result<number, TooWide> {
  enterPhase(machine, phase.arrivals, nowMs);
  const admitted = admit(machine, job, nowMs);
  if (admitted.ok) appendTo(machine.arriving, admitted.value);
  return admitted;
}

/** Gives a job that comes to the site its row in the table, outside the queue yet. */
export function admit(machine: Machine, job: Arrival, arrivedAtMs: number): Result<number, TooWide> {
  assert(job.estimateMs > 0 && job.estimateMs < Number.POSITIVE_INFINITY, "an estimate is positive");
  assertNeed(machine, job.need);
  const poolSet = internPools(machine, job.pools);
  if (!fitsSomePool(machine, job.need, machine.poolSets[poolSet])) {
    return refused(tooWide(machine, job.need, poolSet));
  }
  const { jobs } = machine;
  const handle = takeHandle(jobs);
  for (let c = 0; c < jobs.need.length; c++) jobs.need[c][handle] = job.need[c];
  jobs.estimateMs[handle] = job.estimateMs;
  jobs.arrivedAtMs[handle] = arrivedAtMs;
  jobs.arrival[handle] = jobs.nextArrival++;
  jobs.poolSet[handle] = poolSet;
  jobs.state[handle] = jobState.waiting;
  jobs.pool[handle] = -1;
  jobs.startMs[handle] = Number.POSITIVE_INFINITY;
  return accepted(handle);
}

/** A running job has ended, at its estimated end or before. Its handle is free afterwards. */
export function end(machine: Machine, handle: number, nowMs: number): void {
  enterPhase(machine, phase.ends, nowMs);
  assert(machine.jobs.state[handle] === jobState.running, "only a running job ends");
  assert(nowMs <= endMsOf(machine.jobs, handle), "a job ends at its estimated end at the latest");
  stopRunning(machine, handle);
  giveHandleBack(machine.jobs, handle);
}

/** Takes a job away for good (rule QU-9). */
export function cancel(machine: Machine, handle: number, nowMs: number): WrongState | undefined {
  enterPhase(machine, phase.changes, nowMs);
  const state = machine.jobs.state[handle];
  if (state === jobState.none)
    return wrongState(machine, handle, ["waiting", "held", "suspended", "running"]);
  if (state === jobState.waiting) leaveQueue(machine, handle);
  if (state === jobState.running) stopRunning(machine, handle);
  giveHandleBack(machine.jobs, handle);
  return undefined;
}

/** Takes a waiting job out of the queue without losing its arrival place (rule QU-9). */
export function hold(machine: Machine, handle: number, nowMs: number): WrongState | undefined {
  enterPhase(machine, phase.changes, nowMs);
  if (machine.jobs.state[handle] !== jobState.waiting) return wrongState(machine, handle, ["waiting"]);
  leaveQueue(machine, handle);
  machine.jobs.state[handle] = jobState.held;
  return undefined;
}

/** Lets a held job re-enter the queue (rule QU-9). */
export function release(machine: Machine, handle: number, nowMs: number): WrongState | undefined {
  enterPhase(machine, phase.changes, nowMs);
  if (machine.jobs.state[handle] !== jobState.held) return wrongState(machine, handle, ["held"]);
  enterQueue(machine, handle);
  return undefined;
}

/** Stops a running job; its rest waits to be resumed (rule QU-10). */
export function suspend(machine: Machine, handle: number, nowMs: number): WrongState | undefined {
  enterPhase(machine, phase.changes, nowMs);
  const { jobs } = machine;
  if (jobs.state[handle] !== jobState.running) return wrongState(machine, handle, ["running"]);
  const restMs = endMsOf(jobs, handle) - nowMs;
  assert(restMs > 0, "a job at its estimated end has ended, and is not suspended");
  stopRunning(machine, handle);
  jobs.estimateMs[handle] = restMs;
  jobs.state[handle] = jobState.suspended;
  return undefined;
}

/** Lets a suspended job re-enter the queue with its rest (rule QU-10). */
export function resume(machine: Machine, handle: number, nowMs: number): WrongState | undefined {
  enterPhase(machine, phase.changes, nowMs);
  if (machine.jobs.state[handle] !== jobState.suspended) {
    return wrongState(machine, handle, ["suspended"]);
  }
  enterQueue(machine, handle);
  return undefined;
}

/** Puts a job into the queue; under a planning discipline with a promise (rule QU-3). */
export function enterQueue(machine: Machine, handle: number): void {
  const { jobs } = machine;
  jobs.state[handle] = jobState.waiting;
  enqueue(machine, handle);
  if (isPlanning(machine.rules.discipline)) {
    promise(machine, handle, earliestPlace(machine, handle));
    return;
  }
  jobs.pool[handle] = -1;
  jobs.startMs[handle] = Number.POSITIVE_INFINITY;
}

/** Moves the site's clock and opens a phase of the instant; phases never go back (rule QU-8). */
export function enterPhase(machine: Machine, wanted: number, nowMs: number): void {
  assert(nowMs >= machine.nowMs, "a site's clock never goes back");
  if (nowMs > machine.nowMs) {
    machine.nowMs = nowMs;
    machine.phase = phase.ends;
    for (const profile of machine.pools) forgetPast(profile, nowMs);
    if (machine.reservations.size > 0) forgetEndedReservations(machine);
  }
  assert(wanted >= machine.phase, "at one instant ends come first, then changes, then arrivals");
  if (wanted < phase.arrivals) machine.lastPass.holds = false;
  machine.phase = wanted;
}

function forgetEndedReservations({ reservations, nowMs }: Machine): void {
  for (const [id, fixed] of reservations) {
    if (fixed.startMs + fixed.durationMs <= nowMs) reservations.delete(id);
  }
}

function leaveQueue(machine: Machine, handle: number): void {
  dequeue(machine, handle);
  if (!isPlanning(machine.rules.discipline)) return;
  unschedule(machine.plannedStarts, machine.jobs.startMs, handle);
  freeEarly(machine, handle);
}

function stopRunning(machine: Machine, handle: number): void {
  if (endMsOf(machine.jobs, handle) > machine.nowMs) freeEarly(machine, handle);
}

/** Gives back the rest of a job's rectangle, which was planned for longer (rule QU-4). */
function freeEarly(machine: Machine, handle: number): void {
  const { jobs, nowMs } = machine;
  vacate(machine, handle);
  noteFreed(machine.freed, jobs.pool[handle], Math.max(nowMs, jobs.startMs[handle]), endMsOf(jobs, handle));
  machine.cameFree = true;
}

function internPools(machine: Machine, pools: readonly number[] | undefined): number {
  if (pools === undefined) return 0;
  const wanted = [...new Set(pools)].sort((a, b) => a - b);
  assert(wanted.length > 0, "a job names at least one pool");
  assert(
    wanted.every((pool) => machine.pools[pool] !== undefined),
    "a job names pools that the site has",
  );
  const known = machine.poolSets.findIndex(
    (set) => set.length === wanted.length && set.every((pool, i) => pool === wanted[i]),
  );
  return known >= 0 ? known : machine.poolSets.push(wanted) - 1;
}

function fitsSomePool({ pools }: Machine, need: Need, allowed: readonly number[]): boolean {
  for (let i = 0; i < allowed.length; i++) if (isWithin(need, pools[allowed[i]].capacity)) return true;
  return false;
}

function isWithin(need: Need, capacity: Need): boolean {
  for (let c = 0; c < capacity.length; c++) if (need[c] > capacity[c]) return false;
  return true;
}

function tooWide(machine: Machine, need: Need, poolSet: number): TooWide {
  const capacities = machine.poolSets[poolSet].map((pool) => machine.pools[pool].capacity);
  const largestCapacity = Array.from(need, (_, c) => Math.max(...capacities.map((amounts) => amounts[c])));
  return { kind: "widerThanPool", need: Array.from(need), largestCapacity };
}

function wrongState({ jobs }: Machine, handle: number, allowedIn: readonly JobStateName[]): WrongState {
  return {
    kind: "wrongState",
    state: stateName(jobs.state[handle]),
    allowedIn,
  };
}

/** The name of a state number. */
export function stateName(state: number): JobStateName {
  switch (state) {
    case jobState.waiting:
      return "waiting";
    case jobState.held:
      return "held";
    case jobState.suspended:
      return "suspended";
    case jobState.running:
      return "running";
    default:
      return "none";
  }
}
