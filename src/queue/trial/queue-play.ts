/**
 * A queue under FCFS or EASY on one pool of processors, to be played forward by estimates.
 *
 * Equivalent to a copy of the machine that is told of every end (`forward.ts`); differs for speed in these
 * ways: only what is free and who waits is kept (`free-procs`); the head's promise is looked for once,
 * since nothing ends early and who is let past does not disturb it; and behind the head a pass looks at
 * those alone who are narrow and short enough to start (`width-classes`, `play-pass`).
 */
import type { Profile } from "../../profile/index.ts";
import { copyFreeProcs, type FoundStart, type FreeProcs, freeProcsOf, takeNow } from "./free-procs.ts";
import { createWidthClasses, leaveClass, type QueuedRectangles, type WidthClasses } from "./width-classes.ts";

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
}

/** A queue in play. */
export interface QueuePlay {
  readonly queue: QueuedRectangles;
  readonly isEasy: boolean;
  readonly free: FreeProcs;
  readonly classes: WidthClasses;
  readonly promise: HeadPromise;
  /** Where the first that waits is looked for, by place in queue order. */
  head: number;
  /** Who has started, in order, and how many. */
  readonly order: Int32Array;
  started: number;
  /** 1 for who has started. */
  readonly hasStarted: Uint8Array;
  /** Scratch of one pass: by class the place of the next that has room. */
  readonly next: Int32Array;
}

/** A queue with everybody waiting. */
export function createPlay({ queue, isEasy, profile, nowMs }: PlayedQueue): QueuePlay {
  const classes = createWidthClasses(queue);
  const unknown = Number.NaN;
  return {
    queue,
    isEasy,
    free: freeProcsOf(profile, nowMs, queue.count),
    classes,
    promise: { of: -1, startMs: unknown, procs: unknown, width: unknown, endMs: unknown, extra: unknown },
    head: 0,
    order: new Int32Array(queue.count),
    started: 0,
    hasStarted: new Uint8Array(queue.count),
    next: new Int32Array(classes.leaves.length),
  };
}

/** Makes one what another one is; both were made of the same queue and profile. */
export function copyPlay(from: QueuePlay, to: QueuePlay): void {
  copyFreeProcs(from.free, to.free);
  if (from.isEasy) to.classes.leastMs.set(from.classes.leastMs);
  to.hasStarted.set(from.hasStarted);
  to.promise.of = -1;
  to.head = from.head;
  to.order.set(from.order);
  to.started = from.started;
}

/** Starts a waiting job that has room. */
export function startNow(play: QueuePlay, place: number): void {
  const { queue, free, classes, isEasy } = play;
  takeNow(free, queue.procs[place], free.nowMs + queue.durationMs[place]);
  play.hasStarted[place] = 1;
  if (isEasy) leaveClass(classes, place);
  play.order[play.started++] = place;
}
