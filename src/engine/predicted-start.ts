/**
 * When a job would start if every job used its whole limit and nothing else arrived.
 *
 * The site machine itself is played forward on a copy: exact under these assumptions, for every
 * discipline. Cost: one replay of what is in the system.
 */
import { type NamedQueue, nextInstant, settle } from "../queue/index.ts";

/**
 * The instant at which a job of this queue would start, Infinity where it never would (held, or waiting
 * for somebody to resume it). Plays the queue forward: hand in a copy.
 */
export function predictedStart(copy: NamedQueue, job: string, nowMs: number): number {
  if (copy.running.has(job)) return nowMs;
  let atMs = nowMs;
  for (;;) {
    const started = settle(copy, atMs);
    if (started.includes(job)) return atMs;
    const nextMs = nextInstant(copy);
    if (nextMs === Number.POSITIVE_INFINITY) return nextMs;
    atMs = Math.max(nextMs, atMs);
  }
}
