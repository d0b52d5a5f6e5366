/**
 * Capacity left free by the whole queue: the profile from which slots are advertised.
 *
 * [PROV] ch. 3 advertises what no queued job will use, so that a slot taken delays nobody. Under a planning
 * discipline the machine's own profile says it: it has every promise in it. Under FCFS and EASY later jobs
 * hold no promise, so a copy is played forward as if nothing else came and every job used its whole
 * estimate, and what starts is taken out (rule QU-22). Waiting jobs keep the order of now, since a priority
 * of the future depends on what nobody knows.
 * Cost: under FCFS and EASY one play of the queue (in the kernel where that can be), and a copy of the
 * machine where it cannot.
 */
import { assert } from "../base/index.ts";
import { copyProfile, advance as forgetPast, type Profile, take } from "../profile/index.ts";
import { checkpoint, machineFrom } from "./checkpoint.ts";
import { foreseenStarts } from "./impact/foreseen-starts.ts";
import { playForward, rulesOfNow } from "./impact/lookahead.ts";
import type { WaitingStarts } from "./impact/waiting-starts.ts";
import { jobState } from "./job-table.ts";
import { type Machine, takeUpNeed } from "./machine.ts";

/**
 * The projected profile of each pool, from `nowMs` on. The machine must have settled its last instant,
 * with no event since; it is not changed.
 *
 * Where an external program decides the starts, waiting jobs are left out: their starts are unknown.
 *
 * @param foreseen starts of the waiting jobs, where they are already known
 */
export function projectedProfiles(
  machine: Machine,
  nowMs: number = machine.nowMs,
  foreseen: WaitingStarts | undefined = foreseenStarts(machine),
): Profile[] {
  assert(nowMs >= machine.nowMs, "a projection is of now");
  const profiles = machine.pools.map(copyProfile);
  const { discipline } = machine.rules;
  if (discipline === "fcfs" || discipline === "easy") takeWaiting(machine, profiles, foreseen);
  for (const profile of profiles) forgetPast(profile, nowMs);
  return profiles;
}

/** Takes out of the profiles what the waiting jobs would use if nothing else came. */
function takeWaiting(
  machine: Machine,
  profiles: readonly Profile[],
  foreseen: WaitingStarts | undefined,
): void {
  if (machine.waiting.count === 0) return;
  if (foreseen !== undefined) {
    takeForeseen(machine, profiles[0], foreseen);
    return;
  }
  const copy = machineFrom(checkpoint(machine), rulesOfNow(machine));
  const { jobs } = copy;
  playForward(copy, (handle, atMs) => {
    take(profiles[jobs.pool[handle]], takeUpNeed(copy, handle), jobs.estimateMs[handle], atMs);
  });
}

/** In order of their starts: then nearly all of the profile lies before what is taken next. */
function takeForeseen(machine: Machine, profile: Profile, foreseen: WaitingStarts): void {
  const { jobs } = machine;
  const { handles, startMs } = foreseen;
  const inOrder = Uint32Array.from(handles, (_, at) => at).sort((a, b) => startMs[a] - startMs[b]);
  for (const at of inOrder) {
    const handle = handles[at];
    take(profile, takeUpNeed(machine, handle), jobs.estimateMs[handle], startMs[at]);
  }
}

/** Number of waiting and running jobs; held and suspended jobs are not counted. */
export function jobsInSystem({ jobs, waiting }: Machine): number {
  let running = 0;
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) running++;
  }
  return running + waiting.count;
}
