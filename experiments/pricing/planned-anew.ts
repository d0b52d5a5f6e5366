/**
 * Prices after the letter of [PROV] Fig. 22: the queue is planned anew twice, without the slot and with it.
 *
 * There v and v′ are the starts in two schedules that the site's policy makes from nothing but what runs and
 * is reserved; under conservative backfilling each job in its turn takes its earliest start. The prices of
 * `market` compare with the promises instead (v), and a job that still fits keeps its promise (v′): planned
 * anew, a job may be charged a delay against a start that nobody promised it, or may have to give up a better
 * one without a charge. With exact estimates the two schedules hardly differ; where jobs end early they do.
 * What a reservation then does to the queue is the site's rule in either case.
 * Cost: the whole queue planned for each candidate.
 */
import { candidatesFor, PLAIN_PRICE } from "../../src/market/index.ts";
import { copyProfile, earliest, type Profile, release, reserve } from "../../src/profile/index.ts";
import type { TriedMachine } from "../../src/queue/index.ts";
import type { Lister } from "../../src/sim/reserving/reservable-site.ts";

/** The price list of a site of one pool of processors under conservative backfilling. */
export const listPlannedAnew: Lister = (tried, shape) => {
  const base = withoutQueue(tried);
  const present = plannedAnew(tried, copyProfile(base));
  const { handles } = tried.present;
  const [procs] = tried.machine.jobs.need;
  return Array.from(candidatesFor(tried, { kind: "whenever" }, PLAIN_PRICE.tariff)).flatMap((startMs) => {
    const profile = copyProfile(base);
    if (reserve(profile, shape.need, shape.durationMs, startMs) !== undefined) return [];
    const displaced = plannedAnew(tried, profile);
    let [delayedJobs, delayProcMs] = [0, 0];
    for (const [at, handle] of handles.entries()) {
      const delayMs = displaced[at] - present[at];
      if (delayMs <= 0) continue;
      delayedJobs++;
      delayProcMs += delayMs * procs[handle];
    }
    return [{ startMs, fixedProcMs: delayProcMs, delayedJobs, delayProcMs }];
  });
};

/** What is free beside what runs and is reserved. */
function withoutQueue({ machine, present }: TriedMachine): Profile {
  const { need, estimateMs } = machine.jobs;
  const profile = copyProfile(machine.pools[0]);
  for (const [at, handle] of present.handles.entries()) {
    release(profile, [need[0][handle]], estimateMs[handle], present.startMs[at]);
  }
  return profile;
}

/** Each job in its turn at its earliest start; the profile is used up. */
function plannedAnew({ machine, present }: TriedMachine, profile: Profile): readonly number[] {
  const { need, estimateMs } = machine.jobs;
  return Array.from(present.handles, (handle) => {
    const wanted = [need[0][handle]];
    const startMs = earliest(profile, wanted, estimateMs[handle], machine.nowMs);
    reserve(profile, wanted, estimateMs[handle], startMs);
    return startMs;
  });
}
