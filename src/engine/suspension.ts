/** Effect of suspension on a job's time, for every requester. */
import type { JobRecord, SiteSpec } from "../model/index.ts";
import { plannedNeedOf } from "./state/site-state.ts";

/** Remaining planned time of a running job at an instant, at least 1 ms; and its run intervals. */
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
