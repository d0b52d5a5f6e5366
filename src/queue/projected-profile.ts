/**
 * What stays free when the whole queue has been served: the schedule that slots are advertised from.
 *
 * [PROV] ch. 3 advertises what no queued job will use, so that a slot taken delays nobody. Under a planning
 * discipline the machine's own profile says it: it has every promise in it. Under FCFS and EASY later jobs
 * hold no promise, so a copy is played forward as if nothing else came and every job used its whole
 * estimate, and what starts is taken out (rule QU-22). Waiting jobs keep the order of now, since a priority
 * of the future depends on what nobody knows.
 * Cost: a copy of the machine; under FCFS and EASY one play of the queue.
 */
import { assert, createHeap, popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { copyProfile, advance as forgetPast, type Profile, take } from "../profile/index.ts";
import { advance, wakeAt } from "./advance.ts";
import { checkpoint, machineFrom } from "./checkpoint.ts";
import { endMsOf, jobState } from "./job-table.ts";
import { type Machine, type SiteRules, takeUpNeed } from "./machine.ts";
import { end } from "./operations.ts";
import { priorityOf } from "./waiting.ts";

/**
 * The projected profile of each pool, from `nowMs` on; the machine stays as it is. It has settled its last
 * instant, and nothing has happened since.
 *
 * Where somebody outside decides who starts, waiting jobs are not in it: nobody knows their starts.
 */
export function projectedProfiles(machine: Machine, nowMs: number = machine.nowMs): Profile[] {
  assert(nowMs >= machine.nowMs, "a projection is of now");
  const profiles = machine.pools.map(copyProfile);
  const { discipline } = machine.rules;
  if (discipline === "fcfs" || discipline === "easy") takeWaiting(machine, profiles);
  for (const profile of profiles) forgetPast(profile, nowMs);
  return profiles;
}

/** Takes out of the profiles what the waiting jobs would use if nothing else came. */
function takeWaiting(machine: Machine, profiles: readonly Profile[]): void {
  let left = machine.waiting.count;
  if (left === 0) return;
  const copy = machineFrom(checkpoint(machine), rulesOfNow(machine));
  const { jobs } = copy;
  const ends = createHeap();
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) pushHeap(ends, endMsOf(jobs, handle), handle);
  }
  while (left > 0) {
    const atMs = Math.min(smallestKey(ends), wakeAt(copy));
    assert(atMs < Number.POSITIVE_INFINITY, "who waits starts when all the others have ended");
    while (smallestKey(ends) === atMs) end(copy, popHeap(ends), atMs);
    const { handles, count } = advance(copy, atMs);
    for (let i = 0; i < count; i++) {
      const handle = handles[i];
      take(profiles[jobs.pool[handle]], takeUpNeed(copy, handle), jobs.estimateMs[handle], atMs);
      pushHeap(ends, endMsOf(jobs, handle), handle);
    }
    left -= count;
  }
}

function rulesOfNow(machine: Machine): SiteRules {
  const { rules, waiting } = machine;
  if (rules.priority === undefined) return rules;
  const ofNow = new Map<number, number>();
  for (const handle of waiting.handles.subarray(0, waiting.count)) {
    ofNow.set(handle, priorityOf(machine, handle));
  }
  return { ...rules, priority: ({ handle }) => ofNow.get(handle) ?? 0 };
}

/** How many jobs a site has in its queue and running. */
export function jobsInSystem({ jobs, waiting }: Machine): number {
  let running = 0;
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) running++;
  }
  return running + waiting.count;
}
