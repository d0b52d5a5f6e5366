/**
 * A queue under FCFS or EASY on one pool of processors, to be played forward by estimates.
 *
 * Equivalent to a copy of the machine that is told of every end (`forward.ts`); differs for speed in these
 * ways: only what is free and who waits is kept (`free-procs`); the head's promise is looked for once,
 * since nothing ends early and who is let past does not disturb it; and behind the head a pass looks at
 * those alone who are narrow and short enough to start (`place-sets`, `play-pass`).
 */
import type { Profile } from "../../profile/index.ts";
import { copyFreeProcs, type FoundStart, type FreeProcs, freeProcsOf, takeNow } from "./free-procs.ts";
import { type ClassRows, everyPlace, type QueuedRectangles, rowsOf } from "./place-sets.ts";

/** The rectangle of the head at its earliest start, beside which others must fit. */
export interface HeadPromise extends FoundStart {
  /** Whose it is, by place in queue order; −1 where none was looked for. */
  of: number;
  /** Its processors. */
  width: number;
  endMs: number;
  /** What is free at its start beside it. */
  extra: number;
}

/** A queue to be played, and what is free beside it. */
export interface PlayedQueue {
  readonly queue: QueuedRectangles;
  readonly isEasy: boolean;
  /** With running jobs and reservations in it. */
  readonly profile: Profile;
  readonly nowMs: number;
  /** Who is as narrow and as short; nobody passes the head under FCFS, so nothing is in them there. */
  readonly narrow: ClassRows;
  readonly short: ClassRows;
}

/** A queue in play. */
export interface QueuePlay {
  readonly played: PlayedQueue;
  readonly free: FreeProcs;
  readonly promise: HeadPromise;
  /** Who waits, and how many. */
  readonly waiting: Int32Array;
  left: number;
  /** The first who waits; how many places there are where nobody does. */
  head: number;
  /** Who started in the last pass, in order, and how many. */
  readonly started: Int32Array;
  startedCount: number;
  /** Scratch of a pass: by limit where the rows begin of who is narrow enough, and of who is short enough. */
  readonly limitNarrow: Int32Array;
  readonly limitShort: Int32Array;
  limits: number;
}

/** Makes what all plays of a queue share. */
export function playedQueue({
  queue,
  isEasy,
  ...free
}: Pick<PlayedQueue, "queue" | "isEasy" | "profile" | "nowMs">): PlayedQueue {
  const [procs, durationMs] = isEasy ? [queue.procs, queue.durationMs] : [NOBODY, NOBODY];
  return { ...free, queue, isEasy, narrow: rowsOf(procs), short: rowsOf(durationMs) };
}

const NOBODY = new Float64Array(0);

/** A queue with everybody waiting. */
export function createPlay(played: PlayedQueue): QueuePlay {
  const { queue, profile, nowMs } = played;
  const unknown = Number.NaN;
  const mostLimits = profile.tail - profile.head + 2;
  return {
    played,
    free: freeProcsOf(profile, nowMs, queue.count),
    promise: { of: -1, startMs: unknown, procs: unknown, width: unknown, endMs: unknown, extra: unknown },
    waiting: everyPlace(queue.count),
    left: queue.count,
    head: 0,
    started: new Int32Array(queue.count),
    startedCount: 0,
    limitNarrow: new Int32Array(mostLimits),
    limitShort: new Int32Array(mostLimits),
    limits: 0,
  };
}

/** Makes one what another one is; both are of the same queue. */
export function copyPlay(from: QueuePlay, to: QueuePlay): void {
  copyFreeProcs(from.free, to.free);
  to.waiting.set(from.waiting);
  to.promise.of = -1;
  to.left = from.left;
  to.head = from.head;
  to.startedCount = 0;
}

/** Starts a waiting job that has room. */
export function startNow(play: QueuePlay, place: number): void {
  const { played, free, waiting } = play;
  const { procs, durationMs } = played.queue;
  takeNow(free, procs[place], free.nowMs + durationMs[place]);
  waiting[place >> 5] &= ~(1 << (place & 31));
  play.left--;
  play.started[play.startedCount++] = place;
}
