/** Domination among judged plans, and the size of what a front dominates. */
import type { Judgement } from "./evaluation.ts";

/**
 * True where the first is no worse in both costs and better in one. A plan on which all tasks have a place
 * dominates every other; of two that leave tasks out, the one that leaves fewer.
 */
export function dominates(one: Judgement, other: Judgement): boolean {
  if (one.unplaced !== other.unplaced) return one.unplaced < other.unplaced;
  if (one.unplaced > 0) return false;
  if (one.costSu > other.costSu || one.makespanMs > other.makespanMs) return false;
  return one.costSu < other.costSu || one.makespanMs < other.makespanMs;
}

/** Area that the feasible ones dominate, up to a reference point; what lies beyond it counts nothing. */
export function hypervolume(
  judged: readonly Judgement[],
  reference: Pick<Judgement, "costSu" | "makespanMs">,
): number {
  const within = judged
    .filter(
      ({ unplaced, costSu, makespanMs }) =>
        unplaced === 0 && costSu < reference.costSu && makespanMs < reference.makespanMs,
    )
    .sort((one, other) => one.makespanMs - other.makespanMs || one.costSu - other.costSu);
  let area = 0;
  let ceiling = reference.costSu;
  for (const { costSu, makespanMs } of within) {
    if (costSu >= ceiling) continue;
    area += (reference.makespanMs - makespanMs) * (ceiling - costSu);
    ceiling = costSu;
  }
  return area;
}
