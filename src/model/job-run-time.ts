/** Run time of a job, without suspended time. */
import type { JobRecord } from "./job.ts";

/** Run time of earlier runs, and the begin of the current one. */
interface JobRunTime {
  readonly ranMs: number;
  /** Unix ms; null while it does not run. */
  readonly runningSinceMs: number | null;
}

/** Run time: of suspended runs by their instants in `earlierRuns`, of the last one by those of the record. */
export function jobRunTime({
  earlierRuns = [],
  startedAtMs,
  startDecidedAtMs,
  endedAtMs,
}: Pick<JobRecord, "earlierRuns" | "startedAtMs" | "startDecidedAtMs" | "endedAtMs">): JobRunTime {
  const before = earlierRuns.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const last = earlierRuns.at(-1);
  const sinceMs = last === undefined ? startedAtMs : startDecidedAtMs;
  if (sinceMs === null || sinceMs === last?.fromMs) return { ranMs: before, runningSinceMs: null };
  if (endedAtMs === null) return { ranMs: before, runningSinceMs: sinceMs };
  return { ranMs: before + Math.max(0, endedAtMs - sinceMs), runningSinceMs: null };
}
