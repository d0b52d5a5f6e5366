/** Enforcement of a site's usage policies at an instant (rules EN-51, EN-52). */
import {
  type EnforcementRules,
  type EnforcementStep,
  enforcementRulesOf,
  isForeign,
  type JobRecord,
} from "../../model/index.ts";
import { hasShare, type ShareTree, type SiteAmounts, shareTree } from "../../policy/index.ts";
import { type PolicyBook, type PolicyVersion, versionAt } from "./policy-book.ts";
import { policySubject } from "./policy-subject.ts";
import { isStepAskedFor } from "./refusals.ts";
import type { SiteState } from "./site-state.ts";

/** The steps that a managed site can be asked for: it starts in the order of its queue, and never anew. */
const MANAGED_STEPS: readonly EnforcementStep[] = ["watch", "hold", "suspend"];

/** The part of the state that this is said of. */
export interface WithPolicies {
  readonly policies: PolicyBook;
}

/** The trees that were made, as long as their version is known. */
const trees = new WeakMap<PolicyVersion, Map<string, ShareTree>>();

/** Shares at a site by the policies in force at an instant; undefined where none gives any. */
export function sharesAt({ policies }: WithPolicies, site: string, nowMs: number): ShareTree | undefined {
  const version = versionAt(policies, nowMs);
  if (version === undefined) return undefined;
  const made = trees.get(version) ?? new Map<string, ShareTree>();
  trees.set(version, made);
  const tree = made.get(site) ?? shareTree(version.policies, site);
  made.set(site, tree);
  return tree.nodes.size === 0 ? undefined : tree;
}

/** Enforcement steps that the site grants its enforcer. */
export function grantedAt({ spec }: SiteState): ReadonlySet<EnforcementStep> {
  const { granted } = enforcementRulesOf(spec);
  return new Set(
    isForeign(spec)
      ? granted.filter((step) => step !== "compile")
      : granted.filter((step) => MANAGED_STEPS.includes(step)),
  );
}

/** True if a job that comes to a managed site waits until the enforcer releases it. */
export function letsInOneByOne(state: WithPolicies, site: SiteState, job: JobRecord, nowMs: number): boolean {
  if (site.enforcer.isPaused || !grantedAt(site).has("hold") || isInRoom(job)) return false;
  const shares = sharesAt(state, site.name, nowMs);
  return shares !== undefined && isNamed(shares, policySubject(job));
}

/** True if a policy of the site names the consumer or a level above it; others are not enforced. */
export function isNamed(shares: ShareTree, consumer: string): boolean {
  const known = named.get(shares) ?? new Map<string, boolean>();
  named.set(shares, known);
  const before = known.get(consumer);
  if (before !== undefined) return before;
  const isIt = hasShare(shares, consumer);
  known.set(consumer, isIt);
  return isIt;
}

/** Cached results of `isNamed` by tree: every decision asks them for every job. */
const named = new WeakMap<ShareTree, Map<string, boolean>>();

/** True if a job runs in a reservation, with which it was admitted. */
export function isInRoom({ description }: JobRecord): boolean {
  return description.reservation !== undefined;
}

/** The rules of a site's enforcer, with the steps that the site can be asked for now. */
export function rulesAt(site: SiteState, nowMs: number): EnforcementRules {
  const granted = grantedAt(site);
  const rules = enforcementRulesOf(site.spec);
  const { refusals } = site.enforcer;
  const isAsked = (step: EnforcementStep): boolean => isStepAskedFor(refusals, step, nowMs);
  return { ...rules, granted: rules.granted.filter((step) => granted.has(step) && isAsked(step)) };
}

/** Amounts that a job needs. */
export function amountsOf({ procs, memoryBytes = 0, gpus = 0 }: JobRecord["description"]): SiteAmounts {
  return { cpu: procs, gpu: gpus, memory: memoryBytes };
}

/** Capacity of a site, of which its shares are parts. */
export function capacityAt({ spec }: SiteState): SiteAmounts {
  return { cpu: spec.procs, gpu: spec.gpus ?? 0, memory: spec.memoryBytes };
}
