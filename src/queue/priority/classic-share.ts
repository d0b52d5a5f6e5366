/**
 * Fair-share factors by Slurm's classic formula.
 *
 * Equivalent to the published description [SLURM-CFS]; OpenPBS's fairshare_factor is the same formula
 * [PBS-FS]. It differs in these ways: no account or user takes its parent's share (Fairshare=parent), and
 * shares of 0 give the factor 0. The effective usage of a user or account is its part of all use, drawn
 * towards its parent's by its part of the shares; just below the root it is the actual part.
 * Cost: O(nodes).
 */
import type { ShareNode } from "./share-node.ts";

/** Gives each user 2^(−effective usage ÷ normalised shares): 0.5 is exactly the share, 1 is no use at all. */
export function setClassicFactors(root: ShareNode): void {
  const total = root.usage > 0 ? root.usage : 1;
  const descend = (parent: ShareNode, normShares: number, effective: number | undefined): void => {
    const { children = [] } = parent;
    let siblings = 0;
    for (const { shares } of children) siblings += shares;
    for (const child of children) {
      const part = siblings > 0 ? child.shares / siblings : 0;
      const actual = child.usage / total;
      // The accounts just below the root have no parent to be measured by.
      const own = effective === undefined ? actual : actual + (effective - actual) * part;
      if (child.children !== undefined) descend(child, normShares * part, own);
      else child.factor = part > 0 ? 2 ** (-own / (normShares * part)) : 0;
    }
  };
  descend(root, 1, undefined);
}
