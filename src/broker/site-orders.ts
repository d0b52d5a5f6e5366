/** Orders to a cluster about a job in its queue, as the record of the job asks for them. */
import type { JobRecord } from "../model/index.ts";
import type { SiteVerb } from "../runtime/index.ts";

/** Order that brings a job at its site to the recorded state; undefined if none is needed. */
export function wantedOf(job: JobRecord): SiteVerb | undefined {
  if (job.isCancelRequested) return "cancel";
  // A held job cannot begin between this order and its cancellation.
  if (job.isLeaving === true && job.isRecalled !== true) return "hold";
  // Only a payload that has not begun can be recalled by a hold; one that has begun goes on.
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

/** True for a job that its site is to hold, or that its pilot is to return. */
export function isKeptBack({ state, isCancelRequested, isLeaving = false }: JobRecord): boolean {
  return isCancelRequested || isLeaving || state === "HELD";
}
