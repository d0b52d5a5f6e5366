/** Sites at which a job can be paid for, and may declare its cost of delay. */
import type { JobRecord } from "../../model/index.ts";
import { whyNotDeclare } from "../features/reservations/declared-costs.ts";
import { shortRefusal } from "../state/accounts.ts";
import type { Projection } from "../state/projection.ts";
import type { SiteState } from "../state/site-state.ts";
import { queuedCost } from "./queued-cost.ts";

/**
 * The sites at which the account covers a job, which costs n·d·c if it starts now. That was checked when the
 * job was accepted, but the balance may have been spent since.
 */
export function covered(eligible: readonly SiteState[], job: JobRecord, nowMs: number): readonly SiteState[] {
  const { consumer, description } = job;
  const { procs, wallTimeMs: limitMs = null } = description;
  const payable = eligible.filter((site) => {
    const needed = queuedCost(site, { consumer, procs, limitMs }, nowMs);
    return shortRefusal(site, consumer, needed) === undefined;
  });
  return payable.length > 0 ? payable : eligible;
}

/** The sites that allow what a job declares as its delay cost; budgets may have become smaller since. */
export function declarable({ jobs }: Projection, eligible: readonly SiteState[], job: JobRecord) {
  const allowing = eligible.filter((site) => whyNotDeclare(jobs, site, job, job.id) === undefined);
  return allowing.length > 0 ? allowing : eligible;
}
