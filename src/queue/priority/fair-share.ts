/**
 * Fair-share factors of the users in a tree of accounts: Slurm's fair tree and its classic formula.
 *
 * Equivalent to the published descriptions [SLURM-FT] and [SLURM-CFS]; OpenPBS's fairshare_factor is
 * the classic formula too [PBS-FS]. They differ in these ways: no account or user takes its parent's
 * share (Fairshare=parent), and shares of 0 give the factor 0 in the classic formula and the last rank
 * among siblings in the tree.
 * Cost: O(nodes log siblings).
 */

/** An account with those below it, or a user. */
export interface ShareNode {
  readonly name: string;
  /** Relative to the siblings', ≥ 0. */
  readonly shares: number;
  /** Any unit; of an account usually the sum of its children's. */
  readonly usage: number;
  /** Absent for a user. */
  readonly children?: readonly ShareNode[];
}

/** The factor of each user, 0 … 1; higher is served first. */
export type ShareFactors = ReadonlyMap<ShareNode, number>;

/** 2^(−effective usage ÷ normalised shares): 0.5 is exactly the share, 1 is no use at all. */
export function classicFactors(root: ShareNode): ShareFactors {
  const factors = new Map<ShareNode, number>();
  const total = root.usage > 0 ? root.usage : 1;
  const descend = (parent: ShareNode, normShares: number, effective: number | undefined): void => {
    const siblings = sumOf(parent.children, ({ shares }) => shares);
    for (const child of parent.children ?? []) {
      const part = siblings > 0 ? child.shares / siblings : 0;
      const actual = child.usage / total;
      // The accounts just below the root have no parent to be measured by.
      const own = effective === undefined ? actual : actual + (effective - actual) * part;
      if (child.children !== undefined) descend(child, normShares * part, own);
      else factors.set(child, part > 0 ? 2 ** (-own / (normShares * part)) : 0);
    }
  };
  descend(root, 1, undefined);
  return factors;
}

/** The rank of each user ÷ the number of users, ranked by level fair share from the root down. */
export function fairTreeFactors(root: ShareNode): ShareFactors {
  const factors = new Map<ShareNode, number>();
  const users = countUsers(root);
  /** The next rank where nobody is tied, and the rank last given. */
  const ranks = { next: users, last: users };
  rank(ranked(root), { isTied: false, ranks, give: (user) => factors.set(user, ranks.last / users) });
  return factors;
}

interface Ranked {
  readonly node: ShareNode;
  readonly levelShare: number;
}

interface Ranking {
  /** Whether the first of the list shares the rank last given. */
  readonly isTied: boolean;
  readonly ranks: { next: number; last: number };
  readonly give: (user: ShareNode) => void;
}

/** Ranks the users of these siblings and of those below them. */
function rank(siblings: readonly Ranked[], ranking: Ranking): void {
  const { ranks, give } = ranking;
  const sorted = [...siblings].sort(byLevelShare);
  for (let i = 0; i < sorted.length; i++) {
    const { node, levelShare } = sorted[i];
    const isTied = i === 0 ? ranking.isTied : sorted[i - 1].levelShare === levelShare;
    if (node.children === undefined) {
      if (!isTied) ranks.last = ranks.next;
      give(node);
      ranks.next--;
      continue;
    }
    // Accounts of equal standing are one: their children compete with each other.
    const below = [...ranked(node)];
    while (sorted[i + 1]?.levelShare === levelShare) below.push(...ranked(sorted[++i].node));
    rank(below, { ...ranking, isTied });
  }
}

/** The children of an account, each with its level fair share: its part of the shares ÷ of the use. */
function ranked({ children }: ShareNode): readonly Ranked[] {
  const allShares = sumOf(children, ({ shares }) => shares);
  const allUsage = sumOf(children, ({ usage }) => usage);
  return (children ?? []).map((node) => {
    if (node.shares === 0) return { node, levelShare: 0 };
    if (node.usage === 0) return { node, levelShare: Number.POSITIVE_INFINITY };
    return { node, levelShare: node.shares / allShares / (node.usage / allUsage) };
  });
}

/** From high to low; of equals users come first, so that an account's best user shares their rank. */
function byLevelShare(one: Ranked, other: Ranked): number {
  if (one.levelShare !== other.levelShare) return one.levelShare > other.levelShare ? -1 : 1;
  return kindOf(one) - kindOf(other);
}

function kindOf({ node }: Ranked): number {
  return node.children === undefined ? 0 : 1;
}

function countUsers({ children }: ShareNode): number {
  return children === undefined ? 1 : sumOf(children, countUsers);
}

function sumOf(nodes: readonly ShareNode[] | undefined, value: (node: ShareNode) => number): number {
  let sum = 0;
  for (const node of nodes ?? []) sum += value(node);
  return sum;
}
