/**
 * Accounting of use at a site, updated as jobs begin, end, wait and are suspended (rule PO-2), with `repay`
 * and `forgive`.
 *
 * The simulation and the live broker both report job changes to a keeper, and pass its uses to the enforcer.
 * There is a history for every level of every consumer that used something, named by a policy or not, since
 * policies change and past use remains. Under `forgive`, use above the entitlement counts only while another
 * consumer with demand was below its own.
 * Cost: a job O(depth); settling O(levels that changed), or O(levels) where over-use is forgiven.
 */
import { assert } from "../../base/index.ts";
import { pathsTo, type ShareTree } from "../share-tree.ts";
import { changeUse, createUseHistory, keptForMs, type UseHistory } from "../use-history.ts";
import {
  type EnforcedJob,
  type EnforcedJobState,
  type LevelUse,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
  type SiteUses,
} from "./enforced-site.ts";
import { type Level, type Levels, levelsAt } from "./levels.ts";

/** Uses, entitlements and tallies of one site. */
export interface UseKeeper {
  readonly shares: ShareTree;
  readonly capacity: SiteAmounts;
  readonly keepMs: number;
  readonly uses: ReadonlyMap<SiteResource, Map<string, LevelUse>>;
  readonly tallies: ReadonlyMap<SiteResource, Map<string, Tally>>;
  /** True where a policy forgives over-use: only then contention matters. */
  readonly forgives: boolean;
  readonly changed: Map<SiteResource, Set<string>>;
  /** Levels and entitlements; undefined where the jobs have changed since. */
  levels: Levels | undefined;
  /** True while recorded changes have not been applied. */
  hasNews: boolean;
}

/** Amounts of one resource that the jobs of a level, and of those below it, need. */
interface Tally {
  inUse: number;
  /** Amounts of jobs that do not run, less what suspended ones occupy. */
  waiting: number;
  jobs: number;
}

/** The consumer and need of a job. */
export type KeptJob = Pick<EnforcedJob, "consumer" | "need">;

/** The keeper of a site without jobs, or a successor of an earlier keeper under new policies. */
export function createUseKeeper(shares: ShareTree, capacity: SiteAmounts, before?: UseKeeper): UseKeeper {
  const keepMs = longestWindowMs(shares, before?.keepMs ?? 0);
  const keeper: UseKeeper = {
    shares,
    capacity,
    keepMs,
    uses: new Map(SITE_RESOURCES.map((resource) => [resource, new Map()])),
    tallies: before?.tallies ?? new Map(SITE_RESOURCES.map((resource) => [resource, new Map()])),
    forgives: SITE_RESOURCES.some((resource) =>
      [...(shares.nodes.get(resource)?.keys() ?? [])].some((path) => isForgiven(shares, resource, path)),
    ),
    changed: new Map(SITE_RESOURCES.map((resource) => [resource, new Set()])),
    levels: undefined,
    hasNews: true,
  };
  for (const [resource, paths] of before?.uses ?? []) {
    for (const [path, use] of paths)
      usesOf(keeper, resource).set(path, continued(keeper, resource, path, use));
  }
  return keeper;
}

/** The uses of a site, for the enforcer. */
export function usesKept({ uses }: UseKeeper): SiteUses {
  return uses;
}

/**
 * Records that a job arrives (`from` null), leaves (`to` null), or changes its state; {@link settleUse} makes
 * it count.
 */
export function noteJob(
  keeper: UseKeeper,
  { consumer, need }: KeptJob,
  from: EnforcedJobState | null,
  to: EnforcedJobState | null,
): void {
  keeper.hasNews = true;
  const paths = pathsTo(consumer);
  for (const resource of SITE_RESOURCES) {
    const amount = need[resource];
    if (amount === 0) continue;
    const used = usedIn(to, resource, amount) - usedIn(from, resource, amount);
    const waits = waitsIn(to, resource, amount) - waitsIn(from, resource, amount);
    const jobs = Number(to !== null) - Number(from !== null);
    for (const path of paths) count(keeper, resource, path, { inUse: used, waiting: waits, jobs });
  }
}

/** Makes recorded changes count from this instant on; instants do not go back. */
export function settleUse(keeper: UseKeeper, atMs: number): void {
  // Without changes the present use goes on.
  if (!keeper.hasNews) return;
  keeper.hasNews = false;
  for (const [resource, paths] of keeper.changed) {
    for (const path of paths) {
      const inUse = tallyOf(keeper, resource, path)?.inUse ?? 0;
      const use =
        usesOf(keeper, resource).get(path) ?? (inUse > 0 ? begun(keeper, resource, path) : undefined);
      if (use !== undefined) changeUse(use.all, atMs, inUse);
    }
    paths.clear();
  }
  if (keeper.forgives) forgive(keeper, atMs);
}

