/**
 * Levels of a site at an instant, with the limits of each, in amounts.
 *
 * A level is a consumer that a policy names for any resource; its parent is the nearest named one above.
 * Level 0 is the site itself. Amounts are by column, in the order of `SITE_RESOURCES`.
 */
import { assert, mulDiv } from "../../base/index.ts";
import { WHOLE_SHARE } from "../../model/index.ts";
import { entitlements } from "../fair-division.ts";
import { pathsTo, type ShareNode, type ShareTree } from "../share-tree.ts";
import type { UseLimit } from "../use-history.ts";
import { type EnforcedJob, SITE_RESOURCES, type SiteAmounts, type SiteResource } from "./enforced-site.ts";

/** Limits of a level for one resource. */
export interface LevelLimit {
  readonly node: ShareNode;
  /** Largest amount at any instant. */
  readonly burst: number;
  /** Entitled amount at an instant, after max-min fairness (rule PO-4). */
  readonly entitled: number;
  /** The entitlement in parts of `WHOLE_SHARE`. */
  readonly entitledShare: number;
  /** The limit of `cap` over the epoch: the share, before max-min fairness. */
  readonly epoch: UseLimit;
}

/** A level, its place in the tree and its limits. */
export interface Level {
  readonly index: number;
  readonly path: string;
  readonly parent: number;
  readonly children: number[];
  /** Levels from the uppermost named one down to this one, without the site. */
  readonly line: readonly number[];
  /** Limits by column; null where no policy names the level for it. */
  readonly limits: readonly (LevelLimit | null)[];
}

/** The levels of a site. */
export interface Levels {
  readonly list: readonly Level[];
  /** Burst limits by level and column (`level · columns + column`), in amounts; infinite where none. */
  readonly bursts: Float64Array;
  /** Entitled amounts by level and column; infinite where none. */
  readonly entitled: Float64Array;
  readonly capacity: SiteAmounts;
  readonly hasDedicated: boolean;
  readonly hasCap: boolean;
  /** Levels by consumer path; filled on demand. */
  readonly known: Map<string, number>;
}

/** The site itself. */
export const SITE_LEVEL = 0;

/**
 * The levels of a site, cached while the same consumers have demand there.
 *
 * @param demands needs of the jobs there: their consumers have demand
 */
export function levelsAt(
  shares: ShareTree,
  capacity: SiteAmounts,
  demands: Iterable<Pick<EnforcedJob, "consumer" | "need">>,
): Levels {
  const wanted = demandedPaths(demands);
  const before = lastLevels.get(shares);
  if (before !== undefined && isSameDemand(before, wanted) && isSameAmount(before.levels.capacity, capacity))
    return before.levels;
  const levels = levelsOf(shares, capacity, wanted);
  lastLevels.set(shares, { wanted, levels });
  return levels;
}

interface KnownLevels {
  readonly wanted: DemandedPaths;
  readonly levels: Levels;
}

const lastLevels = new WeakMap<ShareTree, KnownLevels>();

function isSameDemand({ wanted: before }: KnownLevels, now: DemandedPaths): boolean {
  return SITE_RESOURCES.every((resource) => {
    if (before[resource].size !== now[resource].size) return false;
    for (const path of now[resource]) if (!before[resource].has(path)) return false;
    return true;
  });
}

function isSameAmount(one: SiteAmounts, other: SiteAmounts): boolean {
  return SITE_RESOURCES.every((resource) => one[resource] === other[resource]);
}

function levelsOf(shares: ShareTree, capacity: SiteAmounts, wanted: DemandedPaths): Levels {
  const entitled = SITE_RESOURCES.map((resource) =>
    entitlements(
      shares,
      resource,
      (path) => wanted[resource].has(path) || isDedicatedBelow(shares, resource, path),
    ),
  );
  const known = new Map<string, number>([["", SITE_LEVEL]]);
  const site: Level = { index: SITE_LEVEL, path: "", parent: -1, children: [], line: [], limits: noLimits };
  const list: Level[] = [site];
  let hasDedicated = false;
  let hasCap = false;
  for (const path of namedPaths(shares)) {
    const parent = list[levelAmong(known, parentPath(path))];
    const limits = SITE_RESOURCES.map((resource, column) => {
      const node = shares.nodes.get(resource)?.get(path);
      // A resource that the site does not have has no limits.
      if (node === undefined || node.policy === null || capacity[resource] === 0) return null;
      hasDedicated ||= node.mode === "dedicated";
      hasCap ||= node.rule === "cap";
      return limitOf(node, capacity[resource], entitled[column].get(path) ?? 0);
    });
    const index = list.length;
    parent.children.push(index);
    known.set(path, index);
    list.push({ index, path, parent: parent.index, children: [], line: [...parent.line, index], limits });
  }
  const bursts = amountsIn(list, ({ burst }) => burst);
  const amounts = amountsIn(list, (limit) => limit.entitled);
  return { list, bursts, entitled: amounts, capacity, hasDedicated, hasCap, known };
}

