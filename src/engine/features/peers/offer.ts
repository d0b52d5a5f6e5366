/**
 * Dispatches that a broker reports to its peers: its own jobs on clusters, never those reported by others.
 *
 * Jobs that have ended or exceeded their limit are not reported: the list is bounded by what clusters hold,
 * by age, and by {@link MOST_DISPATCHES_TOLD}.
 */
import {
  attemptToken,
  type DispatchedJob,
  type DispatchList,
  isForeign,
  type JobRecord,
  MOST_DISPATCHES_TOLD,
} from "../../../model/index.ts";
import { expectedEndMs } from "../../state/peer-use.ts";
import { policySubject } from "../../state/policy-subject.ts";
import type { Projection } from "../../state/projection.ts";
import type { SiteState } from "../../state/site-state.ts";

/** All that is at clusters now, in the order in which the jobs were accepted. */
export function dispatchesNow(
  { jobs, sites }: Pick<Projection, "jobs" | "sites">,
  nowMs: number,
): DispatchList {
  const there = [...sites.values()].filter(({ spec }) => isForeign(spec));
  const all = there
    .flatMap((site) => [...site.own].flatMap((id) => jobs.get(id) ?? []).map((job) => ({ site, job })))
    .sort((one, other) => one.job.order - other.job.order)
    .map(({ site, job }) => dispatchOf(site, job))
    .filter((dispatch) => expectedEndMs(dispatch, nowMs) > nowMs);
  const dispatched = all.slice(-MOST_DISPATCHES_TOLD);
  return { asOfMs: nowMs, dispatched, leftOut: all.length - dispatched.length };
}

function dispatchOf({ name, spec }: SiteState, job: JobRecord): DispatchedJob {
  const { procs, gpus = 0, memoryBytes = 0, wallTimeMs = spec.defaultWallTimeMs } = job.description;
  return {
    ...{
      id: attemptToken(job.id, job.attempt),
      site: name,
      siteJob: job.siteJob,
      consumer: policySubject(job),
    },
    ...{ procs, gpus, memoryBytes, startedAtMs: job.startedAtMs, limitMs: wallTimeMs },
  };
}
