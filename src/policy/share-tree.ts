/**
 * The policies that apply at one place (a site, or a pool of it), as a tree of consumers for each resource.
 *
 * Source: the recursive policies of [UP], rule PO-1. Shares are multiplied down the path in parts of 10^12 of
 * the place's capacity, rounded down: exact to two levels of parts per million, and at a third less than 1
 * part too small. Admission, which is exact at any depth, multiplies anew.
 * Cost: O(policies × depth).
 */
import { mulDiv } from "../base/index.ts";
import {
  type EpochWindow,
  isHandedOn,
  POLICY_DEFAULTS,
  type Policy,
  SHARED_RESOURCES,
  type SharedResource,
  WHOLE_SHARE,
} from "../model/index.ts";

const MILLION = 1_000_000;

/** One level of a consumer at a place, for one resource. */
export interface ShareNode {
  /** `vo`, `vo/group`, `vo/group/user`; empty for the place itself. */
  readonly path: string;
  /** The path of the level above; null for the place itself. */
  readonly parent: string | null;
  /** Paths of the levels below that are in the tree, in the order of the policies. */
  readonly children: readonly string[];
  /** Share of the place's capacity over the window, in parts of {@link WHOLE_SHARE}, rounded down. */
  readonly epochShare: number;
  /** Share of the place's capacity at any instant, in parts of {@link WHOLE_SHARE}, rounded down. */
  readonly burstShare: number;
  /** Window over which use is counted; where no policy names this level, that of the level above. */
  readonly window: EpochWindow;
  readonly rule: Policy["rule"];
  readonly mode: Policy["mode"];
  readonly carry: Policy["carry"];
  /** The policy behind it; null for the place itself and for a level that none names. */
  readonly policy: Policy | null;
}

/** The levels of all consumers at one place. */
export interface ShareTree {
  /** `site`, or `site/pool`. */
  readonly place: string;
  /** Nodes by resource and path, the place itself (path "") first, then each level before those below it. */
  readonly nodes: ReadonlyMap<SharedResource, ReadonlyMap<string, ShareNode>>;
}

const placeNode: ShareNode = {
  path: "",
  parent: null,
  children: [],
  epochShare: WHOLE_SHARE,
  burstShare: WHOLE_SHARE,
  window: { kind: "sliding", lengthMs: 3_600_000 },
  rule: POLICY_DEFAULTS.rule,
  mode: POLICY_DEFAULTS.mode,
  carry: POLICY_DEFAULTS.carry,
  policy: null,
};

/**
 * The tree of a place, `site` or `site/pool`, from all policies; those of other places are ignored.
 *
 * Where several policies name a consumer at a place, the one of the nearest provider counts, and of equal
 * ones the last.
 */
export function shareTree(policies: readonly Policy[], place: string): ShareTree {
  const nodes = new Map<SharedResource, ReadonlyMap<string, ShareNode>>();
  for (const resource of SHARED_RESOURCES) {
    const counted = reaching(
      policies.filter((policy) => policy.resource === resource),
      place,
    );
    if (counted.size > 0) nodes.set(resource, treeOf(counted, place));
  }
  return { place, nodes };
}

/**
 * The levels of a consumer for a resource that are in the tree, from the top down, without the place. Empty
 * where none is named for this resource: then the consumer has no rule here (see {@link hasShare}).
 */
export function levelsOf(tree: ShareTree, resource: SharedResource, consumer: string): readonly ShareNode[] {
  const nodes = tree.nodes.get(resource);
  if (nodes === undefined) return [];
  const levels: ShareNode[] = [];
  for (const path of pathsTo(consumer)) {
    const node = nodes.get(path);
    if (node === undefined) break;
    levels.push(node);
  }
  return levels.some(({ policy }) => policy !== null) ? levels : [];
}

/** True where any level of a consumer is named at the place, for whatever resource; else it has nothing. */
export function hasShare(tree: ShareTree, consumer: string): boolean {
  return SHARED_RESOURCES.some((resource) => levelsOf(tree, resource, consumer).length > 0);
}

/** Cache of the last consumer, which many places ask for in a row. */
let lastPaths: { readonly consumer: string; readonly paths: readonly string[] } | undefined;

/** A consumer path and its prefixes, the shortest first: `a`, `a/b`, `a/b/c`. */
export function pathsTo(consumer: string): readonly string[] {
  if (lastPaths?.consumer === consumer) return lastPaths.paths;
  const names = consumer.split("/");
  const paths = names.map((_, index) => names.slice(0, index + 1).join("/"));
  lastPaths = { consumer, paths };
  return paths;
}

/** The policy that counts, by consumer, among those of the place and of consumers that it reaches. */
function reaching(policies: readonly Policy[], place: string): ReadonlyMap<string, Policy> {
  const inOrder = policies.map((policy) => ({
    policy,
    depth: isHandedOn(policy) ? depthOf(policy.provider) : 0,
  }));
  const counted = new Map<string, Policy>();
  // From the top down, so that a provider is known to be reached before its own policies are tested.
  for (const { policy, depth } of inOrder.sort((one, other) => one.depth - other.depth)) {
    const isReached = depth > 0 ? isNamed(policy.provider, counted) : policy.provider === place;
    if (isReached) counted.set(policy.consumer, policy);
  }
  return counted;
}

function depthOf(path: string): number {
  return path.split("/").length;
}

function isNamed(consumer: string, counted: ReadonlyMap<string, Policy>): boolean {
  return pathsTo(consumer).some((path) => counted.has(path));
}

function treeOf(counted: ReadonlyMap<string, Policy>, place: string): ReadonlyMap<string, ShareNode> {
  const paths = new Set<string>();
  for (const consumer of counted.keys()) for (const path of pathsTo(consumer)) paths.add(path);
  const children = new Map<string, string[]>();
  for (const path of paths) children.set(parentOf(path), [...(children.get(parentOf(path)) ?? []), path]);
  const nodes = new Map<string, ShareNode>([["", { ...placeNode, children: children.get("") ?? [] }]]);
  const inOrder = [...paths].sort((one, other) => depthOf(one) - depthOf(other));
  for (const path of inOrder) {
    const above = known(nodes, parentOf(path));
    const level = { ...above, path, parent: above.path, children: children.get(path) ?? [], policy: null };
    const policy = counted.get(path);
    nodes.set(path, policy === undefined ? level : { ...level, ...said(policy, nodes, place) });
  }
  return nodes;
}

function said(policy: Policy, nodes: ReadonlyMap<string, ShareNode>, place: string): Partial<ShareNode> {
  const { provider, epoch, burst, rule, mode, carry } = policy;
  const giver = known(nodes, provider === place && !isHandedOn(policy) ? "" : provider);
  return {
    epochShare: mulDiv(giver.epochShare, epoch.sharePpm, MILLION, "down"),
    burstShare: mulDiv(giver.burstShare, burst.sharePpm, MILLION, "down"),
    window: epoch.window,
    rule,
    mode,
    carry,
    policy,
  };
}

function known(nodes: ReadonlyMap<string, ShareNode>, path: string): ShareNode {
  const node = nodes.get(path);
  if (node === undefined) throw new Error(`${path} is above what is in the tree, and so in it`);
  return node;
}

function parentOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end < 0 ? "" : path.slice(0, end);
}
