/**
 * The levels of a site at an instant: what each may use, in amounts.
 *
 * A level is a consumer that a policy names for any resource; its parent is the nearest named one above.
 * Level 0 is the site itself. Amounts are by column, in the order of `SITE_RESOURCES`.
 */
import { assert, mulDiv } from "../../base/index.ts";
import { WHOLE_SHARE } from "../../model/index.ts";
import { entitlements } from "../fair-division.ts";
import { pathsTo, type ShareNode, type ShareTree } from "../share-tree.ts";
import type { UseLimit } from "../use-history.ts";
import { type EnforcedJob, SITE_RESOURCES, type SiteAmounts, type SiteResource } from "./view.ts";

/** What a policy gives a level of one resource. */
export interface LevelLimit {
  readonly node: ShareNode;
  /** Never more than this at an instant. */
  readonly burst: number;
  /** What it is entitled to at an instant, over-provisioning scaled (PO-4). */
  readonly entitled: number;
  /** The same in parts of `WHOLE_SHARE`. */
  readonly entitledShare: number;
  /** What `cap` holds its use against: its share, unscaled. */
  readonly epoch: UseLimit;
}

/** A level. */
export interface Level {
  readonly index: number;
  readonly path: string;
  readonly parent: number;
  readonly children: number[];
  /** From the uppermost named level down to this one; the site is not among them. */
  readonly line: readonly number[];
  /** By column; null where no policy names the level for it. */
  readonly limits: readonly (LevelLimit | null)[];
}

/** The levels of a site. */
export interface Levels {
  readonly list: readonly Level[];
  /** By level and column (`level · columns + column`), the burst limits in amounts; infinite where none. */
  readonly bursts: Float64Array;
  /** The same of what each is entitled to at an instant. */
  readonly entitled: Float64Array;
  readonly capacity: SiteAmounts;
  /** Whether any level keeps its share for itself. */
  readonly hasDedicated: boolean;
  /** Whether the use of any level is capped. */
  readonly hasCap: boolean;
  /** The level of a consumer, by path; filled as they are asked for. */
  readonly known: Map<string, number>;
}

/** The site itself. */
export const SITE_LEVEL = 0;

/**
 * The levels of a site.
 *
 * Remembered as long as the same consumers ask for something there, which is so from look to look.
 *
 * @param demands what the jobs there need: their consumers have demand
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
      (path) => wanted[resource].has(path) || keepsForItself(shares, resource, path),
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
      // Of what a site does not have nobody has a part, and nobody is over it.
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

/** The level of a consumer: its last prefix that a policy names; the site itself where there is none. */
export function consumerLevel({ known }: Levels, consumer: string): number {
  return levelAmong(known, consumer);
}

/** The amounts of something, by column. */
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

/** All paths that a policy names for something that jobs occupy, each after those above it. */
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
  // Far fewer consumers than jobs: what is known to be wanted already is passed by with one look.
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

/** Whether a level, or one below it, never lends what it has. */
function keepsForItself(shares: ShareTree, resource: SiteResource, path: string): boolean {
  const node = shares.nodes.get(resource)?.get(path);
  if (node === undefined) return false;
  if (node.policy !== null && node.mode === "dedicated") return true;
  return node.children.some((child) => keepsForItself(shares, resource, child));
}

function parentPath(path: string): string {
  assert(path !== "", "the site has nothing above it");
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}
