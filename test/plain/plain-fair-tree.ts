/**
 * Slurm's fair tree as one writes it down first [SLURM-FT]: every time all siblings are sorted anew.
 */

/** An account with those below it, or a user. */
export interface PlainShareNode {
  readonly name: string;
  readonly shares: number;
  readonly usage: number;
  readonly children?: readonly PlainShareNode[];
}

/** The rank of each user ÷ the number of users, by the name of the user. */
export function plainFairTree(root: PlainShareNode): ReadonlyMap<string, number> {
  const factors = new Map<string, number>();
  const users = countUsers(root);
  let next = users;
  let last = users;
  const rank = (siblings: readonly Standing[], isFirstTied: boolean): void => {
    const sorted = [...siblings].sort(
      (one, other) =>
        Number(one.standing < other.standing) - Number(one.standing > other.standing) ||
        Number(one.node.children !== undefined) - Number(other.node.children !== undefined),
    );
    for (let i = 0; i < sorted.length; i++) {
      const { node, standing } = sorted[i];
      const isTied = i === 0 ? isFirstTied : sorted[i - 1].standing === standing;
      if (node.children === undefined) {
        if (!isTied) last = next;
        factors.set(node.name, last / users);
        next -= 1;
        continue;
      }
      const below = [...standings(node)];
      while (sorted[i + 1]?.standing === standing) {
        i += 1;
        below.push(...standings(sorted[i].node));
      }
      rank(below, isTied);
    }
  };
  rank(standings(root), false);
  return factors;
}

interface Standing {
  readonly node: PlainShareNode;
  readonly standing: number;
}

function standings({ children = [] }: PlainShareNode): readonly Standing[] {
  const allShares = children.reduce((sum, { shares }) => sum + shares, 0);
  const allUsage = children.reduce((sum, { usage }) => sum + usage, 0);
  return children.map((node) => {
    if (node.shares === 0) return { node, standing: 0 };
    if (node.usage === 0) return { node, standing: Number.POSITIVE_INFINITY };
    return { node, standing: node.shares / allShares / (node.usage / allUsage) };
  });
}

function countUsers({ children }: PlainShareNode): number {
  return children === undefined ? 1 : children.reduce((sum, child) => sum + countUsers(child), 0);
}
