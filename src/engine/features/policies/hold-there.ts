/** The enforcer's action on a job that is held or stopped at a foreign site, and its cause. */
import { type EnforcementCause, isForeign } from "../../../model/index.ts";
import { standingThere } from "../../state/known-jobs.ts";
import type { ReservedState } from "../../state/reserved.ts";
import { decisionAt } from "./decide-enforcement.ts";

/** A hold or a stop. */
export interface PolicyHold {
  /** Reason for the hold or stop; null where the enforcer is about to end it. */
  readonly cause: EnforcementCause | null;
  /** End of a hold's lease unless it is renewed; null where it has not been seen yet, and for a stop. */
  readonly untilMs: number | null;
  readonly isStopped: boolean;
}

/**
 * The enforcer's hold or stop of a job at a foreign site, by the site's id; undefined where there is none.
 * The id of an array stands for its first task.
 */
export function policyHoldThere(
  state: ReservedState,
  siteName: string,
  siteJob: string,
  nowMs: number,
): PolicyHold | undefined {
  const site = state.sites.get(siteName);
  if (site === undefined || !isForeign(site.spec) || site.enforcer.known.size === 0) return undefined;
  const { jobs } = site.observation;
  const job =
    jobs.find((it) => it.siteJob === siteJob) ?? jobs.find((it) => it.siteJob.startsWith(`${siteJob}_`));
  if (job === undefined) return undefined;
  const { isHeld, isStopped } = standingThere(site.enforcer.known.get(job.siteJob), job, nowMs);
  if (!isHeld && !isStopped) return undefined;
  const cause = decisionAt(state, site, nowMs)?.kept.get(job.siteJob) ?? null;
  const { eligibleAtMs = null } = job;
  const untilMs = isHeld && eligibleAtMs !== null && eligibleAtMs > nowMs ? eligibleAtMs : null;
  return { cause, untilMs, isStopped };
}
