/**
 * Fair-share factors by Slurm's fair tree, of a tree that is ranked again and again.
 *
 * Equivalent to the published description [SLURM-FT]; it differs in these ways: no account or user takes
 * its parent's share (Fairshare=parent), and who has no shares comes last among the siblings. Differs for
 * speed in this way: siblings stay in the order in which they were ranked last, for few change places
 * from one time to the next, and sorting what is nearly in order is cheap.
 * Cost: O(nodes) where nobody changes places, O(nodes log siblings) else.
 */
import type { ShareNode } from "./share-node.ts";

/** A node that remembers how it was ranked. */
export interface FairTreeNode extends ShareNode {
  /** The node's part of the siblings' shares ÷ its part of their use, at the last ranking. */
  levelShare: number;
  /** Child nodes; undefined for a user. */
  readonly children?: readonly FairTreeNode[];
  /** `children` in the order of the last ranking. */
  ranked?: FairTreeNode[];
}

interface Ranks {
  readonly users: number;
  next: number;
  last: number;
}

/** Gives each user his factor: his rank ÷ the number of users, ranked by level share from the root down. */
export function setFairTreeFactors(root: FairTreeNode, users: number): void {
  rank(inOrder(root), false, { users, next: users, last: users });
}

/** Ranks siblings, in their order, and those below them; the first may share the rank given last. */
function rank(siblings: readonly FairTreeNode[], isFirstTied: boolean, ranks: Ranks): void {
  for (let i = 0; i < siblings.length; i++) {
    const node = siblings[i];
    const isTied = i === 0 ? isFirstTied : siblings[i - 1].levelShare === node.levelShare;
    if (node.children === undefined) {
      if (!isTied) ranks.last = ranks.next;
      node.factor = ranks.last / ranks.users;
      ranks.next--;
      continue;
    }
    // Accounts of equal standing are one: their children compete with each other.
    const equals = equalsFrom(siblings, i);
    if (equals === 1) rank(inOrder(node), isTied, ranks);
    else {
      const below = siblings.slice(i, i + equals).flatMap(inOrder);
      rank(below.sort(byLevelShare), isTied, ranks);
    }
    i += equals - 1;
  }
}

function equalsFrom(siblings: readonly FairTreeNode[], from: number): number {
  let end = from + 1;
  while (end < siblings.length && siblings[end].levelShare === siblings[from].levelShare) end++;
  return end - from;
}

/** The children of an account by level share, from high to low. */
function inOrder(account: FairTreeNode): FairTreeNode[] {
  const { children = [] } = account;
  let allShares = 0;
  let allUsage = 0;
  for (const { shares, usage } of children) {
    allShares += shares;
    allUsage += usage;
  }
  for (const child of children) child.levelShare = levelShareOf(child, allShares, allUsage);
  account.ranked ??= [];
  const { ranked } = account;
  for (let i = ranked.length; i < children.length; i++) ranked.push(children[i]);
  return ranked.sort(byLevelShare);
}

function levelShareOf({ shares, usage }: ShareNode, allShares: number, allUsage: number): number {
  if (shares === 0) return 0;
  if (usage === 0) return Number.POSITIVE_INFINITY;
  return shares / allShares / (usage / allUsage);
}

/** From high to low; of equals users come first, so that an account's best user shares their rank. */
function byLevelShare(one: FairTreeNode, other: FairTreeNode): number {
  if (one.levelShare !== other.levelShare) return one.levelShare > other.levelShare ? -1 : 1;
  return kindOf(one) - kindOf(other);
}

function kindOf({ children }: FairTreeNode): number {
  return children === undefined ? 0 : 1;
}
