/**
 * The sites whose policies would never let a job go (rules EN-5, EN-110).
 *
 * Equivalent to the verdict of PO-21 being `never`; for speed only its first half is asked, which needs
 * nothing of what is in use.
 */
import type { Command, JobRecord, PolicyDenial, Refusal, WaitCause } from "../../../model/index.ts";
import { neverAdmitted, type PolicyRequest } from "../../../policy/index.ts";
import { amountsOf, capacityAt, grantedAt, sharesAt, type WithPolicies } from "../../state/enforced-site.ts";
import { policySubject } from "../../state/policy-subject.ts";
import { isLargeEnough, isOpen, isUsable, type SiteState } from "../../state/site-state.ts";

/** The part of the state that denials are computed from. */
export interface WithPolicedSites extends WithPolicies {
  readonly sites: ReadonlyMap<string, SiteState>;
}

/** Permanent denial of a request at a site; undefined where no policy denies it. */
function denialAt(
  state: WithPolicies,
  site: SiteState,
  request: PolicyRequest,
  nowMs: number,
): PolicyDenial | undefined {
  const shares = sharesAt(state, site.name, nowMs);
  if (shares === undefined) return undefined;
  const never = neverAdmitted({ shares, capacity: capacityAt(site) }, request);
  if (never === undefined) return undefined;
  return { site: site.name, limit: never.limit, level: never.level };
}

/**
 * True if a site's policies are enforced, not only advised: a step is granted and the enforcer is not paused.
 */
function isEnforced(site: SiteState): boolean {
  if (site.enforcer.isPaused) return false;
  return [...grantedAt(site)].some((step) => step !== "watch");
}

/** Sites by what their policies say of a job. */
export interface SitesByPolicy {
  /**
   * Sites whose policies let the job start now or later; where there are none, those whose policies are only
   * advice.
   */
  readonly open: readonly SiteState[];
  /** Denials at the other sites. */
  readonly denials: readonly PolicyDenial[];
}

/** Sites where a job may go, and the denials at sites whose policies would never let it start. */
export function byPolicy(
  state: WithPolicies,
  sites: readonly SiteState[],
  job: Pick<JobRecord, "consumer" | "description" | "ticket">,
  nowMs: number,
): SitesByPolicy {
  const request = { consumer: policySubject(job), need: amountsOf(job.description) };
  const judged = sites.map((site) => ({ site, denial: denialAt(state, site, request, nowMs) }));
  const granting = judged.flatMap(({ site, denial }) => (denial === undefined ? [site] : []));
  const denials = judged.flatMap(({ denial }) => denial ?? []);
  if (granting.length > 0 || denials.length === 0) return { open: granting, denials };
  return { open: sites.filter((site) => !isEnforced(site)), denials };
}

/** Why a job is not taken at all: wherever it may go, enforced policies would never let it. */
export function whyDenied(
  state: WithPolicedSites,
  { consumer, description, ticket }: Extract<Command, { kind: "submit" }>,
  nowMs: number,
): Refusal | undefined {
  // What is in a reservation was admitted with it.
  if (description.reservation !== undefined) return undefined;
  const judged = { consumer: ticket?.ticket.vo ?? consumer, description };
  const usable = [...state.sites.values()].filter((site) => isUsable(site, description));
  const { open, denials } = byPolicy(state, usable, judged, nowMs);
  return open.length > 0 || denials.length === 0 ? undefined : { kind: "policyDenied", consumer, denials };
}

/** Denials of the open sites whose enforced policies would never let a job go that fits there. */
export function enforcedDenials(
  state: WithPolicies,
  sites: readonly SiteState[],
  job: JobRecord,
  nowMs: number,
): readonly PolicyDenial[] {
  if (job.description.reservation !== undefined) return [];
  const usable = sites.filter((it) => isOpen(it) && isEnforced(it) && isLargeEnough(it, job.description));
  return byPolicy(state, usable, job, nowMs).denials;
}

/** Wait cause that lists the sites whose policies deny a waiting job; undefined where none does. */
export function whyPassedBy(state: WithPolicedSites, job: JobRecord, nowMs: number): WaitCause | undefined {
  const { reservation, site: named } = job.description;
  if (reservation !== undefined || named !== undefined) return undefined;
  const usable = [...state.sites.values()].filter((site) => isOpen(site) && isUsable(site, job.description));
  const { open, denials } = byPolicy(state, usable, job, nowMs);
  // At a site that only advises it may wait like any other.
  const others = denials.filter(({ site }) => site !== job.site && !open.some(({ name }) => name === site));
  return others.length === 0 ? undefined : { kind: "policyNever", denials: others };
}
