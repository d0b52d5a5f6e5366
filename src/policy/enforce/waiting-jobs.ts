/**
 * Filter of waiting jobs: with thousands of them, most can neither be released nor block others, and a pass
 * need not visit them.
 *
 * Equivalent to passing all of them to the enforcer. It applies where passes only release (no caps, nothing
 * dedicated, no possible claim, nothing beyond a burst): then free capacity, and what bursts leave, only
 * shrink during a pass. A job wider than the initial free capacity is dropped, unless it is the first of its
 * level, which may get the reservation, or a burst refuses it, which closes its level. Elsewhere all are
 * passed. A pass is skipped where no candidate is narrow enough for what is free and what its bursts leave.
 * Cost: O(levels + widths + jobs passed) for a pass; O(log jobs) and a move in a list for each job.
 */
import type { EnforcementRules } from "../../model/index.ts";
import { type EnforcedJob, SITE_RESOURCES, type SiteAmounts } from "./enforced-site.ts";
import { consumerLevel, type Levels, SITE_LEVEL } from "./levels.ts";

/** Waiting jobs at a site. Rebuilt where the policies change. */
export interface WaitingJobs {
  /** Jobs that could ever be released, by level and processors, in order. */
  readonly byLevel: Map<number, Map<number, EnforcedJob[]>>;
}

/** An empty index. */
export function createWaitingJobs(): WaitingJobs {
  return { byLevel: new Map() };
}

/** Adds a waiting job to the index. */
export function addWaiting({ byLevel }: WaitingJobs, levels: Levels, job: EnforcedJob): void {
  const level = consumerLevel(levels, job.consumer);
  if (level === SITE_LEVEL || !isPossible(levels, level, job.need)) return;
  const widths = byLevel.get(level) ?? new Map<number, EnforcedJob[]>();
  byLevel.set(level, widths);
  const alike = widths.get(job.need.cpu) ?? [];
  widths.set(job.need.cpu, alike);
  alike.splice(placeOf(alike, job.order), 0, job);
}

/** Removes a job that no longer waits. */
export function removeWaiting({ byLevel }: WaitingJobs, levels: Levels, job: EnforcedJob): void {
  const widths = byLevel.get(consumerLevel(levels, job.consumer));
  const alike = widths?.get(job.need.cpu);
  if (widths === undefined || alike === undefined) return;
  const at = placeOf(alike, job.order);
  if (alike[at]?.order !== job.order) return;
  if (alike.length === 1) widths.delete(job.need.cpu);
  else alike.splice(at, 1);
}

/** A site with its waiting jobs in an index. */
export interface IndexedSite {
  readonly levels: Levels;
  readonly available: SiteAmounts;
  /** Processors of running jobs: of the site, and of a level by its path. */
  readonly usedProcs: number;
  readonly usedProcsOf: (path: string) => number;
  /** True while a job is queued or suspended. */
  readonly hasOthers: boolean;
  readonly waiting: WaitingJobs;
  readonly rules: EnforcementRules;
}

/**
 * The waiting jobs that a pass needs; empty where it would do nothing and name no instant, undefined where it
 * needs all of them.
 */
export function relevantJobs(site: IndexedSite): readonly EnforcedJob[] | undefined {
  if (!isPlain(site)) return undefined;
  if (isAnyOverBurst(site)) return undefined;
  const free = site.available.cpu - site.usedProcs;
  const shown: EnforcedJob[] = [];
  let canLetGo = false;
  for (const [level, widths] of site.waiting.byLevel) {
    if (widths.size === 0) continue;
    if (mayClaim(site, level, widths)) return undefined;
    if (addRelevant(widths, { free, left: leftBy(site, level) }, shown)) canLetGo = true;
  }
  return canLetGo ? shown : [];
}

const cpu = SITE_RESOURCES.indexOf("cpu");
const columns = SITE_RESOURCES.length;

