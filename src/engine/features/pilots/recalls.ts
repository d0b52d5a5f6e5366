/**
 * Payloads that their pilots have not begun, and that the site would not give to a pilot any more (rule
 * EN-306): the policies have changed, or the share is used up, or the mapping rules give another account.
 */
import type { JobRecord, StintEvent } from "../../../model/index.ts";
import { payloadDenials } from "../../state/payload-shares.ts";
import { identityRefusal, payloadsAt, switchedAccount } from "../../state/pilots.ts";
import type { Projection } from "../../state/projection.ts";
import type { SiteState } from "../../state/site-state.ts";

/**
 * The events that take such payloads back: of each site the one that was submitted last, since the others may
 * be admitted without it. The next decision tests them again.
 */
export function recalls(projection: Projection, nowMs: number): readonly StintEvent[] {
  if (projection.books.pilots.size === 0) return [];
  return [...projection.sites.values()].flatMap((site): StintEvent[] => {
    const waiting = payloadsAt(projection, site).filter(isUnbegun);
    waiting.sort((one, other) => other.order - one.order);
    if (waiting.length === 0) return [];
    const denialOf = payloadDenials(projection, site, nowMs);
    for (const job of waiting) {
      const isRefused = hasOtherAccount(projection, site, job, nowMs);
      if (!isRefused && denialOf(job) === undefined) continue;
      const { id, pilot = "" } = job;
      const why = isRefused ? "identity" : "policies";
      return [{ kind: "payloadRecalled", job: id, pilot, why, atMs: nowMs }];
    }
    return [];
  });
}

function isUnbegun({ startedAtMs, isCancelRequested, isRecalled = false }: JobRecord): boolean {
  return startedAtMs === null && !isCancelRequested && !isRecalled;
}

/** True if a site refuses a job now, or would run it under another account than when it was bound. */
function hasOtherAccount(projection: Projection, site: SiteState, job: JobRecord, nowMs: number): boolean {
  if (identityRefusal(projection, site, job, nowMs) !== undefined) return true;
  return switchedAccount(projection, site, job, { nowMs }) !== job.account;
}
