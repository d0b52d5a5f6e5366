/**
 * Where a job stands for whoever decides about it.
 */
import type { JobRecord, JobState } from "../model/index.ts";

/** A job whose start is decided counts as running, though its process has not reported yet. */
export function effectiveState(job: JobRecord): JobState {
  return job.state === "SCHEDULED" && job.startDecidedAtMs !== null ? "RUNNING" : job.state;
}
