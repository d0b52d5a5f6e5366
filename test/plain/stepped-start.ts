/**
 * Start of a job of a queue, found by settling the queue at each instant at which it could change; Infinity
 * where the job never starts. The queue is advanced: pass a copy.
 */
import { type NamedQueue, nextInstant, settle } from "../../src/queue/index.ts";

export function steppedStart(copy: NamedQueue, job: string, nowMs: number): number {
  if (copy.running.has(job)) return nowMs;
  let atMs = nowMs;
  while (!settle(copy, atMs).includes(job)) {
    const nextMs = nextInstant(copy);
    if (nextMs === Number.POSITIVE_INFINITY) return nextMs;
    atMs = Math.max(nextMs, atMs);
  }
  return atMs;
}
