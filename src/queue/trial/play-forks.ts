/**
 * From which pass on a queue under FCFS or EASY may go another way because of one more reservation.
 *
 * The queue is played as it is. A pass in which every start and the head's promise leave room for the
 * reservation is the same with it: what has room has it still, and what has none has none. So for each
 * stretch of time is kept the first pass that leaves less there than the reservation needs.
 * Cost: one play of the queue, and the steps of each job and promise.
 */
import { freeAt } from "../../profile/index.ts";
import { advanceToGain } from "./free-procs.ts";
import type { TriedStarts } from "./outcome.ts";
import { passNow } from "./play-pass.ts";
import { createPlay, type PlayedQueue } from "./queue-play.ts";

/** Of a start that conflicts with what cannot move. */
export const IMPOSSIBLE = Number.NEGATIVE_INFINITY;

/** What is free on a grid of instants, and the first pass that leaves less than is needed. */
interface Grid {
  readonly times: Float64Array;
  readonly free: Float64Array;
  readonly needed: number;
  readonly shortFromMs: Float64Array;
}

/** For each start the instant of the first pass that may differ; ∞ where none does. */
export function forksOf(played: PlayedQueue, presentMs: Float64Array, tried: TriedStarts): Float64Array {
  const { queue } = played;
  const grid = gridOf(played, presentMs, tried);
  const play = createPlay(played);
  const { free, promise, started } = play;
  let promised = -1;
  for (;;) {
    passNow(play);
    for (let at = 0; at < play.startedCount; at++) {
      const place = started[at];
      const endMs = free.nowMs + queue.durationMs[place];
      take(grid, { procs: queue.procs[place], startMs: free.nowMs, endMs, atMs: free.nowMs });
    }
    if (play.left === 0) break;
    if (promise.of === play.head && (promised !== play.head || play.startedCount > 0)) {
      look(grid, { procs: promise.width, startMs: promise.startMs, endMs: promise.endMs, atMs: free.nowMs });
      promised = promise.of;
    }
    advanceToGain(free);
  }
  return tried.startsMs.map((startMs) => firstShort(grid, startMs, startMs + tried.shape.durationMs));
}

function gridOf({ profile, nowMs, queue }: PlayedQueue, presentMs: Float64Array, tried: TriedStarts): Grid {
  const instants = new Set<number>([nowMs, ...tried.startsMs]);
  for (let at = profile.head; at < profile.tail; at++) instants.add(Math.max(nowMs, profile.times[at]));
  for (let i = 0; i < queue.count; i++) instants.add(presentMs[i]).add(presentMs[i] + queue.durationMs[i]);
  const times = Float64Array.from(instants).sort();
  const needed = tried.shape.need[0];
  const free = times.map((atMs) => freeAt(profile, atMs));
  const shortFromMs = free.map((procs) => (procs < needed ? IMPOSSIBLE : Number.POSITIVE_INFINITY));
  return { times, free, needed, shortFromMs };
}

/** A rectangle on the grid, and the pass that puts it there. */
interface PlacedInPass {
  readonly procs: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly atMs: number;
}

function take(
  { times, free, needed, shortFromMs }: Grid,
  { procs, startMs, endMs, atMs }: PlacedInPass,
): void {
  for (let at = stepAt(times, startMs); times[at] < endMs; at++) {
    free[at] -= procs;
    if (free[at] < needed && shortFromMs[at] > atMs) shortFromMs[at] = atMs;
  }
}

/** As `take`, but for one pass only. */
function look(
  { times, free, needed, shortFromMs }: Grid,
  { procs, startMs, endMs, atMs }: PlacedInPass,
): void {
  for (let at = stepAt(times, startMs); times[at] < endMs; at++) {
    if (free[at] - procs < needed && shortFromMs[at] > atMs) shortFromMs[at] = atMs;
  }
}

function firstShort({ times, shortFromMs }: Grid, startMs: number, endMs: number): number {
  let first = Number.POSITIVE_INFINITY;
  for (let at = stepAt(times, startMs); times[at] < endMs; at++) first = Math.min(first, shortFromMs[at]);
  return first;
}

/** The step that holds at an instant, which does not lie before the first. */
function stepAt(times: Float64Array, atMs: number): number {
  let low = 0;
  let high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= atMs) low = middle;
    else high = middle;
  }
  return low;
}
