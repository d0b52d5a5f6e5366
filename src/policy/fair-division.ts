/**
 * Max-min fairness among consumers of whom each wants so much at most (rule PO-4).
 *
 * Who wants less than an equal part has what it wants; the rest is divided equally among the others.
 * Source: the case of 40 % + 80 % that [UP] leaves open; the division itself is Bertsekas & Gallager's.
 * Cost: O(n log n).
 */
import { mulDiv } from "../base/index.ts";
import { type SharedResource, WHOLE_SHARE } from "../model/index.ts";
import { pathsTo, type ShareNode, type ShareTree } from "./share-tree.ts";

const MILLION = 1_000_000;

/**
 * What each has of `whole` if it wants so much at most; whole numbers, which never sum to more than `whole`.
 * What does not divide goes to those who want most, the last of equal ones.
 */
export function divideFairly(wants: readonly number[], whole: number): readonly number[] {
  const given = wants.map(() => 0);
  const byWant = wants.map((_, index) => index).sort((one, other) => wants[one] - wants[other]);
  let rest = whole;
  for (const [place, index] of byWant.entries()) {
    given[index] = Math.min(wants[index], Math.floor(rest / (wants.length - place)));
    rest -= given[index];
  }
  return given;
}

/**
 * What each level of a place is entitled to now, in parts of `WHOLE_SHARE`, by path: its epoch share where
 * the shares below its provider fit, else its part by max-min fairness among those with demand. Shares
 * below a level are of what that level is entitled to. Levels without demand or policy are not in it.
 *
 * @param hasDemand whether a level uses something or waits for it
 */
export function entitlements(
  tree: ShareTree,
  resource: SharedResource,
  hasDemand: (path: string) => boolean,
): ReadonlyMap<string, number> {
  const nodes = tree.nodes.get(resource) ?? new Map<string, ShareNode>();
  const entitled = new Map<string, number>([["", WHOLE_SHARE]]);
  const below = new Map<string, ShareNode[]>();
  for (const node of nodes.values()) {
    if (node.policy === null || !hasDemand(node.path)) continue;
    const above = namedAbove(nodes, node);
    below.set(above, [...(below.get(above) ?? []), node]);
  }
  // The tree tells each level before those below it, so that what it is entitled to is known by then.
  for (const { path } of nodes.values()) {
    const siblings = below.get(path) ?? [];
    const wants = siblings.map((node) => wantOf(node, entitled));
    const given = divideFairly(wants, entitled.get(path) ?? 0);
    for (const [index, sibling] of siblings.entries()) entitled.set(sibling.path, given[index]);
  }
  entitled.delete("");
  return entitled;
}

/** The nearest level above that a policy names; the place itself where there is none. */
function namedAbove(nodes: ReadonlyMap<string, ShareNode>, { path }: ShareNode): string {
  const above = pathsTo(path).slice(0, -1).reverse();
  return above.find((level) => (nodes.get(level)?.policy ?? null) !== null) ?? "";
}

/** The share that its policy names, of what its provider is entitled to. */
function wantOf({ path, policy }: ShareNode, entitled: ReadonlyMap<string, number>): number {
  if (policy === null) return 0;
  const givers = pathsTo(path).slice(0, -1).reverse();
  const giver = path.startsWith(`${policy.provider}/`) ? givers.slice(givers.indexOf(policy.provider)) : [];
  const known = giver.find((level) => entitled.has(level)) ?? "";
  return mulDiv(entitled.get(known) ?? 0, policy.epoch.sharePpm, MILLION, "down");
}
