/**
 * When a job would start by the site's own schedule: every job uses its whole estimate and nobody else comes.
 *
 * Exact under that assumption, for every discipline; the answer states it (rule PD-14).
 * Cost: one play of the queue until the job starts.
 */
import { machineOf, playUntilStart } from "./site-play.ts";
import { restOf, type SiteSnapshot } from "./snapshot.ts";

/** What a start by schedule takes for granted. */
export const SCHEDULE_ASSUMPTIONS = ["everyEstimateIsUsed", "nobodyElseComes"] as const;

/** A start, and what was assumed. */
export interface ScheduledStart {
  /** From now; Infinity where the job would never start. */
  readonly waitMs: number;
  readonly assumptions: typeof SCHEDULE_ASSUMPTIONS;
}

/** The wait of one more job, submitted now. */
export function scheduleStart(
  snapshot: SiteSnapshot,
  job: { readonly need: readonly number[]; readonly estimateMs: number },
): ScheduledStart {
  const { nowMs } = snapshot;
  const { machine, placed } = machineOf(snapshot);
  const running = placed
    .filter((it) => it.job.startedAtMs !== undefined)
    .map((it) => ({ handle: it.handle, endMs: nowMs + restOf(it.job, nowMs) }));
  const runtimeMs = (handle: number): number => machine.jobs.estimateMs[handle];
  const startMs = playUntilStart({ machine, running, runtimeMs, job, nextArrival: nobody, nowMs });
  return { waitMs: startMs - nowMs, assumptions: SCHEDULE_ASSUMPTIONS };
}

function nobody(): undefined {
  return undefined;
}
