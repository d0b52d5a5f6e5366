/**
 * The first instant at which the shares of a consumer would admit a request for processors, if known jobs run
 * as long as they are estimated to and those of each level start in their order.
 *
 * The queue of the site is left out: its wait is predicted elsewhere, and the longer of both counts.
 * Cost: O(n log n) for n jobs below a level, for each level of the path.
 */
import { createHeap, mulDiv, popHeap, pushHeap, smallestKey } from "../base/index.ts";
import { isWithin, WHOLE_SHARE } from "../model/index.ts";
import type { EnforcedSite } from "./enforce/enforced-site.ts";
import { hasShare, levelsOf, type ShareNode } from "./share-tree.ts";
import { amountAt, fallsBelowAtMs, reachesAtMs } from "./use-history.ts";

/** The part of a site that decides when shares admit a request. */
export type SharedSite = Pick<EnforcedSite, "capacity" | "jobs" | "shares" | "uses">;

/** The first instant at which every share admits so many processors of a consumer; null: never. */
export function admittedAtMs(
  site: SharedSite,
  { consumer, procs }: { readonly consumer: string; readonly procs: number },
  nowMs: number,
): number | null {
  if (!hasShare(site.shares, consumer)) return null;
  let latestMs = nowMs;
  for (const level of levelsOf(site.shares, "cpu", consumer)) {
    const burstMs = withinBurstAtMs(site, level, procs, nowMs);
    const epochMs = level.rule === "cap" ? withinEpochAtMs(site, level, nowMs) : nowMs;
    if (burstMs === null || epochMs === null) return null;
    latestMs = Math.max(latestMs, burstMs, epochMs);
  }
  return latestMs;
}

/** The request starts after the waiting jobs of the level, each as soon as it is within the burst share. */
function withinBurstAtMs(site: SharedSite, level: ShareNode, procs: number, nowMs: number): number | null {
  const allowed = mulDiv(level.burstShare, site.capacity.cpu, WHOLE_SHARE, "down");
  if (procs > allowed) return null;
  const ends = createHeap();
  let inUse = 0;
  let atMs = nowMs;
  const jobs = site.jobs.filter(({ consumer }) => isWithin(consumer, level.path));
  for (const { need, state, plannedEndMs } of jobs) {
    if (state !== "running") continue;
    inUse += need.cpu;
    pushHeap(ends, Math.max(nowMs, plannedEndMs ?? nowMs), need.cpu);
  }
  const makeRoom = (need: number): void => {
    while (inUse + need > allowed && ends.size > 0) {
      atMs = Math.max(atMs, smallestKey(ends));
      inUse -= popHeap(ends);
    }
  };
  const waiting = jobs.filter(({ state, need }) => state !== "running" && need.cpu <= allowed);
  for (const { need, estimateMs } of waiting.sort((one, other) => one.order - other.order)) {
    makeRoom(need.cpu);
    inUse += need.cpu;
    pushHeap(ends, atMs + estimateMs, need.cpu);
  }
  makeRoom(procs);
  return atMs;
}

function withinEpochAtMs(
  { capacity, uses }: SharedSite,
  { path, window, epochShare }: ShareNode,
  nowMs: number,
): number | null {
  const use = uses.get("cpu")?.get(path);
  if (use === undefined) return epochShare === 0 ? null : nowMs;
  const limit = { window, share: epochShare, capacity: capacity.cpu };
  const amount = amountAt(use.all, nowMs);
  if (reachesAtMs(use.counted, limit, nowMs, amount) !== nowMs) return nowMs;
  return fallsBelowAtMs(use.counted, limit, nowMs, amount);
}