/** An amount of every limit, by level and column; infinite where there is no limit. */
function amountsIn(list: readonly Level[], amountOf: (limit: LevelLimit) => number): Float64Array {
  const amounts = new Float64Array(list.length * SITE_RESOURCES.length).fill(Number.POSITIVE_INFINITY);
  for (const { index, limits } of list) {
    for (const [column, limit] of limits.entries()) {
      if (limit !== null) amounts[index * SITE_RESOURCES.length + column] = amountOf(limit);
    }
  }
  return amounts;
}

/** The level of a consumer: its last prefix that a policy names, or the site itself. */
export function consumerLevel({ known }: Levels, consumer: string): number {
  return levelAmong(known, consumer);
}

/** Amounts by column. */
export function columnsOf({ cpu, gpu, memory }: SiteAmounts): number[] {
  return [cpu, gpu, memory];
}

const noLimits: readonly null[] = SITE_RESOURCES.map(() => null);

function levelAmong(known: Map<string, number>, path: string): number {
  const level = known.get(path);
  if (level !== undefined) return level;
  const above = levelAmong(known, parentPath(path));
  known.set(path, above);
  return above;
}

function limitOf(node: ShareNode, capacity: number, entitledShare: number): LevelLimit {
  return {
    node,
    burst: mulDiv(node.burstShare, capacity, WHOLE_SHARE, "down"),
    entitled: mulDiv(entitledShare, capacity, WHOLE_SHARE, "down"),
    entitledShare,
    epoch: { window: node.window, share: node.epochShare, capacity },
  };
}

/** All paths that a policy names for a resource that jobs occupy, each after those above it. */
function namedPaths(shares: ShareTree): readonly string[] {
  const paths = new Set<string>();
  for (const resource of SITE_RESOURCES) {
    for (const { path, policy } of shares.nodes.get(resource)?.values() ?? []) {
      if (policy !== null) paths.add(path);
    }
  }
  const depths = new Map(Array.from(paths, (path) => [path, pathsTo(path).length]));
  return [...paths].sort((one, other) => (depths.get(one) ?? 0) - (depths.get(other) ?? 0));
}

type DemandedPaths = Readonly<Record<SiteResource, ReadonlySet<string>>>;

function demandedPaths(demands: Iterable<Pick<EnforcedJob, "consumer" | "need">>): DemandedPaths {
  const wanted = { cpu: new Set<string>(), gpu: new Set<string>(), memory: new Set<string>() };
  // There are far fewer consumers than jobs: known demand is skipped with one test.
  const known = new Map<string, number>();
  for (const { consumer, need } of demands) {
    const before = known.get(consumer) ?? 0;
    const now = before | Number(need.cpu > 0) | (Number(need.gpu > 0) << 1) | (Number(need.memory > 0) << 2);
    if (now === before) continue;
    known.set(consumer, now);
    for (const [column, resource] of SITE_RESOURCES.entries()) {
      if ((now & ~before & (1 << column)) === 0) continue;
      for (const path of pathsTo(consumer)) wanted[resource].add(path);
    }
  }
  return wanted;
}

function isDedicatedBelow(shares: ShareTree, resource: SiteResource, path: string): boolean {
  const node = shares.nodes.get(resource)?.get(path);
  if (node === undefined) return false;
  if (node.policy !== null && node.mode === "dedicated") return true;
  return node.children.some((child) => isDedicatedBelow(shares, resource, child));
}

function parentPath(path: string): string {
  assert(path !== "", "the site has nothing above it");
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}
