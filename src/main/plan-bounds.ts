/**
 * What is possible where a plan misses its deadline or budget: the earliest end and the lowest cost of all
 * plans that were found. Besides the plans of the chosen planner, these are that of HEFT, which is fast,
 * and that of the greedy planner for cost alone.
 */
import type { PlanAnswer } from "../cli/index.ts";
import type { ChosenPlan, FoundPlans, Instance, PlannerName, PlanningQuestion } from "../plan/index.ts";
import { unplacedTasks } from "../plan/index.ts";

/** Plans an instance by a planner. */
export type PlanBy = (
  instance: Instance,
  planner: PlannerName,
  question: PlanningQuestion,
) => Promise<FoundPlans>;

/** Absent where no limit is missed, or where some task finds no place in every plan. */
export async function planBounds(
  instance: Instance,
  { planner, front, shortfalls }: { readonly planner: PlannerName } & FoundPlans & ChosenPlan,
  planBy: PlanBy,
): Promise<Pick<PlanAnswer, "bounds">> {
  const isMissed = shortfalls.some(({ kind }) => kind === "deadlineMissed" || kind === "budgetExceeded");
  if (!isMissed) return {};
  const fastest = await planBy(instance, "heft", { alpha: 0, seed: 1 });
  const cheapest = await planBy(instance, "greedy", { alpha: 1, seed: 1 });
  const found = [
    ...front.map((plan) => ({ plan, by: planner })),
    ...fastest.front.map((plan) => ({ plan, by: "heft" as const })),
    ...cheapest.front.map((plan) => ({ plan, by: "greedy" as const })),
  ].filter(({ plan }) => unplacedTasks(plan) === 0);
  if (found.length === 0) return {};
  const early = found.reduce((best, next) => (next.plan.makespanMs < best.plan.makespanMs ? next : best));
  const cheap = found.reduce((best, next) => (next.plan.packedCostSu < best.plan.packedCostSu ? next : best));
  return {
    bounds: {
      ...{ earliestSec: early.plan.makespanMs / 1000, earliestBy: early.by },
      ...{ leastCostSu: cheap.plan.packedCostSu, leastCostBy: cheap.by },
    },
  };
}
