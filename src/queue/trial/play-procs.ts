/**
 * What one more reservation of processors would do to a queue under FCFS or EASY, for many starts of it.
 *
 * Equivalent to making it on a copy of the machine for each start and playing that forward (`startsBeside`).
 * For one pool of processors; differs for speed in these ways:
 * 1. The queue is played once without the reservation. For each stretch of time is known the first instant
 *    whose pass leaves less free there, with the head's promise, than the reservation needs. Up to the least
 *    of these in its span a play with the reservation is the same, so it begins from a copy there.
 * 2. Once the reservation is over, the same jobs have started, and whoever started at another instant has
 *    ended in both, the play is the present one again, and nobody else is delayed.
 * 3. A play itself is that of `queue-play`.
 * Cost: for each start that delays somebody the starts from that pass until the plays meet again.
 */
import type { Machine } from "../machine.ts";
import { advanceToGain, takeFixed } from "./free-procs.ts";
import type { TriedReservations, TriedStarts } from "./outcome.ts";
import { forksOf, IMPOSSIBLE } from "./play-forks.ts";
import { passNow } from "./play-pass.ts";
import { copyPlay, createPlay, type PlayedQueue, type QueuePlay } from "./queue-play.ts";

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
  return { queue, isEasy: rules.discipline === "easy", profile: pools[0], nowMs };
}

/** When each job starts, by place in queue order. */
export function playPresent(played: PlayedQueue): Float64Array {
  const startMs = new Float64Array(played.queue.count);
  const play = createPlay(played);
  for (let told = 0; told < startMs.length; advanceToGain(play.free)) {
    passNow(play);
    for (; told < play.started; told++) startMs[play.order[told]] = play.free.nowMs;
    if (told === startMs.length) return startMs;
  }
  return startMs;
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
  const presentOrderMs = presentMs.slice().sort();
  for (const at of inOrder) {
    if (forkMs[at] === IMPOSSIBLE) continue;
    outcome.isPossible[at] = 1;
    if (forkMs[at] === Number.POSITIVE_INFINITY) continue;
    while (present.free.nowMs < forkMs[at]) {
      passNow(present);
      advanceToGain(present.free);
    }
    copyPlay(present, trial);
    takeFixed(trial.free, shape.need[0], startsMs[at], startsMs[at] + shape.durationMs);
    playTrial(trial, { presentMs, presentOrderMs, tried, at }, outcome);
  }
}

interface Trial {
  readonly presentMs: Float64Array;
  /** The same, ascending. */
  readonly presentOrderMs: Float64Array;
  readonly tried: TriedStarts;
  /** Which start. */
  readonly at: number;
}

/** Plays until the play is the present one again, or everybody has started. */
function playTrial(
  trial: QueuePlay,
  { presentMs, presentOrderMs, tried, at }: Trial,
  outcome: TriedReservations,
): void {
  const { queue, free, order } = trial;
  const { weights, startsMs, shape } = tried;
  let apartMs = startsMs[at] + shape.durationMs;
  let told = trial.started;
  let presentTold = told;
  let delayed = 0;
  let weighted = 0;
  for (;;) {
    passNow(trial);
    const { nowMs } = free;
    for (; told < trial.started; told++) {
      const place = order[told];
      const delayMs = nowMs - presentMs[place];
      if (delayMs === 0) continue;
      apartMs = Math.max(apartMs, Math.max(nowMs, presentMs[place]) + queue.durationMs[place]);
      if (delayMs < 0) continue;
      delayed++;
      weighted += weights[place] * delayMs;
    }
    while (presentTold < queue.count && presentOrderMs[presentTold] <= nowMs) presentTold++;
    // As many have started in both; were they not the same ones, one of those here would still run there.
    if (told === queue.count || (told === presentTold && apartMs <= nowMs)) break;
    advanceToGain(free);
  }
  outcome.delayedJobs[at] = delayed;
  outcome.weightedDelayMs[at] = weighted;
}
