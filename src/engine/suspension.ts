/**
 * What becomes of a job's time when it is suspended, whoever requested it.
 */
import type { JobRecord, SiteSpec } from "../model/index.ts";
import { plannedNeedOf } from "./state/site-state.ts";

/** What is left of a running job's planned time at an instant, at least a millisecond; and when it ran. */
export function suspendedPart(
  job: JobRecord,
  spec: SiteSpec,
  atMs: number,
): Pick<JobRecord, "state" | "restMs" | "earlierRuns"> {
  const { estimateMs } = plannedNeedOf(job, spec);
  const fromMs = job.startDecidedAtMs ?? atMs;
  return {
    state: "SUSPENDED",
    restMs: Math.max(1, fromMs + estimateMs - atMs),
    earlierRuns: [...(job.earlierRuns ?? []), { fromMs, toMs: atMs }],
  };
}
