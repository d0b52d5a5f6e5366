/**
 * Whether and how far the usage policies of a site are enforced at an instant (rules EN-51, EN-52).
 */
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

/** What the policies that hold at an instant give whom at a site; undefined where they give nothing there. */
export function sharesAt({ policies }: WithPolicies, site: string, nowMs: number): ShareTree | undefined {
  const version = versionAt(policies, nowMs);
  if (version === undefined) return undefined;
  const made = trees.get(version) ?? new Map<string, ShareTree>();
  trees.set(version, made);
  const tree = made.get(site) ?? shareTree(version.policies, site);
  made.set(site, tree);
  return tree.nodes.size === 0 ? undefined : tree;
}

/** What the enforcer of a site was granted, of what the site can be asked for. */
export function grantedAt({ spec }: SiteState): ReadonlySet<EnforcementStep> {
  const { granted } = enforcementRulesOf(spec);
  return new Set(
    isForeign(spec)
      ? granted.filter((step) => step !== "compile")
      : granted.filter((step) => MANAGED_STEPS.includes(step)),
  );
}

/** Whether a job that comes to a managed site waits until the enforcer lets it in. */
export function letsInOneByOne(state: WithPolicies, site: SiteState, job: JobRecord, nowMs: number): boolean {
  if (site.enforcer.isPaused || !grantedAt(site).has("hold") || isInRoom(job)) return false;
  const shares = sharesAt(state, site.name, nowMs);
  return shares !== undefined && isNamed(shares, policySubject(job));
}

/** Whether any policy of the site names a consumer or a level above it; who is not named is left alone. */
export function isNamed(shares: ShareTree, consumer: string): boolean {
  const known = named.get(shares) ?? new Map<string, boolean>();
  named.set(shares, known);
  const before = known.get(consumer);
  if (before !== undefined) return before;
  const isIt = hasShare(shares, consumer);
  known.set(consumer, isIt);
  return isIt;
}

/** Who is named, as long as the tree is known: asked of every job in every look. */
const named = new WeakMap<ShareTree, Map<string, boolean>>();

/** What runs in a reservation was admitted with it. */
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

/** What a job needs. */
export function amountsOf({ procs, memoryBytes = 0, gpus = 0 }: JobRecord["description"]): SiteAmounts {
  return { cpu: procs, gpu: gpus, memory: memoryBytes };
}

/** What shares of a site are parts of. */
export function capacityAt({ spec }: SiteState): SiteAmounts {
  return { cpu: spec.procs, gpu: 0, memory: spec.memoryBytes };
}
