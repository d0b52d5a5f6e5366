/** The enforcer's action on a job that is held or stopped at a foreign site, and its cause. */
import { type EnforcementCause, isForeign } from "../../../model/index.ts";
import { standingThere } from "../../state/known-jobs.ts";
import type { ReservedState } from "../../state/reserved.ts";
import { decisionAt } from "./decide-enforcement.ts";

/** A hold or a stop. */
export interface PolicyHold {
  /** Null: the enforcer is about to let it go. */
  readonly cause: EnforcementCause | null;
  /** When the lease of a hold ends, unless it is renewed; null where that is not seen yet, and of a stop. */
  readonly untilMs: number | null;
  readonly isStopped: boolean;
}

/** Undefined where nothing was done to it; of an array by its id, what was done to its first task. */
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