/** True where passes can only release, and bursts are of processors alone. */
function isPlain({ levels, available, hasOthers, rules }: IndexedSite): boolean {
  const { hasCap, hasDedicated, capacity, bursts } = levels;
  if (hasOthers || hasCap || hasDedicated) return false;
  if (rules.form !== "ours" || !rules.granted.includes("hold")) return false;
  if (SITE_RESOURCES.some((resource) => available[resource] < capacity[resource])) return false;
  for (let at = 0; at < bursts.length; at++) {
    const column = at % columns;
    if (column !== cpu && bursts[at] < capacity[SITE_RESOURCES[column]]) return false;
  }
  return true;
}

/** True where running jobs exceed some burst, for which a pass may stop them. */
function isAnyOverBurst({ levels: { list, bursts }, usedProcsOf }: IndexedSite): boolean {
  return list.some(
    ({ index, path }) => index !== SITE_LEVEL && usedProcsOf(path) > bursts[index * columns + cpu],
  );
}

/** True where some job of a level could have a claim on running jobs. */
function mayClaim(
  { levels, usedProcsOf }: IndexedSite,
  level: number,
  widths: ReadonlyMap<number, unknown>,
): boolean {
  const { list, entitled } = levels;
  const { line } = list[level];
  let least = Number.POSITIVE_INFINITY;
  for (const width of widths.keys()) least = Math.min(least, width);
  for (let at = line.length - 1; at >= 0; at--) {
    const { index, path, limits } = list[line[at]];
    if (usedProcsOf(path) + least > entitled[index * columns + cpu]) return false;
    if (limits.some((limit) => limit?.node.mode === "preempting")) return true;
  }
  return false;
}

/** Processors left by the bursts of a level and of those above it. */
function leftBy({ levels: { list, bursts }, usedProcsOf }: IndexedSite, level: number): number {
  let left = Number.POSITIVE_INFINITY;
  for (const index of list[level].line) {
    left = Math.min(left, bursts[index * columns + cpu] - usedProcsOf(list[index].path));
  }
  return left;
}

interface Room {
  readonly free: number;
  readonly left: number;
}

/** Adds the relevant jobs of a level; returns whether any of them fits. */
function addRelevant(
  widths: ReadonlyMap<number, readonly EnforcedJob[]>,
  { free, left }: Room,
  shown: EnforcedJob[],
): boolean {
  let closing: EnforcedJob | undefined;
  let wide: EnforcedJob | undefined;
  for (const [width, [first]] of widths) {
    if (width > left) closing = firstOf(closing, first);
    if (width > free) wide = firstOf(wide, first);
  }
  // Jobs of the level behind one that its burst refuses are not visited.
  const lastOrder = closing?.order ?? Number.POSITIVE_INFINITY;
  let fitsAny = false;
  for (const [width, alike] of widths) {
    if (width > left || (width > free && width <= left - free)) continue;
    for (let at = 0; at < alike.length && alike[at].order < lastOrder; at++) {
      shown.push(alike[at]);
      if (width <= free) fitsAny = true;
    }
  }
  const isShown = wide === undefined || (wide.need.cpu <= left && wide.need.cpu > left - free);
  if (closing !== undefined) shown.push(closing);
  if (!isShown && wide !== undefined && wide.order < lastOrder) shown.push(wide);
  return fitsAny;
}

function firstOf(one: EnforcedJob | undefined, other: EnforcedJob): EnforcedJob {
  return one === undefined || other.order < one.order ? other : one;
}

/** True where the need is within the site and every burst. */
function isPossible({ list, bursts, capacity }: Levels, level: number, need: SiteAmounts): boolean {
  return SITE_RESOURCES.every(
    (resource, column) =>
      need[resource] <= capacity[resource] &&
      list[level].line.every((index) => need[resource] <= bursts[index * columns + column]),
  );
}

/** The index of an order among jobs in order. */
function placeOf(alike: readonly EnforcedJob[], order: number): number {
  let low = 0;
  let high = alike.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (alike[middle].order < order) low = middle + 1;
    else high = middle;
  }
  return low;
}
