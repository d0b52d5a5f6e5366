/**
 * Who of those that wait a look has to be shown (rules PO-50, PO-51): where thousands wait, most of them can
 * neither be let go nor keep anybody from it, and a look need not go through them.
 *
 * Equivalent to showing all of them. It holds where looks only let go (no caps, nothing dedicated, nobody
 * who could claim from who runs, nothing that runs beyond a burst): then what is free, and what bursts leave,
 * only shrinks in a look. Whoever is wider than what is free at its beginning is passed, but for the first of
 * its level, which may keep room, and for those whom a burst refuses, which close their level. Elsewhere all
 * are shown.
 * Cost: O(levels + widths + what is shown) for a look; O(log jobs) and a move in a list for each job.
 */
import type { EnforcementRules } from "../../model/index.ts";
import { consumerLevel, type Levels, SITE_LEVEL } from "./levels.ts";
import { type EnforcedJob, SITE_RESOURCES, type SiteAmounts } from "./view.ts";

/** The jobs that wait at a site to be let in. Made anew where the policies change. */
export interface WaitingJobs {
  /** By level, those that could ever be let go: by processors, in order. */
  readonly byLevel: Map<number, Map<number, EnforcedJob[]>>;
}

/** None. */
export function noneWaiting(): WaitingJobs {
  return { byLevel: new Map() };
}

/** A job waits from now on. */
export function addWaiting({ byLevel }: WaitingJobs, levels: Levels, job: EnforcedJob): void {
  const level = consumerLevel(levels, job.consumer);
  if (level === SITE_LEVEL || !isPossible(levels, level, job.need)) return;
  const widths = byLevel.get(level) ?? new Map<number, EnforcedJob[]>();
  byLevel.set(level, widths);
  const alike = widths.get(job.need.cpu) ?? [];
  widths.set(job.need.cpu, alike);
  alike.splice(placeOf(alike, job.order), 0, job);
}

/** It does not wait any more. */
export function removeWaiting({ byLevel }: WaitingJobs, levels: Levels, job: EnforcedJob): void {
  const widths = byLevel.get(consumerLevel(levels, job.consumer));
  const alike = widths?.get(job.need.cpu);
  if (widths === undefined || alike === undefined) return;
  const at = placeOf(alike, job.order);
  if (alike[at]?.order !== job.order) return;
  if (alike.length === 1) widths.delete(job.need.cpu);
  else alike.splice(at, 1);
}

/** A site of which the jobs that wait are kept apart. */
export interface SiteInSight {
  readonly levels: Levels;
  readonly available: SiteAmounts;
  /** Processors that run jobs: of the site, and of a level by its path. */
  readonly usedProcs: number;
  readonly usedProcsOf: (path: string) => number;
  /** Whether anybody is queued or suspended. */
  readonly hasOthers: boolean;
  readonly waiting: WaitingJobs;
  readonly rules: EnforcementRules;
}

/**
 * Those that a look has to be shown; empty where it would ask for nothing and name no instant, undefined
 * where it has to be shown all.
 */
export function toShow(site: SiteInSight): readonly EnforcedJob[] | undefined {
  if (!isPlain(site)) return undefined;
  if (isAnyOverBurst(site)) return undefined;
  const free = site.available.cpu - site.usedProcs;
  const shown: EnforcedJob[] = [];
  let canLetGo = false;
  for (const [level, widths] of site.waiting.byLevel) {
    if (widths.size === 0) continue;
    if (mayClaim(site, level, widths)) return undefined;
    if (show(widths, { free, left: leftBy(site, level) }, shown)) canLetGo = true;
  }
  return canLetGo ? shown : [];
}

const cpu = SITE_RESOURCES.indexOf("cpu");
const columns = SITE_RESOURCES.length;

/** Whether looks at it can only let go, and bursts are of processors alone. */
function isPlain({ levels, available, hasOthers, rules }: SiteInSight): boolean {
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

/** Whether what runs is more than some burst allows, for which a look may stop it. */
function isAnyOverBurst({ levels: { list, bursts }, usedProcsOf }: SiteInSight): boolean {
  return list.some(
    ({ index, path }) => index !== SITE_LEVEL && usedProcsOf(path) > bursts[index * columns + cpu],
  );
}

/** Whether some job of a level could take back from who runs. */
function mayClaim(
  { levels, usedProcsOf }: SiteInSight,
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

/** What the bursts of a level, and of those above it, leave it. */
function leftBy({ levels: { list, bursts }, usedProcsOf }: SiteInSight, level: number): number {
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

/** Shows who matters of a level; gives whether any of them fits. */
function show(
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
  // Nobody of the level comes after him whom its burst refuses.
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

/** No wider than the site and every burst. */
function isPossible({ list, bursts, capacity }: Levels, level: number, need: SiteAmounts): boolean {
  return SITE_RESOURCES.every(
    (resource, column) =>
      need[resource] <= capacity[resource] &&
      list[level].line.every((index) => need[resource] <= bursts[index * columns + column]),
  );
}

/** Where an order is, or would be, among jobs in order. */
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
