/**
 * Conservative backfilling: every waiting job holds a promised start.
 *
 * Source: Mu'alem & Feitelson 2001 [MF01]; slots as in Singh 2008, ch. 3 [PROV]. Departs from both: the
 * queue is compressed only when capacity comes back early (rule QU-4), not re-planned; `repack` is the
 * variant that plans afresh (QU-5).
 *
 * The compression is equivalent to: for each waiting job in queue order, take its rectangle out of the
 * profile, find its earliest start with all the others in place, put it there. It differs for speed in
 * three ways:
 * 1. A job stays in the profile while its earlier start is looked for (see profile `earlierStart`).
 * 2. A job was at its earliest start when it was last looked at, so a new one must touch capacity that
 *    came free since. Per pool one interval holds all of that (`freed`); what a job that moves frees
 *    behind the jobs already looked at in this pass is kept in it for the next pass.
 * 3. A job that needs more processors than are free anywhere in the part of the interval where it could
 *    start is passed over without a look at the profile.
 * Cost: O(waiting jobs) comparisons and a scan for each job that passes them; the plain rule rebuilds
 * part of the profile for every waiting job.
 */
import {
  earlierStart,
  earliest,
  fits,
  largestFree,
  reserve as reserveIn,
  type Shortage,
} from "../profile/index.ts";
import { compressOneColumn, isOneColumn } from "./compress-one-column.ts";
import { endMsOf } from "./job-table.ts";
import {
  type FixedRectangle,
  type FreedInterval,
  type Machine,
  noteFreed,
  nothingFreed,
  poolsOf,
  takeUpNeed,
} from "./machine.ts";
import { earliestPlace, markStarted, occupy, type Place, promise, vacate } from "./placement.ts";
import { nextPlanned, unschedule } from "./planned-starts.ts";
import { dequeue, inQueueOrder } from "./waiting.ts";

/** Starts every waiting job whose planned start is now. */
export function startDue(machine: Machine): void {
  const { plannedStarts, nowMs } = machine;
  const { startMs } = machine.jobs;
  for (;;) {
    const handle = nextPlanned(plannedStarts);
    if (handle < 0 || startMs[handle] > nowMs) return;
    unschedule(plannedStarts, startMs, handle);
    dequeue(machine, handle);
    markStarted(machine, handle);
  }
}

/** The next planned start, or Infinity. */
export function nextPlannedStart({ plannedStarts, jobs }: Machine): number {
  const handle = nextPlanned(plannedStarts);
  return handle < 0 ? Number.POSITIVE_INFINITY : jobs.startMs[handle];
}

/** One compression (rule QU-4); see the header. */
export function compress(machine: Machine): void {
  if (isOneColumn(machine)) {
    compressOneColumn(machine);
    return;
  }
  const untried = machine.freed;
  machine.freed = untried.map(() => nothingFreed());
  const mostFree = untried.map((interval, pool) => mostFreeIn(machine, pool, interval));
  const { handles, count } = inQueueOrder(machine);
  for (let i = 0; i < count; i++) {
    const handle = handles[i];
    const oldPool = machine.jobs.pool[handle];
    const oldEndMs = endMsOf(machine.jobs, handle);
    const better = earlierPlace(machine, handle, untried, mostFree);
    if (better === undefined) continue;
    const oldStartMs = machine.jobs.startMs[handle];
    vacate(machine, handle);
    promise(machine, handle, better);
    const newEndMs = endMsOf(machine.jobs, handle);
    const freedFromMs = better.pool === oldPool ? Math.max(oldStartMs, newEndMs) : oldStartMs;
    noteFreed(untried, oldPool, freedFromMs, oldEndMs);
    noteFreed(machine.freed, oldPool, freedFromMs, oldEndMs);
    mostFree[oldPool] = mostFreeIn(machine, oldPool, untried[oldPool]);
    mostFree[better.pool] = mostFreeIn(machine, better.pool, untried[better.pool]);
  }
}

/** The most processors free anywhere a job could start and touch the interval; 0 when it is empty. */
function mostFreeIn(machine: Machine, pool: number, { beforeMs }: FreedInterval): number {
  if (beforeMs <= machine.nowMs) return 0;
  return largestFree(machine.pools[pool], 0, machine.nowMs, beforeMs);
}

/** A place earlier than the one a waiting job has, with its own rectangle out of the way. */
function earlierPlace(
  machine: Machine,
  handle: number,
  untried: readonly FreedInterval[],
  mostFree: readonly number[],
): Place | undefined {
  const { jobs, nowMs, rectangleInHand } = machine;
  let bestPool = -1;
  let bestMs = jobs.startMs[handle];
  const procs = jobs.need[0][handle];
  for (const pool of poolsOf(machine, handle)) {
    if (procs > mostFree[pool]) continue;
    const { fromMs, beforeMs } = untried[pool];
    const estimateMs = jobs.estimateMs[handle];
    const firstMs = Math.max(nowMs, fromMs - estimateMs + 1);
    if (firstMs >= Math.min(bestMs, beforeMs)) continue;
    const need = takeUpNeed(machine, handle);
    let startMs: number;
    if (pool === jobs.pool[handle]) {
      rectangleInHand.durationMs = estimateMs;
      rectangleInHand.startMs = jobs.startMs[handle];
      startMs = earlierStart(machine.pools[pool], rectangleInHand, firstMs, beforeMs);
    } else {
      startMs = earliest(machine.pools[pool], need, estimateMs, firstMs);
    }
    if (startMs < bestMs) {
      bestMs = startMs;
      bestPool = pool;
    }
  }
  return bestPool < 0 ? undefined : { pool: bestPool, startMs: bestMs };
}

/** Forgets all planned rectangles and places every waiting job again in queue order (rule QU-5). */
export function repack(machine: Machine): void {
  const { handles, count } = inQueueOrder(machine);
  for (let i = 0; i < count; i++) vacate(machine, handles[i]);
  machine.freed = machine.freed.map(() => nothingFreed());
  for (let i = 0; i < count; i++) promise(machine, handles[i], earliestPlace(machine, handles[i]));
}

/**
 * Makes room for a new reservation by displacing waiting jobs (rule QU-7).
 *
 * @returns undefined when done; else where it conflicts with running jobs or reservations, unchanged
 */
export function displaceFor(machine: Machine, fixed: FixedRectangle): Shortage | undefined {
  const { handles, count } = inQueueOrder(machine);
  for (let i = 0; i < count; i++) vacate(machine, handles[i]);
  const missing = reserveIn(machine.pools[fixed.pool], fixed.need, fixed.durationMs, fixed.startMs);
  for (let i = 0; i < count; i++) putBack(machine, handles[i]);
  return missing;
}

/** Puts a waiting job back to where it was planned if it still fits there, else to its earliest. */
function putBack(machine: Machine, handle: number): void {
  const { jobs } = machine;
  const pool = jobs.pool[handle];
  const startMs = jobs.startMs[handle];
  const need = takeUpNeed(machine, handle);
  if (fits(machine.pools[pool], need, jobs.estimateMs[handle], startMs)) {
    occupy(machine, handle, { pool, startMs });
    return;
  }
  noteFreed(machine.freed, pool, startMs, endMsOf(jobs, handle));
  promise(machine, handle, earliestPlace(machine, handle));
}
