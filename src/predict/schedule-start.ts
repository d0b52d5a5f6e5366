/**
 * When a job would start by the site's own schedule: every job uses its whole estimate and nobody else comes.
 *
 * Exact under that assumption, for every discipline; the answer states it (rule PD-14).
 * Cost: one play of the queue until the job starts; in the kernel, where the queue allows it.
 */
import { advance, arrive, foreseenStarts } from "../queue/index.ts";
import { machineOf, playUntilStart, within } from "./site-play.ts";
import { restOf, type SiteSnapshot } from "./snapshot.ts";

/** What a start by schedule takes for granted. */
export const SCHEDULE_ASSUMPTIONS = ["everyEstimateIsUsed", "nobodyElseComes"] as const;

/** A start, and what was assumed. */
export interface ScheduledStart {
  /** From now; Infinity where the job would never start. */
  readonly waitMs: number;
  readonly assumptions: typeof SCHEDULE_ASSUMPTIONS;
}

/** What is asked about. */
interface OneMore {
  readonly need: readonly number[];
  readonly estimateMs: number;
}

/** The wait of one more job, submitted now. */
export function scheduleStart(snapshot: SiteSnapshot, job: OneMore): ScheduledStart {
  const startMs = foreseenStart(snapshot, job) ?? playedStart(snapshot, job);
  return { waitMs: startMs - snapshot.nowMs, assumptions: SCHEDULE_ASSUMPTIONS };
}

/** In a short queue a play until the job starts is over sooner than one of everybody. */
const SHORT_QUEUE = 200;

/** The same as `playedStart`, faster in a long queue; undefined where there is no faster way. */
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

/** The instant, by playing the queue until the job starts. */
export function playedStart(snapshot: SiteSnapshot, job: OneMore): number {
  const { nowMs } = snapshot;
  const { machine, placed } = machineOf(snapshot);
  const running = placed
    .filter((it) => it.job.startedAtMs !== undefined)
    .map((it) => ({ handle: it.handle, endMs: nowMs + restOf(it.job, nowMs) }));
  const runtimeMs = (handle: number): number => machine.jobs.estimateMs[handle];
  return playUntilStart({ machine, running, runtimeMs, job, nextArrival: nobody, nowMs });
}

function nobody(): undefined {
  return undefined;
}
