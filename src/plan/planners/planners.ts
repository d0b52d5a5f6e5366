/** All planners by name, each over the same evaluation of placements. */
import type { Instance } from "../platform/index.ts";
import type { Workflow } from "../workflow/index.ts";
import { bestEffort } from "./best-effort.ts";
import { heft, listSchedule } from "./list-schedule.ts";
import { orderBy } from "./orders.ts";
import { type Plan, planOf, unreservedPlan } from "./plan.ts";
import type { Planning, PlanningQuestion } from "./planning.ts";
import { searchPlans } from "./search/search.ts";
import { evolvedPlans, planOnAllSlots, planOnRandomSlots } from "./slots/evolve.ts";
import { greedyPlan } from "./slots/greedy.ts";
import { perTaskPlan } from "./slots/per-task.ts";
import { singleRectangle } from "./slots/single.ts";
import { weightedPlan } from "./slots/weighted.ts";

/** Names of planners. */
export const PLANNERS = [
  ...(["heft", "search", "greedy", "moga", "nsga2", "single", "best-effort"] as const),
  ...(["weighted", "per-task", "cpop", "peft", "all-slots", "random"] as const),
];

/** Name of a planner. */
export type PlannerName = (typeof PLANNERS)[number];

/**
 * The planner where none is asked for: `search` for projects, which name their own machine and have its
 * resources, of which orders alone are to be chosen; `heft` for workflows on sites.
 */
export function usualPlanner({ capacities }: Workflow): PlannerName {
  return capacities === undefined ? "heft" : "search";
}

/**
 * Begins to plan. Where the platform sells slots, `heft` and `search` place tasks on these; best effort takes
 * the sites as they are, since it reserves nothing.
 */
export function planningBy(name: PlannerName, instance: Instance, question: PlanningQuestion): Planning {
  switch (name) {
    case "heft":
      return onePlan(instance.hasSlots ? planOnAllSlots(instance) : planOf(instance, heft(instance)));
    case "cpop":
    case "peft":
      return onePlan(inOrder(instance, orderBy(name, instance)));
    case "weighted":
      return weightedPlan(instance, question);
    case "per-task":
      return onePlan(perTaskPlan(instance, question.deadlineMs));
    case "all-slots":
      return onePlan(planOnAllSlots(instance));
    case "random":
      return onePlan(planOnRandomSlots(instance, question.seed));
    case "best-effort":
      return onePlan(unreservedPlan(instance, bestEffort(instance)));
    case "search":
      return instance.hasSlots ? evolvedPlans("search", instance, question) : searchPlans(instance, question);
    case "moga":
    case "nsga2":
      return evolvedPlans(name, instance, question);
    case "greedy":
      return greedyPlan(instance, question);
    case "single":
      return singleRectangle(instance);
  }
}

function inOrder(instance: Instance, order: Int32Array): Plan {
  return instance.hasSlots
    ? planOnAllSlots(instance, order)
    : planOf(instance, listSchedule(instance, order));
}

// biome-ignore lint/correctness/useYield: a planner of one plan has no step at which it could be stopped
function* onePlan(plan: Plan): Planning {
  return { front: [plan], evaluations: 1 };
}
