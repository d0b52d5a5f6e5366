/**
 * The compression of one pool of processors, the case of nearly every real trace.
 *
 * Equivalent to `compress` in `planning`; differs for speed in these ways:
 * 1. Where a job could start at all (the first step with enough processors) is read off a list of the
 *    steps that have more free than every step before them. The list is made as far as it is asked for,
 *    and cut where a job moved.
 * 2. A job that moves changes the profile only where its old and its new rectangle differ.
 * 3. Where a job has just found no start before its own, none that is at least as wide, as long and as late
 *    can find one there: what was in the way of the first is in its way too.
 * Cost: O(waiting jobs), a scan for each job that could start somewhere, and a change for each that moves.
 */
import { earlierStartOneColumn, indexAt, moveEarlierOneColumn } from "../profile/index.ts";
import { firstStepWith, forgetFrom } from "./free-capacity-records.ts";
import { type Machine, noteFreed, nothingFreed } from "./machine.ts";
import { schedule } from "./planned-starts.ts";
import { inQueueOrder } from "./waiting.ts";

/** True for a site with one pool of processors alone. */
export function isOneColumn({ pools, jobs }: Machine): boolean {
  return pools.length === 1 && jobs.need.length === 1;
}

/** One compression (rule QU-4); see the header. */
export function compressOneColumn(machine: Machine): void {
  const { jobs, nowMs, plannedStarts, rises, rectangleInHand, needInHand, searchInHand } = machine;
  const profile = machine.pools[0];
  let { fromMs, beforeMs } = machine.freed[0];
  machine.freed = [nothingFreed()];
  const { estimateMs, startMs } = jobs;
  const procs = jobs.need[0];
  const { handles, count } = inQueueOrder(machine);
  rises.count = 0;
  rises.seen = 0;
  let failedProcs = Number.POSITIVE_INFINITY;
  let failedMs = 0;
  let failedDurationMs = 0;
  for (let i = 0; i < count; i++) {
    const handle = handles[i];
    const durationMs = estimateMs[handle];
    const oldMs = startMs[handle];
    const firstMs = Math.max(nowMs, fromMs - durationMs + 1);
    if (firstMs >= oldMs || firstMs >= beforeMs) continue;
    const step = firstStepWith(profile, rises, procs[handle], beforeMs);
    if (step < 0) continue;
    const stepMs = profile.times[step];
    if (stepMs >= oldMs || stepMs >= beforeMs) continue;
    let searchMs = Math.max(firstMs, stepMs);
    if (procs[handle] >= failedProcs && durationMs >= failedDurationMs && oldMs >= failedMs) {
      searchMs = Math.max(searchMs, failedMs);
      if (searchMs >= oldMs || searchMs >= beforeMs) continue;
    }
    needInHand[0] = procs[handle];
    rectangleInHand.durationMs = durationMs;
    rectangleInHand.startMs = oldMs;
    searchInHand.at = searchMs === stepMs ? step : indexAt(profile, searchMs);
    searchInHand.fromMs = searchMs;
    searchInHand.beforeMs = beforeMs;
    const newMs = earlierStartOneColumn(profile, rectangleInHand, searchInHand);
    if (newMs >= oldMs) {
      failedProcs = procs[handle];
      failedDurationMs = durationMs;
      failedMs = oldMs;
      continue;
    }
    failedProcs = Number.POSITIVE_INFINITY;
    forgetFrom(profile, rises, newMs);
    moveEarlierOneColumn(profile, rectangleInHand, newMs);
    startMs[handle] = newMs;
    schedule(plannedStarts, startMs, handle);
    const freedFromMs = Math.max(oldMs, newMs + durationMs);
    fromMs = Math.min(fromMs, freedFromMs);
    beforeMs = Math.max(beforeMs, oldMs + durationMs);
    noteFreed(machine.freed, 0, freedFromMs, oldMs + durationMs);
  }
}
