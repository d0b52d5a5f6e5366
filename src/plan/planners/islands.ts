/**
 * The search as several searches with seeds of their own, which threads can do side by side.
 *
 * How many there are follows from the question alone, never from the machine, so that the plans are the same
 * however many threads there are. An island of few schedules finds worse plans than one long search would: a
 * bound of schedules is split only where each island still has as many as are usual.
 */
import type { Instance } from "../platform/index.ts";
import { type FoundPlans, frontOf, type PlanningQuestion } from "./planning.ts";
import { usualSchedules } from "./search/search.ts";
import { USUAL_EVALUATIONS } from "./slots/evolve.ts";

const MOST_ISLANDS = 16;
/** Islands where no bound is given, of workflows that take a second or more. */
const USUAL_ISLANDS = 4;
const SMALL_WORK = 400_000;
/** Between the seeds of islands: seeds that people choose are small. */
const SEED_STEP = 1_000_003;

/**
 * The questions of the islands, in order; a single one where the search is not split. Plain data, which can
 * be sent to threads; the rest is left out.
 */
export function islandsOf(instance: Instance, question: PlanningQuestion): readonly PlanningQuestion[] {
  const { evaluations, seed, alpha } = question;
  const usual = instance.hasSlots ? USUAL_EVALUATIONS : usualSchedules(instance.taskCount);
  const count = evaluations === undefined ? usualCount(instance, usual) : Math.floor(evaluations / usual);
  const islands = Math.max(1, Math.min(MOST_ISLANDS, count));
  return Array.from({ length: islands }, (_, at) => ({
    ...{ alpha, seed: seed + at * SEED_STEP },
    ...(evaluations === undefined ? {} : { evaluations: share(evaluations, at, islands) }),
  }));
}

function usualCount({ taskCount }: Instance, usual: number): number {
  return taskCount * usual < SMALL_WORK ? 1 : USUAL_ISLANDS;
}

/** The remainder of a division goes to the first islands. */
function share(evaluations: number, at: number, islands: number): number {
  return Math.floor(evaluations / islands) + (at < evaluations % islands ? 1 : 0);
}

/** Combined result of the islands; of equal plans, that of the first island. */
export function mergedIslands(found: readonly FoundPlans[]): FoundPlans {
  return {
    front: frontOf(found.flatMap(({ front }) => front)),
    evaluations: found.reduce((sum, { evaluations }) => sum + evaluations, 0),
  };
}
