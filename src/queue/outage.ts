/**
 * Capacity that goes down for a time: what it stops, and how what was stopped comes back.
 *
 * An outage is a fixed rectangle from now on, unknown before. Its end is known when it begins, so planning
 * disciplines plan around it, and a promise may move later as with every reservation (rule QU-7). Jobs that
 * do not fit beside it are stopped, and reservations are cancelled (rule QU-25).
 * Cost: a try of the reservation for each thing that is stopped.
 */
import { assert } from "../base/index.ts";
import type { Shortage } from "../profile/index.ts";
import { jobState } from "./job-table.ts";
import type { FixedRectangle, Machine } from "./machine.ts";
import { resume, suspend } from "./operations.ts";
import { cancelReservation, type ReservationRefusal, reserve } from "./reservations.ts";

/** Effect of an outage on jobs and reservations. */
export interface OutageEffect {
  /** Jobs that ran and were stopped: suspended now, to be restarted or cancelled by the driver. */
  readonly stopped: readonly number[];
  /** Reservations that were given up. */
  readonly broken: readonly number[];
  /** Why the outage could not be made: other outages have more of it down than there is. */
  readonly refusal: ReservationRefusal | undefined;
}

/** An outage and how to tell it from what may be given up for it. */
export interface Outage {
  /** An id among those of the reservations. */
  readonly id: number;
  readonly fixed: FixedRectangle;
  /** True where the reservation of that id is an outage. */
  readonly isOutage: (id: number) => boolean;
}

/** Takes capacity away from now on, stopping what does not fit any more (rule QU-25). */
export function takeDown(machine: Machine, { id, fixed, isOutage }: Outage, nowMs: number): OutageEffect {
  assert(fixed.startMs === nowMs, "an outage begins when it happens");
  const stopped: number[] = [];
  const broken: number[] = [];
  for (;;) {
    const refusal = reserve(machine, id, fixed, nowMs);
    if (refusal?.kind !== "conflict") return { stopped, broken, refusal };
    const { shortage } = refusal;
    const job = shortage.atMs === nowMs ? lastStarted(machine, fixed.pool, shortage) : -1;
    if (job >= 0) {
      suspend(machine, job, nowMs);
      stopped.push(job);
      continue;
    }
    const reservation = lastReserved(machine, fixed.pool, { shortage, isOutage });
    if (reservation === undefined) return { stopped, broken, refusal };
    cancelReservation(machine, reservation, nowMs);
    broken.push(reservation);
  }
}

/** Lets a stopped job re-enter the queue at its arrival place with its whole estimate (rule QU-26). */
export function restart(machine: Machine, handle: number, estimateMs: number, nowMs: number): void {
  assert(machine.jobs.state[handle] === jobState.suspended, "only a stopped job is restarted");
  assert(estimateMs > 0 && estimateMs < Number.POSITIVE_INFINITY, "an estimate is positive");
  machine.jobs.estimateMs[handle] = estimateMs;
  resume(machine, handle, nowMs);
}

/** The last started of the jobs in a pool that hold some of a missing resource; −1 where none does. */
function lastStarted({ jobs }: Machine, pool: number, { missing }: Shortage): number {
  let last = -1;
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] !== jobState.running || jobs.pool[handle] !== pool) continue;
    if (!jobs.need.some((column, c) => missing[c] > 0 && column[handle] > 0)) continue;
    if (last < 0 || isLater(jobs.startMs, jobs.arrival, handle, last)) last = handle;
  }
  return last;
}

function isLater(startMs: Float64Array, arrival: Float64Array, one: number, other: number): boolean {
  if (startMs[one] !== startMs[other]) return startMs[one] > startMs[other];
  return arrival[one] > arrival[other];
}

interface Missing {
  readonly shortage: Shortage;
  readonly isOutage: Outage["isOutage"];
}

/**
 * The reservation in a pool that starts last, among those that hold some of a missing resource at that
 * instant.
 */
function lastReserved(
  { reservations }: Machine,
  pool: number,
  { shortage: { atMs, missing }, isOutage }: Missing,
): number | undefined {
  let last: number | undefined;
  let lastStartMs = Number.NEGATIVE_INFINITY;
  for (const [id, { pool: itsPool, need, startMs, durationMs }] of reservations) {
    if (isOutage(id) || itsPool !== pool || startMs > atMs || startMs + durationMs <= atMs) continue;
    if (!need.some((amount, c) => missing[c] > 0 && amount > 0) || startMs < lastStartMs) continue;
    last = id;
    lastStartMs = startMs;
  }
  return last;
}
