/**
 * Whether the policies of a site would honour a request now, later, or never (PO-21).
 *
 * What a site recommender asks of each site, recursively down the consumer path. Source: [UP] slide 30.
 * Cost: O(depth × resources) beside the uses, which are looked up.
 */
import { mulDiv } from "../base/index.ts";
import { isWithin, type Policy, WHOLE_SHARE } from "../model/index.ts";
import { type EnforcedSite, SITE_RESOURCES, type SiteAmounts, type SiteResource } from "./enforce/view.ts";
import { hasShare, levelsOf, type ShareNode } from "./share-tree.ts";
import { amountAt, reachesAtMs } from "./use-history.ts";

/** What is asked for. */
export interface PolicyRequest {
  readonly consumer: string;
  readonly need: SiteAmounts;
}

/** Which limit speaks, of which level, by which policy. */
export interface SpeakingLimit {
  readonly limit: "noPolicy" | "burst" | "epoch" | "capacity" | "free";
  readonly resource: SiteResource | null;
  /** The consumer whose limit it is; null where it is the site's own. */
  readonly level: string | null;
  readonly policy: Policy | null;
}

/** `now`: within every limit, and it fits; `later`: not now; `never`: as long as the policies stay. */
export interface PolicyVerdict {
  readonly when: "now" | "later" | "never";
  /** Null where nothing speaks against it. */
  readonly because: SpeakingLimit | null;
}

/** As much of a site as a verdict needs: no list of jobs, so that many can be asked for at once. */
export interface VerdictSite extends Pick<EnforcedSite, "capacity" | "available" | "shares" | "uses"> {
  /** What the jobs that are shown use, or will use that were let in. */
  readonly taken: SiteAmounts;
  /** What will use the site that neither it nor its uses show yet. */
  readonly coming?: readonly PolicyRequest[];
}

/** A site as verdicts see it, from what its enforcer sees. */
export function verdictSite({ capacity, available, shares, uses, jobs }: EnforcedSite): VerdictSite {
  const taken = { cpu: 0, gpu: 0, memory: 0 };
  for (const { need, state } of jobs) {
    if (state !== "running" && state !== "queued") continue;
    for (const resource of SITE_RESOURCES) taken[resource] += need[resource];
  }
  return { capacity, available, shares, uses, taken };
}

/** What speaks against a request for good. */
export type NeverLimit = SpeakingLimit & { readonly limit: "noPolicy" | "burst" | "capacity" };

/** Whether a verdict would be `never`, of which nothing that is in use decides; undefined: it is not. */
export function neverHonoured(
  { shares, capacity }: Pick<VerdictSite, "shares" | "capacity">,
  request: PolicyRequest,
): NeverLimit | undefined {
  const { consumer, need } = request;
  if (!hasShare(shares, consumer))
    return { limit: "noPolicy", resource: null, level: consumer, policy: null };
  for (const resource of SITE_RESOURCES) {
    if (need[resource] > capacity[resource])
      return { limit: "capacity", resource, level: null, policy: null };
    const level = levelsOf(shares, resource, consumer).find(
      ({ burstShare }) => need[resource] > amountOf(burstShare, capacity[resource]),
    );
    if (level !== undefined) return { ...speaking("burst", resource, level), limit: "burst" };
  }
  return undefined;
}

/** The verdict on a request at an instant: what speaks against it for good is told before the rest. */
export function policyVerdict(site: VerdictSite, request: PolicyRequest, nowMs: number): PolicyVerdict {
  const never = neverHonoured(site, request);
  if (never !== undefined) return { when: "never", because: never };
  const later = whyLater(site, request, nowMs);
  return later === undefined ? { when: "now", because: null } : { when: "later", because: later };
}

function whyLater(site: VerdictSite, request: PolicyRequest, nowMs: number): SpeakingLimit | undefined {
  const { shares, capacity, available, taken } = site;
  const { consumer, need } = request;
  for (const resource of SITE_RESOURCES) {
    if (need[resource] === 0) continue;
    for (const level of levelsOf(shares, resource, consumer)) {
      const inUse = usedNow(site, resource, level.path, nowMs);
      if (inUse + need[resource] > amountOf(level.burstShare, capacity[resource])) {
        return speaking("burst", resource, level);
      }
      if (level.rule === "cap" && hasReached(site, resource, level, nowMs)) {
        return speaking("epoch", resource, level);
      }
    }
    if (taken[resource] + comingTo(site, resource) + need[resource] > available[resource]) {
      return { limit: "free", resource, level: null, policy: null };
    }
  }
  return undefined;
}

function speaking(limit: "burst" | "epoch", resource: SiteResource, level: ShareNode): SpeakingLimit {
  return { limit, resource, level: level.path, policy: level.policy };
}

function usedNow(site: VerdictSite, resource: SiteResource, path: string, nowMs: number): number {
  const use = site.uses.get(resource)?.get(path);
  return (use === undefined ? 0 : amountAt(use.all, nowMs)) + comingTo(site, resource, path);
}

/** Of anybody where no level is named. */
function comingTo({ coming = [] }: VerdictSite, resource: SiteResource, path?: string): number {
  const its = path === undefined ? coming : coming.filter(({ consumer }) => isWithin(consumer, path));
  return its.reduce((sum, { need }) => sum + need[resource], 0);
}

function hasReached(
  { uses, capacity }: VerdictSite,
  resource: SiteResource,
  { path, window, epochShare }: ShareNode,
  nowMs: number,
): boolean {
  const use = uses.get(resource)?.get(path);
  if (use === undefined) return epochShare === 0;
  const limit = { window, share: epochShare, capacity: capacity[resource] };
  return reachesAtMs(use.counted, limit, nowMs, amountAt(use.all, nowMs)) === nowMs;
}

/** A share of a capacity in whole amounts, rounded down. */
function amountOf(share: number, capacity: number): number {
  return mulDiv(share, capacity, WHOLE_SHARE, "down");
}
