/**
 * Where one job can go: the common ground of the disciplines.
 *
 * Of several pools the one with the earliest start counts, of equals the first of the site (QU-6).
 */
import { assert } from "../base/index.ts";
import { earliest, earliestOneColumn, fits, giveBack, take } from "../profile/index.ts";
import { endMsOf, jobState } from "./job-table.ts";
import { appendTo, type Machine, poolsOf, takeUpNeed } from "./machine.ts";
import { schedule } from "./planned-starts.ts";

/** A pool and a start in it. */
export interface Place {
  readonly pool: number;
  readonly startMs: number;
}

/** The first pool of a job, not among `blocked`, into which it fits now; −1 when there is none. */
export function poolThatFitsNow(machine: Machine, handle: number, blocked?: Uint8Array): number {
  const need = takeUpNeed(machine, handle);
  const estimateMs = machine.jobs.estimateMs[handle];
  for (const pool of poolsOf(machine, handle)) {
    if (blocked !== undefined && blocked[pool] === 1) continue;
    if (fits(machine.pools[pool], need, estimateMs, machine.nowMs)) return pool;
  }
  return -1;
}

/** The earliest place of a job from now on, beside everything in the profiles. */
export function earliestPlace(machine: Machine, handle: number): Place {
  const need = takeUpNeed(machine, handle);
  const estimateMs = machine.jobs.estimateMs[handle];
  const pools = poolsOf(machine, handle);
  let pool = pools[0];
  let startMs = Number.POSITIVE_INFINITY;
  for (const candidate of pools) {
    const at =
      need.length === 1
        ? earliestOneColumn(machine.pools[candidate], need[0], estimateMs, machine.nowMs)
        : earliest(machine.pools[candidate], need, estimateMs, machine.nowMs);
    if (at < startMs) {
      startMs = at;
      pool = candidate;
    }
  }
  assert(startMs < Number.POSITIVE_INFINITY, "a job that fits its pool when empty fits some day");
  return { pool, startMs };
}

/** Takes a job's rectangle out of the profile of its place. */
export function occupy(machine: Machine, handle: number, { pool, startMs }: Place): void {
  const { jobs } = machine;
  take(machine.pools[pool], takeUpNeed(machine, handle), jobs.estimateMs[handle], startMs);
  jobs.pool[handle] = pool;
  jobs.startMs[handle] = startMs;
}

/** Takes what is left of a running job's rectangle, from now on, out of the profile of its place. */
export function occupyRest(machine: Machine, handle: number, { pool, startMs }: Place): void {
  const { jobs, nowMs } = machine;
  jobs.pool[handle] = pool;
  jobs.startMs[handle] = startMs;
  const left = endMsOf(jobs, handle) - nowMs;
  assert(left > 0, "a job that runs has not reached its estimated end");
  take(machine.pools[pool], takeUpNeed(machine, handle), left, nowMs);
}

/** Gives what is left of a job's rectangle, from now on, back to its pool. */
export function vacate(machine: Machine, handle: number): void {
  const { jobs } = machine;
  const fromMs = Math.max(machine.nowMs, jobs.startMs[handle]);
  const left = endMsOf(jobs, handle) - fromMs;
  if (left <= 0) return;
  giveBack(machine.pools[jobs.pool[handle]], takeUpNeed(machine, handle), left, fromMs);
}

/** Gives a waiting job a promise: its rectangle at that place, and a wake-up at its start. */
export function promise(machine: Machine, handle: number, place: Place): void {
  occupy(machine, handle, place);
  schedule(machine.plannedStarts, machine.jobs.startMs, handle);
}

/** Turns a waiting job, already taken out of the queue, whose rectangle is in place, into a running one. */
export function markStarted(machine: Machine, handle: number): void {
  const { jobs, started } = machine;
  jobs.state[handle] = jobState.running;
  appendTo(started, handle);
}
