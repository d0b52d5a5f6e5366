/** Orders to a cluster about a job in its queue, as the record of the job asks for them. */
import type { JobRecord } from "../model/index.ts";
import type { SiteVerb } from "../runtime/index.ts";

/** Order that brings a site to the recorded state; none while the site has to act. */
export function wantedOf(job: JobRecord): SiteVerb | undefined {
  if (job.isCancelRequested) return "cancel";
  // One that its site holds cannot begin before it is cancelled there.
  if (job.isLeaving === true && job.isRecalled !== true) return "hold";
  // A payload that has begun is not ended by being taken back.
  if (job.isRecalled === true) return job.pilot === undefined ? "cancel" : "hold";
  switch (job.state) {
    case "HELD":
      return "hold";
    case "SUSPENDED":
      return "suspend";
    case "SCHEDULED":
      return job.startedAtMs === null ? "release" : "resume";
    default:
      return undefined;
  }
}

/** True for a job that its site is to hold, or to give back. */
export function isKeptBack({ state, isCancelRequested, isLeaving = false }: JobRecord): boolean {
  return isCancelRequested || isLeaving || state === "HELD";
}
