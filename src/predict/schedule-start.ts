/**
 * Start by schedule: the site's own schedule if every job uses its whole estimate and no other job arrives
 * (rule PD-14).
 *
 * Exact under these assumptions, for every discipline; the answer states them.
 * Cost: one simulation of the queue until the job starts; in the kernel, where the queue allows it.
 */
import { advance, arrive, foreseenStarts } from "../queue/index.ts";
import { restOf, type SiteSnapshot } from "./snapshot.ts";
import { machineOf, simulateUntilStart, within } from "./snapshot-machine.ts";

/** Assumptions of a start by schedule. */
export const SCHEDULE_ASSUMPTIONS = ["everyEstimateIsUsed", "nobodyElseComes"] as const;

/** A start, and its assumptions. */
export interface ScheduledStart {
  /** Wait from now; Infinity where the job would never start. */
  readonly waitMs: number;
  readonly assumptions: typeof SCHEDULE_ASSUMPTIONS;
}

interface OneMore {
  readonly need: readonly number[];
  readonly estimateMs: number;
}

/** The wait of an additional job that is submitted now. */
export function scheduleStart(snapshot: SiteSnapshot, job: OneMore): ScheduledStart {
  const startMs = foreseenStart(snapshot, job) ?? simulatedStart(snapshot, job);
  return { waitMs: startMs - snapshot.nowMs, assumptions: SCHEDULE_ASSUMPTIONS };
}

/** Up to this number of jobs, simulating until the job starts is faster than foreseeing all starts. */
const SHORT_QUEUE = 200;

/** Equivalent to `simulatedStart`, faster in a long queue; undefined where the kernel does not apply. */
function foreseenStart(snapshot: SiteSnapshot, job: OneMore): number | undefined {
  const { nowMs, jobs } = snapshot;
  if (jobs.length < SHORT_QUEUE) return undefined;
  const { machine } = machineOf(snapshot);
  const arrived = arrive(machine, within(machine, job), nowMs);
  if (!arrived.ok) return Number.POSITIVE_INFINITY;
  const { handles: started, count } = advance(machine, nowMs);
  if (started.subarray(0, count).includes(arrived.value)) return nowMs;
  const foreseen = foreseenStarts(machine);
  return foreseen?.startMs[foreseen.handles.indexOf(arrived.value)];
}

/** The instant, by simulating the queue until the job starts. */
export function simulatedStart(snapshot: SiteSnapshot, job: OneMore): number {
  const { nowMs } = snapshot;
  const { machine, placed } = machineOf(snapshot);
  const running = placed
    .filter((it) => it.job.startedAtMs !== undefined)
    .map((it) => ({ handle: it.handle, endMs: nowMs + restOf(it.job, nowMs) }));
  const runtimeMs = (handle: number): number => machine.jobs.estimateMs[handle];
  return simulateUntilStart({ machine, running, runtimeMs, job, nextArrival: nobody, nowMs });
}

function nobody(): undefined {
  return undefined;
}
