/**
 * EASY on one pool of processors without reservations: shadow time and extra processors.
 *
 * Equivalent to `easyPass` in `queueing`; differs for speed in this way: running jobs alone only ever
 * free processors, so whether a rectangle fits beside the head's is two comparisons and no scan; and as
 * long as nothing is released, a job that could not start cannot start later (ending by the shadow time
 * only gets harder), so a pass at an arrival looks at the newcomers alone.
 * Source: [L95], [MF01]. Cost: O(waiting jobs) after an end, O(newcomers) else, and a scan of the running
 * jobs for the head.
 */
import { earliestOneColumn, freeAt, shiftOneColumn } from "../profile/index.ts";
import { jobState } from "./job-table.ts";
import { appendTo, type Machine } from "./machine.ts";
import { forgetStarted } from "./queueing.ts";
import { inQueueOrder } from "./waiting.ts";

/** True where the classical rule is equivalent to the general one: one pool of processors, none reserved. */
export function isClassicalCase(machine: Machine): boolean {
  return machine.pools.length === 1 && machine.jobs.need.length === 1 && machine.reservations.size === 0;
}

/** One pass of EASY in the classical case. */
export function easyClassicalPass(machine: Machine): void {
  const { lastPass, jobs } = machine;
  const { handles, count } = inQueueOrder(machine);
  let freeNow = freeAt(machine.pools[0], machine.nowMs);
  let from = lastPass.waiting;
  if (!lastPass.holds || machine.rules.priority !== undefined) {
    const procs = jobs.need[0];
    let head = 0;
    for (; head < count && procs[handles[head]] <= freeNow; head++) {
      freeNow -= procs[handles[head]];
      startOneColumn(machine, handles[head]);
    }
    from = head + 1;
    lastPass.shadowMs = Number.NaN;
    if (from < count && freeNow > 0) promiseHead(machine, handles[head]);
  } else if (from < count && freeNow > 0 && Number.isNaN(lastPass.shadowMs)) {
    promiseHead(machine, handles[0]);
  }
  if (from < count && freeNow > 0) backfill(machine, handles, [from, count], freeNow);
  forgetStarted(machine);
  lastPass.waiting = machine.waiting.count;
  lastPass.holds = lastPass.waiting > 0;
}

/** Starts of the jobs from..to−1, all behind the head, what does not touch its promise. */
function backfill(
  machine: Machine,
  handles: Int32Array,
  [from, to]: readonly [number, number],
  freeNow: number,
): void {
  const { nowMs, jobs, lastPass } = machine;
  const { estimateMs } = jobs;
  const procs = jobs.need[0];
  let left = freeNow;
  for (let i = from; i < to && left > 0; i++) {
    const handle = handles[i];
    const wanted = procs[handle];
    if (wanted > left) continue;
    const endsInTime = nowMs + estimateMs[handle] <= lastPass.shadowMs;
    if (!endsInTime && wanted > lastPass.extra) continue;
    startOneColumn(machine, handle);
    left -= wanted;
    if (!endsInTime) lastPass.extra -= wanted;
  }
}

/** The head's start beside running jobs, and what is free beside it then. */
function promiseHead({ nowMs, jobs, pools, lastPass }: Machine, head: number): void {
  const headProcs = jobs.need[0][head];
  lastPass.shadowMs = earliestOneColumn(pools[0], headProcs, jobs.estimateMs[head], nowMs);
  lastPass.extra = freeAt(pools[0], lastPass.shadowMs) - headProcs;
}

/** Starts a waiting job here and now; it leaves the queue when the pass is over. */
function startOneColumn(machine: Machine, handle: number): void {
  const { jobs, nowMs, pools, started } = machine;
  shiftOneColumn(pools[0], -jobs.need[0][handle], nowMs, nowMs + jobs.estimateMs[handle]);
  jobs.pool[handle] = 0;
  jobs.startMs[handle] = nowMs;
  jobs.state[handle] = jobState.running;
  appendTo(started, handle);
}
