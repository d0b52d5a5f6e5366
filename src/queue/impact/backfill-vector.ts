/**
 * Effect of one more reservation on a queue under FCFS or EASY, for many starts of it at once.
 *
 * Equivalent to making it on a copy of the machine for each start and playing that forward (`startsBeside`).
 * For one pool with several resources (processors alone: `backfill-procs`); differs for speed in these ways:
 * 1. Only the profile and the order of those who wait are played; what the machine keeps beside them for
 *    other verbs is not.
 * 2. A job that needs more processors than are free is passed over without a look at the profile, and so is
 *    a whole pass when nobody who waits needs as few as are free.
 * 3. Under FCFS a job starts at its earliest from the start of the one before it: there are no passes.
 * Cost: for each start one play: under FCFS a search for each job, under EASY (instants) × (waiting jobs)
 * comparisons.
 */
import { createHeap, type Heap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import {
  advance,
  copyProfile,
  earliest,
  fits,
  freeAt,
  giveBack,
  type Profile,
  reserve,
  take,
} from "../../profile/index.ts";
import { endMsOf, jobState } from "../job-table.ts";
import type { Machine } from "../machine.ts";
import type { TriedReservations, TriedStarts } from "./outcome.ts";
import type { TriedMachine } from "./waiting-starts.ts";

/** Waiting jobs, in queue order. */
interface Waiting {
  readonly needs: readonly (readonly number[])[];
  readonly durationMs: Float64Array;
  /** Instants at which capacity becomes available: ends of running jobs and of reservations. */
  readonly endsMs: readonly number[];
}

/** Fills in the outcome of each start; see the header. */
export function playMany(
  { machine, present }: TriedMachine,
  { shape, startsMs, weights }: TriedStarts,
  outcome: TriedReservations,
): void {
  const { jobs, rules, nowMs } = machine;
  const waiting: Waiting = {
    needs: Array.from(present.handles, (handle) => jobs.need.map((column) => column[handle])),
    durationMs: Float64Array.from(present.handles, (handle) => jobs.estimateMs[handle]),
    endsMs: [...endsOf(machine)],
  };
  const play = rules.discipline === "fcfs" ? playFcfs : playEasy;
  for (let at = 0; at < startsMs.length; at++) {
    const profile = copyProfile(machine.pools[0]);
    advance(profile, nowMs);
    if (reserve(profile, shape.need, shape.durationMs, startsMs[at]) !== undefined) continue;
    outcome.isPossible[at] = 1;
    const starts = play(profile, waiting, [nowMs, startsMs[at] + shape.durationMs]);
    for (let i = 0; i < starts.length; i++) {
      const delayMs = starts[i] - present.startMs[i];
      if (delayMs <= 0) continue;
      outcome.delayedJobs[at]++;
      outcome.weightedDelayMs[at] += weights[i] * delayMs;
    }
  }
}

function* endsOf({ jobs, reservations }: Machine): Generator<number> {
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) yield endMsOf(jobs, handle);
  }
  for (const { startMs, durationMs } of reservations.values()) yield startMs + durationMs;
}

function playFcfs(
  profile: Profile,
  { needs, durationMs }: Waiting,
  [nowMs]: readonly number[],
): Float64Array {
  let fromMs = nowMs;
  return durationMs.map((lengthMs, i) => {
    fromMs = earliest(profile, needs[i], lengthMs, fromMs);
    take(profile, needs[i], lengthMs, fromMs);
    return fromMs;
  });
}

/** One pass at each instant at which capacity becomes available (rule QU-2). */
function playEasy(
  profile: Profile,
  { needs, durationMs, endsMs }: Waiting,
  [nowMs, reservationEndMs]: readonly [number, number],
): Float64Array {
  const starts = new Float64Array(durationMs.length);
  let left = Array.from(durationMs, (_, i) => i);
  const ends = createHeap();
  for (const endMs of [...endsMs, reservationEndMs]) pushHeap(ends, endMs, 0);
  for (let atMs = nowMs; ; atMs = nextEnd(ends, atMs)) {
    advance(profile, atMs);
    left = pass({ profile, needs, durationMs, starts, ends }, left, atMs);
    if (left.length === 0) return starts;
  }
}

function nextEnd(ends: Heap, afterMs: number): number {
  while (smallestKey(ends) <= afterMs) popHeap(ends);
  return smallestKey(ends);
}

interface Play extends Pick<Waiting, "needs" | "durationMs"> {
  readonly profile: Profile;
  readonly starts: Float64Array;
  readonly ends: Heap;
}

/** Starts the jobs that can start now; returns those that still wait. */
function pass(
  { profile, needs, durationMs, starts, ends }: Play,
  waiting: number[],
  nowMs: number,
): number[] {
  let freeProcs = freeAt(profile, nowMs);
  const still: number[] = [];
  let headMs = Number.NaN;
  for (const i of waiting) {
    const need = needs[i];
    const lengthMs = durationMs[i];
    if (need[0] <= freeProcs && fits(profile, need, lengthMs, nowMs)) {
      take(profile, need, lengthMs, nowMs);
      starts[i] = nowMs;
      freeProcs -= need[0];
      pushHeap(ends, nowMs + lengthMs, 0);
      continue;
    }
    still.push(i);
    if (still.length > 1 || freeProcs === 0) continue;
    headMs = earliest(profile, need, lengthMs, nowMs);
    take(profile, need, lengthMs, headMs);
  }
  if (!Number.isNaN(headMs)) giveBack(profile, needs[still[0]], durationMs[still[0]], headMs);
  return still;
}