/** Reduces counted over-use to the part during which others were denied theirs. */
function forgive(keeper: UseKeeper, atMs: number): void {
  const { list } = levelsNow(keeper);
  for (const [column, resource] of SITE_RESOURCES.entries()) {
    // A resource that the site does not have has no entitlements.
    if (keeper.capacity[resource] === 0) continue;
    for (const { children } of list) {
      const below = children.map((child) => list[child]);
      const wanting = new Set(below.filter((level) => isDenied(keeper, level, column)));
      for (const level of below) {
        const limit = level.limits[column];
        const use = usesOf(keeper, resource).get(level.path);
        if (limit === null || use === undefined || use.counted === use.all) continue;
        const inUse = tallyOf(keeper, resource, level.path)?.inUse ?? 0;
        const isContended = wanting.size > Number(wanting.has(level));
        changeUse(use.counted, atMs, isContended ? inUse : Math.min(inUse, limit.entitled));
      }
    }
  }
}

/** True where jobs of a level wait while it has less than its entitlement. */
function isDenied(keeper: UseKeeper, { path, limits }: Level, column: number): boolean {
  const limit = limits[column];
  const tally = tallyOf(keeper, SITE_RESOURCES[column], path);
  return limit !== null && tally !== undefined && tally.waiting > 0 && tally.inUse < limit.entitled;
}

/** Levels and entitlements of a site, for its present jobs. */
export function levelsNow(keeper: UseKeeper): Levels {
  if (keeper.levels !== undefined) return keeper.levels;
  const demands: KeptJob[] = [];
  for (const [resource, paths] of keeper.tallies) {
    for (const [path, { jobs }] of paths) {
      // A consumer without a policy has no entitlement of its own.
      if (jobs > 0 && isNode(keeper, resource, path))
        demands.push({ consumer: path, need: { ...NOTHING, [resource]: 1 } });
    }
  }
  keeper.levels = levelsAt(keeper.shares, keeper.capacity, demands);
  return keeper.levels;
}

const NOTHING: SiteAmounts = { cpu: 0, gpu: 0, memory: 0 };

function count(keeper: UseKeeper, resource: SiteResource, path: string, more: Tally): void {
  const tallies = keeper.tallies.get(resource);
  assert(tallies !== undefined, "each resource has its tallies");
  const tally = tallies.get(path) ?? { inUse: 0, waiting: 0, jobs: 0 };
  tallies.set(path, tally);
  const hadJobs = tally.jobs > 0;
  tally.inUse += more.inUse;
  tally.waiting += more.waiting;
  tally.jobs += more.jobs;
  if (hadJobs !== tally.jobs > 0 && isNode(keeper, resource, path)) keeper.levels = undefined;
  if (more.inUse !== 0) keeper.changed.get(resource)?.add(path);
}

function isNode({ shares }: UseKeeper, resource: SiteResource, path: string): boolean {
  return shares.nodes.get(resource)?.has(path) === true;
}

/** Amount of a resource that running jobs of a level occupy; of memory, suspended jobs too. */
export function inUseAt(keeper: UseKeeper, resource: SiteResource, path: string): number {
  return tallyOf(keeper, resource, path)?.inUse ?? 0;
}

function tallyOf({ tallies }: UseKeeper, resource: SiteResource, path: string): Tally | undefined {
  return tallies.get(resource)?.get(path);
}

function usesOf({ uses }: UseKeeper, resource: SiteResource): Map<string, LevelUse> {
  const paths = uses.get(resource);
  assert(paths !== undefined, "each resource has its uses");
  return paths;
}

function begun(keeper: UseKeeper, resource: SiteResource, path: string): LevelUse {
  const all = createUseHistory(keeper.keepMs);
  const counted = isForgiven(keeper.shares, resource, path) ? createUseHistory(keeper.keepMs) : all;
  const use = { all, counted };
  usesOf(keeper, resource).set(path, use);
  return use;
}

/** The past use under new policies; forgiven use stays forgiven while over-use is forgiven. */
function continued(keeper: UseKeeper, resource: SiteResource, path: string, before: LevelUse): LevelUse {
  const all = copied(before.all, keeper.keepMs);
  if (!isForgiven(keeper.shares, resource, path)) return { all, counted: all };
  return { all, counted: copied(before.counted, keeper.keepMs) };
}

function copied({ atMs, amounts, sums, first }: UseHistory, keepMs: number): UseHistory {
  return { keepMs, atMs: [...atMs], amounts: [...amounts], sums: [...sums], first };
}

function isForgiven(shares: ShareTree, resource: SiteResource, path: string): boolean {
  const node = shares.nodes.get(resource)?.get(path);
  if (node === undefined || node.policy === null) return false;
  return node.carry === "forgive" && node.rule === "entitlement";
}

/** Amount that a job occupies in a state: a suspended one its memory. */
function usedIn(state: EnforcedJobState | null, resource: SiteResource, amount: number): number {
  if (state === "running") return amount;
  return state === "suspended" && resource === "memory" ? amount : 0;
}

function waitsIn(state: EnforcedJobState | null, resource: SiteResource, amount: number): number {
  if (state === "waiting" || state === "queued") return amount;
  return state === "suspended" && resource !== "memory" ? amount : 0;
}

function longestWindowMs(shares: ShareTree, atLeastMs: number): number {
  let longestMs = atLeastMs;
  for (const resource of SITE_RESOURCES) {
    for (const { window } of shares.nodes.get(resource)?.values() ?? []) {
      longestMs = Math.max(longestMs, keptForMs(window));
    }
  }
  return longestMs;
}
