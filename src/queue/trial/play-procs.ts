/**
 * What one more reservation of processors would do to a queue under FCFS or EASY, for many starts of it.
 *
 * Equivalent to making it on a copy of the machine for each start and playing that forward (`startsBeside`).
 * For one pool of processors; differs for speed in these ways:
 * 1. The queue is played once without the reservation. For each stretch of time is known the first instant
 *    whose pass leaves less free there, with the head's promise, than the reservation needs. Up to the least
 *    of these in its span a play with the reservation is the same, so it begins from a copy there.
 * 2. Once the reservation is over, a play that meets the present one or that of an earlier start is that
 *    one from there on (`known-courses`). It is looked for after every few starts.
 * 3. A play itself is that of `queue-play`.
 * Cost: for each start that delays somebody the passes from that one until plays meet.
 */
import type { Machine } from "../machine.ts";
import { advanceToGain, takeFixed } from "./free-procs.ts";
import {
  closeCourse,
  type KnownCourses,
  knowNoCourses,
  meetsCourse,
  openCourse,
  PRESENT,
} from "./known-courses.ts";
import type { TriedReservations, TriedStarts } from "./outcome.ts";
import { forksOf, IMPOSSIBLE } from "./play-forks.ts";
import { passNow } from "./play-pass.ts";
import { copyPlay, createPlay, type PlayedQueue, playedQueue, type QueuePlay } from "./queue-play.ts";

/** Whether a machine is played so: FCFS or EASY on one pool of processors. */
export function isPlayedFast({ jobs, pools, rules }: Machine): boolean {
  const isPlayed = rules.discipline === "fcfs" || rules.discipline === "easy";
  return isPlayed && pools.length === 1 && jobs.need.length === 1;
}

/** The queue of a machine with one pool of processors, in this order. */
export function playedQueueOf({ jobs, pools, rules, nowMs }: Machine, handles: Int32Array): PlayedQueue {
  const queue = {
    count: handles.length,
    procs: Float64Array.from(handles, (handle) => jobs.need[0][handle]),
    durationMs: Float64Array.from(handles, (handle) => jobs.estimateMs[handle]),
  };
  return playedQueue({ queue, isEasy: rules.discipline === "easy", profile: pools[0], nowMs });
}

/** When each job starts, by place in queue order. */
export function playPresent(played: PlayedQueue): Float64Array {
  const startMs = new Float64Array(played.queue.count);
  const play = createPlay(played);
  while (play.left > 0) {
    passNow(play);
    noteStarts(play, startMs);
    if (play.left > 0) advanceToGain(play.free);
  }
  return startMs;
}

/** What all trials share. */
interface Board {
  readonly presentMs: Float64Array;
  readonly tried: TriedStarts;
  readonly known: KnownCourses;
  /** The starts before the present fork; ∞ for who has not started. */
  readonly begunMs: Float64Array;
}

/** Fills in the outcome of each start; see the header. */
export function playManyProcs(
  played: PlayedQueue,
  presentMs: Float64Array,
  tried: TriedStarts,
  outcome: TriedReservations,
): void {
  const { shape, startsMs } = tried;
  const forkMs = forksOf(played, presentMs, tried);
  const inOrder = Int32Array.from(startsMs, (_, at) => at).sort((a, b) => forkMs[a] - forkMs[b]);
  const present = createPlay(played);
  const trial = createPlay(played);
  const begunMs = new Float64Array(presentMs.length).fill(Number.POSITIVE_INFINITY);
  const board = { presentMs, tried, known: knowNoCourses(presentMs.length), begunMs };
  knowThePresent(board, createPlay(played));
  for (const at of inOrder) {
    if (forkMs[at] === IMPOSSIBLE) continue;
    outcome.isPossible[at] = 1;
    if (forkMs[at] === Number.POSITIVE_INFINITY) continue;
    while (present.free.nowMs < forkMs[at]) {
      passNow(present);
      noteStarts(present, begunMs);
      advanceToGain(present.free);
    }
    copyPlay(present, trial);
    takeFixed(trial.free, shape.need[0], startsMs[at], startsMs[at] + shape.durationMs);
    playTrial(board, trial, at, outcome);
  }
}

function noteStarts({ started, startedCount, free }: QueuePlay, startMs: Float64Array): void {
  for (let at = 0; at < startedCount; at++) startMs[started[at]] = free.nowMs;
}

/** Leaves the marks of the queue as it is, in which nobody is delayed. */
function knowThePresent({ known, presentMs }: Board, play: QueuePlay): void {
  const startMs = openCourse(known, PRESENT, presentMs);
  const cost = { delayedJobs: 0, weightedDelayMs: 0 };
  closeCourse(known, PRESENT, cost);
  for (;;) {
    const before = play.left;
    passNow(play);
    if (play.left === 0) return;
    if (isMarked(before, play.left)) meetsCourse(known, PRESENT, { play, startMs, cost });
    advanceToGain(play.free);
  }
}

/** Plays until the play is one that is known, or everybody has started. */
function playTrial(
  { presentMs, tried, known, begunMs }: Board,
  play: QueuePlay,
  at: number,
  outcome: TriedReservations,
): void {
  const { free, started } = play;
  const { weights, startsMs, shape } = tried;
  const overMs = startsMs[at] + shape.durationMs;
  const course = PRESENT + 1 + at;
  const startMs = openCourse(known, course, begunMs);
  const cost = { delayedJobs: 0, weightedDelayMs: 0 };
  const own = { play, startMs, cost };
  for (;;) {
    const before = play.left;
    passNow(play);
    const { nowMs } = free;
    for (let s = 0; s < play.startedCount; s++) {
      const place = started[s];
      startMs[place] = nowMs;
      const delayMs = nowMs - presentMs[place];
      if (delayMs <= 0) continue;
      cost.delayedJobs++;
      cost.weightedDelayMs += weights[place] * delayMs;
    }
    if (play.left === 0) break;
    if (nowMs >= overMs && isMarked(before, play.left) && meetsCourse(known, course, own)) break;
    advanceToGain(free);
  }
  closeCourse(known, course, cost);
  outcome.delayedJobs[at] = cost.delayedJobs;
  outcome.weightedDelayMs[at] = cost.weightedDelayMs;
}

/** Whether a pass is one of those that leave a mark: one in which as many start costs as little as one. */
function isMarked(before: number, left: number): boolean {
  return before >> MARKED_STARTS_LOG2 !== left >> MARKED_STARTS_LOG2;
}

const MARKED_STARTS_LOG2 = 2;
