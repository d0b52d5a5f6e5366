/** The size of a front: one figure for how good a choice between fast and cheap it gives. */
import type { Plan } from "./plan.ts";
import { unplacedTasks } from "./planning.ts";
import { hypervolume } from "./slots/pareto.ts";

/** Area that a front dominates up to a point, in SU × ms. */
export interface FrontSize {
  readonly hypervolume: number;
  /** The greatest makespan and the greatest cost of the front, each × 1.1. */
  readonly reference: { readonly makespanMs: number; readonly costSu: number };
}

/** As 11 / 10, so that whole makespans give whole tenths. */
const beyond = (most: number): number => (11 * most) / 10;

/** The size of a front, by makespan and charged cost; plans that leave tasks out count nothing. */
export function frontSize(front: readonly Plan[]): FrontSize {
  const judged = front
    .filter((plan) => unplacedTasks(plan) === 0)
    .map(({ makespanMs, packedCostSu }) => ({ makespanMs, costSu: packedCostSu, unplaced: 0 }));
  const reference = {
    makespanMs: beyond(judged.reduce((most, { makespanMs }) => Math.max(most, makespanMs), 0)),
    costSu: beyond(judged.reduce((most, { costSu }) => Math.max(most, costSu), 0)),
  };
  return { hypervolume: hypervolume(judged, reference), reference };
}
