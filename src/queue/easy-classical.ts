/**
 * EASY on one pool of processors without reservations: shadow time and extra processors.
 *
 * Equivalent to `easyPass` in `queueing`; differs for speed in this way: running jobs alone only ever
 * free processors, so whether a rectangle fits beside the head's is two comparisons and no scan.
 * Source: [L95], [MF01]. Cost: O(waiting jobs), and a scan of the running jobs for the head.
 */
import { earliestOneColumn, freeAt } from "../profile/index.ts";
import type { Machine } from "./machine.ts";
import { forgetStarted, startNow } from "./queueing.ts";
import { inQueueOrder } from "./waiting.ts";

/** Whether the classical rule says the same as the general one for this site, now. */
export function isClassicalCase(machine: Machine): boolean {
  return machine.pools.length === 1 && machine.jobs.need.length === 1 && machine.reservations.size === 0;
}

/** One pass of EASY in the classical case. */
export function easyClassicalPass(machine: Machine): void {
  const { handles, count } = inQueueOrder(machine);
  if (count === 0) return;
  const procs = machine.jobs.need[0];
  const profile = machine.pools[0];
  let freeNow = freeAt(profile, machine.nowMs);
  let i = 0;
  for (; i < count && procs[handles[i]] <= freeNow; i++) {
    startNow(machine, handles[i], 0);
    freeNow -= procs[handles[i]];
  }
  if (i < count - 1 && freeNow > 0) backfill(machine, handles.subarray(i, count), freeNow);
  forgetStarted(machine);
}

/** Starts behind the head (the first of `handles`) whatever does not touch its promise. */
function backfill(machine: Machine, handles: Int32Array, freeAtFirst: number): void {
  const { nowMs, jobs } = machine;
  const procs = jobs.need[0];
  const profile = machine.pools[0];
  const headProcs = procs[handles[0]];
  const shadowMs = earliestOneColumn(profile, headProcs, jobs.estimateMs[handles[0]], nowMs);
  let freeNow = freeAtFirst;
  let extra = freeAt(profile, shadowMs) - headProcs;
  for (let i = 1; i < handles.length && freeNow > 0; i++) {
    const wanted = procs[handles[i]];
    if (wanted > freeNow) continue;
    const endsInTime = nowMs + jobs.estimateMs[handles[i]] <= shadowMs;
    if (!endsInTime && wanted > extra) continue;
    startNow(machine, handles[i], 0);
    freeNow -= wanted;
    if (!endsInTime) extra -= wanted;
  }
}
