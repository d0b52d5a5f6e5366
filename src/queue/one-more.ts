/**
 * Test whether one more job, last in the queue, would start at once.
 *
 * Equivalent to letting it arrive at the instant at which the queue was settled, and settling it again;
 * differs for speed in this way: it comes last and changes nothing for the others, so what it must leave
 * alone is put into the profile once (under a planning discipline all promises are there already, under EASY
 * that of the head), and then each job that is asked about is a look at the profile.
 * Cost: a search for the head's place; then O(breakpoints until its end) a job.
 */
import { assert } from "../base/index.ts";
import { fits } from "../profile/index.ts";
import type { Machine } from "./machine.ts";
import type { QueuedNeed } from "./named-queue.ts";
import { earliestPlace, occupy } from "./placement.ts";
import { inQueueOrder } from "./waiting.ts";

/**
 * Returns a test whether one more job, last in the queue, would start now. The machine, of one pool and
 * settled at this instant, is used up: hand in a copy.
 */
export function startsOneMore(copy: Machine): (job: QueuedNeed) => boolean {
  const { pools, rules, nowMs } = copy;
  assert(pools.length === 1, "one pool");
  const { handles, count } = inQueueOrder(copy);
  if (rules.discipline === "external" || (rules.discipline === "fcfs" && count > 0)) return () => false;
  if (rules.discipline === "easy" && count > 0) occupy(copy, handles[0], earliestPlace(copy, handles[0]));
  return ({ need, estimateMs }) => fits(pools[0], need, estimateMs, nowMs);
}
