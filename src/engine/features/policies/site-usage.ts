/** Use and entitlement of consumers at a site, as an observation point publishes them (S-POP, [UP]). */
import { mulDiv } from "../../../base/index.ts";
import { isForeign } from "../../../model/index.ts";
import {
  amountAt,
  type EnforcedJob,
  type EnforcedSite,
  limitOver,
  pathsTo,
  type ShareNode,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
  usedOver,
  WHOLE_SHARE,
} from "../../../policy/index.ts";
import { capacityAt, sharesAt } from "../../state/enforced-site.ts";
import type { WithFiles } from "../../state/files-book.ts";
import { freeNow } from "../../state/free-now.ts";
import type { LevelUsage } from "../../state/level-usage.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";
import { storageUsage } from "../../state/storage-usage.ts";
import { enforcedView } from "./enforced-view.ts";
import { foreignView } from "./foreign-view.ts";

/** A site with all levels that its policies name, each before those below it. */
export interface SiteUsage {
  readonly site: string;
  readonly atMs: number;
  readonly capacity: SiteAmounts;
  /** Amounts that no job uses. */
  readonly free: SiteAmounts;
  /** Number of running jobs of all users as the site was last seen; below it, of waiting or stopped ones. */
  readonly jobsRunning: number;
  readonly jobsWaiting: number;
  readonly levels: readonly LevelUsage[];
}

/** The uses of a site under the policies that hold; without levels where there are none. */
export function usageAt(state: ReservedState & WithFiles, site: SiteState, nowMs: number): SiteUsage {
  const shares = sharesAt(state, site.name, nowMs);
  const capacity = capacityAt(site);
  if (shares === undefined) {
    const free = freeWithout(site);
    return { site: site.name, atMs: nowMs, capacity, free, ...jobsAt(site, []), levels: [] };
  }
  const view = (isForeign(site.spec) ? foreignView : enforcedView)(state, site, shares, nowMs);
  const levels = SITE_RESOURCES.flatMap((resource) => {
    const asking = askingAt(view, resource);
    const nodes = [...(shares.nodes.get(resource)?.values() ?? [])].filter(({ policy }) => policy !== null);
    return nodes.map((node) => levelUsage(view, { resource, node, asking, nowMs }));
  });
  const all = [...levels, ...storageUsage(state, site, nowMs)];
  return {
    site: site.name,
    atMs: nowMs,
    capacity,
    free: freeOf(view),
    ...jobsAt(site, view.jobs),
    levels: all,
  };
}

/** A site as its shares see it; undefined where no policy holds. */
export function sharedSiteAt(state: ReservedState, site: SiteState, nowMs: number): EnforcedSite | undefined {
  const shares = sharesAt(state, site.name, nowMs);
  if (shares === undefined) return undefined;
  return (isForeign(site.spec) ? foreignView : enforcedView)(state, site, shares, nowMs);
}

/** Where no policy gives anything: what the site's own queue leaves free. */
function freeWithout(site: SiteState): SiteAmounts {
  const { procs, memoryBytes, gpus } = freeNow(site);
  return {
    cpu: Math.max(0, procs),
    gpu: Math.max(0, gpus),
    memory: Math.max(0, memoryBytes),
  };
}

/**
 * Numbers of running and of waiting jobs; jobs that the enforcer keeps out of a managed site's queue count as
 * waiting.
 */
function jobsAt(
  { spec, queue, observation }: SiteState,
  jobs: readonly EnforcedJob[],
): Pick<SiteUsage, "jobsRunning" | "jobsWaiting"> {
  if (isForeign(spec)) {
    const running = observation.jobs.filter(({ state }) => state === "running").length;
    return { jobsRunning: running, jobsWaiting: observation.jobs.length - running };
  }
  const outside = jobs.filter(({ state }) => state === "waiting" || state === "suspended").length;
  return { jobsRunning: queue.running.size, jobsWaiting: queue.machine.waiting.count + outside };
}

interface LevelAt {
  readonly resource: SiteResource;
  readonly node: ShareNode;
  readonly asking: ReadonlyMap<string, Asking>;
  readonly nowMs: number;
}

function levelUsage(
  { capacity, uses }: EnforcedSite,
  { resource, node, asking, nowMs }: LevelAt,
): LevelUsage {
  const { path, window, epochShare, burstShare, rule, mode } = node;
  const history = uses.get(resource)?.get(path)?.all;
  const whole = limitOver({ window, share: WHOLE_SHARE, capacity: capacity[resource] }, nowMs);
  const used = history === undefined ? 0n : usedOver(history, window, nowMs);
  return {
    resource,
    consumer: path,
    inUse: history === undefined ? 0 : amountAt(history, nowMs),
    ...(asking.get(path) ?? NOBODY),
    usedPpm: whole === 0n ? 0 : Number((used * 1_000_000n) / whole),
    epochPpm: mulDiv(epochShare, 1_000_000, WHOLE_SHARE, "down"),
    burstPpm: mulDiv(burstShare, 1_000_000, WHOLE_SHARE, "down"),
    ...{ window, rule, mode },
  };
}

type Asking = Pick<LevelUsage, "waiting" | "jobsRunning" | "jobsWaiting">;

const NOBODY: Asking = { waiting: 0, jobsRunning: 0, jobsWaiting: 0 };

/** By level: the amount that its waiting or stopped jobs ask for, and how many jobs run and wait. */
function askingAt({ jobs }: EnforcedSite, resource: SiteResource): ReadonlyMap<string, Asking> {
  const asking = new Map<string, Asking>();
  for (const { consumer, need, state } of jobs) {
    if (need[resource] === 0) continue;
    for (const path of pathsTo(consumer)) {
      const { waiting, jobsRunning, jobsWaiting } = asking.get(path) ?? NOBODY;
      asking.set(
        path,
        state === "running"
          ? { waiting, jobsRunning: jobsRunning + 1, jobsWaiting }
          : { waiting: waiting + need[resource], jobsRunning, jobsWaiting: jobsWaiting + 1 },
      );
    }
  }
  return asking;
}

function freeOf({ available, jobs }: EnforcedSite): SiteAmounts {
  const free = { ...available };
  for (const { need, state } of jobs) {
    if (state !== "running") continue;
    for (const resource of SITE_RESOURCES) free[resource] = Math.max(0, free[resource] - need[resource]);
  }
  return free;
}
