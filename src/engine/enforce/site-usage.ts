/**
 * What consumers use at a site, against what they may: what an observation point publishes (S-POP, [UP]).
 */
import { mulDiv } from "../../base/index.ts";
import { type EpochWindow, isForeign, type Policy, type SharedResource } from "../../model/index.ts";
import {
  amountAt,
  type EnforcedSite,
  limitOver,
  pathsTo,
  type ShareNode,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
  usedOver,
  WHOLE_SHARE,
} from "../../policy/index.ts";
import type { ReservedState } from "../reserve/reserved.ts";
import type { SiteState } from "../site-state.ts";
import { capacityAt, sharesAt } from "./enforced-site.ts";
import { enforcedView } from "./enforced-view.ts";
import { foreignView } from "./foreign-view.ts";

/** One level of a consumer, for one resource. Shares are parts per million of the site's capacity. */
export interface LevelUsage {
  readonly resource: SharedResource;
  readonly consumer: string;
  /** In use now, and what its jobs that wait ask for. */
  readonly inUse: number;
  readonly waiting: number;
  /** Over the window until now. */
  readonly usedPpm: number;
  readonly epochPpm: number;
  readonly burstPpm: number;
  readonly window: EpochWindow;
  readonly rule: Policy["rule"];
  readonly mode: Policy["mode"];
}

/** A site with all levels that its policies name, each before those below it. */
export interface SiteUsage {
  readonly site: string;
  readonly atMs: number;
  readonly capacity: SiteAmounts;
  /** What nobody uses. */
  readonly free: SiteAmounts;
  readonly levels: readonly LevelUsage[];
}

/** The uses of a site under the policies that hold; without levels where there are none. */
export function usageAt(state: ReservedState, site: SiteState, nowMs: number): SiteUsage {
  const shares = sharesAt(state, site.name, nowMs);
  const capacity = capacityAt(site);
  if (shares === undefined) return { site: site.name, atMs: nowMs, capacity, free: capacity, levels: [] };
  const view = (isForeign(site.spec) ? foreignView : enforcedView)(state, site, shares, nowMs);
  const levels = SITE_RESOURCES.flatMap((resource) => {
    const waiting = waitingAt(view, resource);
    const nodes = [...(shares.nodes.get(resource)?.values() ?? [])].filter(({ policy }) => policy !== null);
    return nodes.map((node) => levelUsage(view, { resource, node, waiting, nowMs }));
  });
  return { site: site.name, atMs: nowMs, capacity, free: freeOf(view), levels };
}

interface LevelAt {
  readonly resource: SiteResource;
  readonly node: ShareNode;
  readonly waiting: ReadonlyMap<string, number>;
  readonly nowMs: number;
}

function levelUsage(
  { capacity, uses }: EnforcedSite,
  { resource, node, waiting, nowMs }: LevelAt,
): LevelUsage {
  const { path, window, epochShare, burstShare, rule, mode } = node;
  const history = uses.get(resource)?.get(path)?.all;
  const whole = limitOver({ window, share: WHOLE_SHARE, capacity: capacity[resource] }, nowMs);
  const used = history === undefined ? 0n : usedOver(history, window, nowMs);
  return {
    resource,
    consumer: path,
    inUse: history === undefined ? 0 : amountAt(history, nowMs),
    waiting: waiting.get(path) ?? 0,
    usedPpm: whole === 0n ? 0 : Number((used * 1_000_000n) / whole),
    epochPpm: mulDiv(epochShare, 1_000_000, WHOLE_SHARE, "down"),
    burstPpm: mulDiv(burstShare, 1_000_000, WHOLE_SHARE, "down"),
    ...{ window, rule, mode },
  };
}

/** By level, what its jobs ask for that wait or are stopped. */
function waitingAt({ jobs }: EnforcedSite, resource: SiteResource): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>();
  for (const { consumer, need, state } of jobs) {
    if (state === "running") continue;
    for (const path of pathsTo(consumer)) waiting.set(path, (waiting.get(path) ?? 0) + need[resource]);
  }
  return waiting;
}

function freeOf({ available, jobs }: EnforcedSite): SiteAmounts {
  const free = { ...available };
  for (const { need, state } of jobs) {
    if (state !== "running") continue;
    for (const resource of SITE_RESOURCES) free[resource] = Math.max(0, free[resource] - need[resource]);
  }
  return free;
}
