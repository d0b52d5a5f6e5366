/**
 * Payloads that their pilots have not begun, and that the site would not give to a pilot any more (rule
 * EN-306): the policies have changed, or the share is used up, or the mapping rules give another account.
 */
import type { JobRecord, StintEvent } from "../../../model/index.ts";
import { payloadDenial } from "../../state/payload-shares.ts";
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
    for (const job of waiting) {
      const why = whyRecalled(projection, site, job, nowMs);
      const { id, pilot = "" } = job;
      if (why !== undefined) return [{ kind: "payloadRecalled", job: id, pilot, why, atMs: nowMs }];
    }
    return [];
  });
}

function isUnbegun({ startedAtMs, isCancelRequested, isRecalled = false }: JobRecord): boolean {
  return startedAtMs === null && !isCancelRequested && !isRecalled;
}

function whyRecalled(projection: Projection, site: SiteState, job: JobRecord, nowMs: number) {
  const isRefused = identityRefusal(projection, site, job, nowMs) !== undefined;
  if (isRefused || switchedAccount(projection, site, job, nowMs) !== job.account) return "identity";
  return payloadDenial(projection, site, job, nowMs) === undefined ? undefined : "policies";
}
