/**
 * Verdict on a request: admitted now, later, or never under the policies of a site.
 *
 * For a site recommender, recursively down the consumer path.
 * Source: [UP] slide 30.
 * Cost: O(depth × resources), besides looking up the uses.
 */
import { mulDiv } from "../base/index.ts";
import { isWithin, type Policy, WHOLE_SHARE } from "../model/index.ts";
import {
  type EnforcedSite,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
} from "./enforce/enforced-site.ts";
import { hasShare, levelsOf, type ShareNode } from "./share-tree.ts";
import { amountAt, reachesAtMs } from "./use-history.ts";

/** The consumer and the amounts requested. */
export interface PolicyRequest {
  readonly consumer: string;
  readonly need: SiteAmounts;
}

/** The limit that decides: kind, level and policy. */
export interface DecidingLimit {
  readonly limit: "noPolicy" | "burst" | "epoch" | "capacity" | "free";
  readonly resource: SiteResource | null;
  /** The consumer with the limit; null where it is the site's own. */
  readonly level: string | null;
  readonly policy: Policy | null;
}

/** `now`: within every limit, and it fits; `later`: not now; `never`: not under these policies. */
export interface PolicyVerdict {
  readonly when: "now" | "later" | "never";
  /** Null where no limit is exceeded. */
  readonly because: DecidingLimit | null;
}

/** The part of a site that a verdict needs: no list of jobs, so that many verdicts are cheap. */
export interface VerdictSite extends Pick<EnforcedSite, "capacity" | "available" | "shares" | "uses"> {
  /** Amounts of running jobs, and of those let into the queue. */
  readonly taken: SiteAmounts;
  /** Requests on their way to the site, which neither it nor its uses include yet. */
  readonly coming?: readonly PolicyRequest[];
}

/** A site for verdicts on shares alone, without its available and taken capacity. */
type SiteShares = Omit<VerdictSite, "available" | "taken">;

/** A site for verdicts, from the site of its enforcer. */
export function verdictSite({ capacity, available, shares, uses, jobs }: EnforcedSite): VerdictSite {
  const taken = { cpu: 0, gpu: 0, memory: 0 };
  for (const { need, state } of jobs) {
    if (state !== "running" && state !== "queued") continue;
    for (const resource of SITE_RESOURCES) taken[resource] += need[resource];
  }
  return { capacity, available, shares, uses, taken };
}

/** A limit that refuses a request for good. */
export type NeverLimit = DecidingLimit & { readonly limit: "noPolicy" | "burst" | "capacity" };

/** The limit for which a verdict is `never`, whatever is in use; undefined where it is not `never`. */
export function neverAdmitted(
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

/** The verdict on a request at an instant; limits that refuse for good come before the rest. */
export function policyVerdict(site: VerdictSite, request: PolicyRequest, nowMs: number): PolicyVerdict {
  const never = neverAdmitted(site, request);
  if (never !== undefined) return { when: "never", because: never };
  const later = whyLater(site, request, nowMs);
  return later === undefined ? { when: "now", because: null } : { when: "later", because: later };
}

/**
 * The burst or epoch limit that a request would exceed now; undefined where there is none. Free capacity is
 * not tested.
 */
export function exceededShare(
  site: SiteShares,
  request: PolicyRequest,
  nowMs: number,
): DecidingLimit | undefined {
  for (const resource of SITE_RESOURCES) {
    const exceeded = exceededBy(site, resource, request, nowMs);
    if (exceeded !== undefined) return exceeded;
  }
  return undefined;
}

function whyLater(site: VerdictSite, request: PolicyRequest, nowMs: number): DecidingLimit | undefined {
  const { available, taken } = site;
  for (const resource of SITE_RESOURCES) {
    if (request.need[resource] === 0) continue;
    const exceeded = exceededBy(site, resource, request, nowMs);
    if (exceeded !== undefined) return exceeded;
    if (taken[resource] + comingTo(site, resource) + request.need[resource] > available[resource]) {
      return { limit: "free", resource, level: null, policy: null };
    }
  }
  return undefined;
}

function exceededBy(
  site: SiteShares,
  resource: SiteResource,
  { consumer, need }: PolicyRequest,
  nowMs: number,
): DecidingLimit | undefined {
  if (need[resource] === 0) return undefined;
  for (const level of levelsOf(site.shares, resource, consumer)) {
    const inUse = usedNow(site, resource, level.path, nowMs);
    if (inUse + need[resource] > amountOf(level.burstShare, site.capacity[resource])) {
      return speaking("burst", resource, level);
    }
    if (level.rule === "cap" && hasReached(site, resource, level, nowMs)) {
      return speaking("epoch", resource, level);
    }
  }
  return undefined;
}

function speaking(limit: "burst" | "epoch", resource: SiteResource, level: ShareNode): DecidingLimit {
  return { limit, resource, level: level.path, policy: level.policy };
}

function usedNow(site: SiteShares, resource: SiteResource, path: string, nowMs: number): number {
  const use = site.uses.get(resource)?.get(path);
  return (use === undefined ? 0 : amountAt(use.all, nowMs)) + comingTo(site, resource, path);
}

/** Amount on its way, of all consumers where no path is given. */
function comingTo({ coming = [] }: SiteShares, resource: SiteResource, path?: string): number {
  const its = path === undefined ? coming : coming.filter(({ consumer }) => isWithin(consumer, path));
  return its.reduce((sum, { need }) => sum + need[resource], 0);
}

function hasReached(
  { uses, capacity }: SiteShares,
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
