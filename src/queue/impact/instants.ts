/**
 * The instants between which nothing changes in a queue, and what is free beside it there: what the compiled
 * ways of trying reservations are laid out by.
 */
import type { Profile } from "../../profile/index.ts";

/** A queue whose jobs have starts. */
export interface StartedQueue {
  /** With running jobs and reservations in it. */
  readonly profile: Profile;
  readonly nowMs: number;
  readonly startMs: Float64Array;
  readonly durationMs: Float64Array;
}

/** All instants from now on at which what is free changes, and these others, ascending, each once. */
export function instantsOf(
  { profile, nowMs, startMs, durationMs }: StartedQueue,
  others: Float64Array,
): Float64Array {
  const { times, head, tail } = profile;
  const all = new Float64Array(1 + (tail - head) + others.length + 2 * startMs.length);
  all[0] = nowMs;
  let at = 1;
  for (let piece = head; piece < tail; piece++) all[at++] = Math.max(nowMs, times[piece]);
  for (let i = 0; i < startMs.length; i++) {
    all[at++] = startMs[i];
    all[at++] = startMs[i] + durationMs[i];
  }
  all.set(others, at);
  return distinctOf(all);
}

/** The processors that are free at each of these instants, which ascend. */
export function freeAtEach({ times, head, tail, free }: Profile, instantsMs: Float64Array): Float64Array {
  let piece = head;
  return instantsMs.map((atMs) => {
    while (piece + 1 < tail && times[piece + 1] <= atMs) piece++;
    return free[0][piece];
  });
}

/** Each value once, ascending; uses the array up. */
export function distinctOf(values: Float64Array): Float64Array {
  values.sort();
  let distinct = 0;
  for (let i = 0; i < values.length; i++) {
    if (i === 0 || values[i] !== values[distinct - 1]) values[distinct++] = values[i];
  }
  return values.subarray(0, distinct);
}
