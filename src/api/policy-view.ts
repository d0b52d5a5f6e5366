/**
 * Policies, enforcers and use as JSON for people.
 */
import type {
  AmountsView,
  EnforcementActionView,
  PoliciesView,
  PolicySetView,
  SiteEnforcerView,
  SiteUsageView,
} from "../contract/index.ts";
import type { EnforcerView, PolicyVersion, SiteUsage } from "../engine/index.ts";
import {
  type EnforcementObstacle,
  type EnforcementRecord,
  enforcementActionText,
  enforcementObstacleText,
  inSeconds,
} from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { factsView } from "./facts-view.ts";
import { isoInstant } from "./iso-instant.ts";
import { peerView } from "./peer-view.ts";

/** Current and future policies. */
export function policiesView({ query }: Pick<BrokerApi, "query">): PoliciesView {
  const { now, coming, enforcers } = query("policies");
  const peers = query("peers");
  const here = new Set(enforcers.map(({ site }) => site));
  const sitesElsewhere = query("providers").filter((site) => !here.has(site));
  return {
    now: now === null ? null : policySetView(now),
    coming: coming.map(policySetView),
    enforcers: enforcers.map(enforcerView),
    followers: query("followers").map(({ sinceMs, heardAtMs, ...same }) => ({
      ...same,
      since: isoInstant(sinceMs),
      heardAt: heardAtMs === null ? null : isoInstant(heardAtMs),
    })),
    ...(peers.length === 0 ? {} : { peers: peers.map(peerView) }),
    ...(sitesElsewhere.length === 0 ? {} : { sitesElsewhere }),
  };
}

/** A version of the policies. */
export function policySetView(set: PolicyVersion): PolicySetView {
  const { version, effectiveFromMs, appliedAtMs, by, note, policies } = set;
  const instants = { effectiveFrom: isoInstant(effectiveFromMs), appliedAt: isoInstant(appliedAtMs) };
  return { version, ...instants, by, note, policies: inSeconds(policies) };
}

/** The enforcer of a site. */
export function enforcerView(enforcer: EnforcerView): SiteEnforcerView {
  const { site, version, rules, isPaused, obstacles } = enforcer;
  return { site, version, granted: rules.granted, form: rules.form, isPaused, ...cannotAct(obstacles) };
}

/** Obstacles to an enforcer; omitted where there are none. */
export function cannotAct(obstacles: readonly EnforcementObstacle[] = []): { readonly cannotAct?: string } {
  if (obstacles.length === 0) return {};
  return { cannotAct: obstacles.map((it) => enforcementObstacleText(it, isoInstant)).join("; ") };
}

/** Action of an enforcer. */
export function actionView({ atMs, site, action, isAdvice }: EnforcementRecord): EnforcementActionView {
  const text = enforcementActionText(action, isoInstant);
  return { at: isoInstant(atMs), site, ...factsView(action), text, isAdvice };
}

/** Use of a site by consumers. */
export function siteUsageView({ site, atMs, capacity, free, levels, ...same }: SiteUsage): SiteUsageView {
  const amounts = { capacity: amountsView(capacity), free: amountsView(free) };
  return { site, at: isoInstant(atMs), ...amounts, ...same, levels: inSeconds(levels) };
}

function amountsView({ cpu, gpu, memory }: SiteUsage["capacity"]): AmountsView {
  return { procs: cpu, gpus: gpu, memoryBytes: memory };
}
