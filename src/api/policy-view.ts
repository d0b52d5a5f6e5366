/**
 * Policies, enforcers and use as JSON for people.
 */
import type { PolicyVersion, SiteUsage } from "../engine/index.ts";
import { type EnforcementRecord, enforcementActionText } from "../model/index.ts";
import type { EnforcerView, PoliciesNow } from "../runtime/index.ts";
import type {
  EnforcementActionView,
  PoliciesView,
  PolicySetView,
  SiteEnforcerView,
  SiteUsageView,
} from "./client/policy-types.ts";
import { isoInstant } from "./iso-instant.ts";

/** The policies that hold and will. */
export function policiesView({ now, coming, enforcers, followers }: PoliciesNow): PoliciesView {
  return {
    now: now === null ? null : policySetView(now),
    coming: coming.map(policySetView),
    enforcers: enforcers.map(enforcerView),
    followers: followers.map(({ sinceMs, heardAtMs, ...same }) => ({
      ...same,
      since: isoInstant(sinceMs),
      heardAt: heardAtMs === null ? null : isoInstant(heardAtMs),
    })),
  };
}

/** A version of the policies. */
export function policySetView(set: PolicyVersion): PolicySetView {
  const { version, effectiveFromMs, appliedAtMs, by, note, policies } = set;
  const instants = { effectiveFrom: isoInstant(effectiveFromMs), appliedAt: isoInstant(appliedAtMs) };
  return { version, ...instants, by, note, policies };
}

/** The enforcer of a site. */
export function enforcerView({ site, version, rules, isPaused }: EnforcerView): SiteEnforcerView {
  return { site, version, granted: rules.granted, form: rules.form, isPaused };
}

/** What an enforcer did. */
export function actionView({ atMs, site, action, isAdvice }: EnforcementRecord): EnforcementActionView {
  const text = enforcementActionText(action, isoInstant);
  return { at: isoInstant(atMs), site, ...action, text, isAdvice };
}

/** What consumers use at a site. */
export function siteUsageView({ site, atMs, ...same }: SiteUsage): SiteUsageView {
  return { site, at: isoInstant(atMs), ...same };
}
