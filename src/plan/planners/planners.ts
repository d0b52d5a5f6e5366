/** All planners by name, each over the same evaluation of placements. */
import type { Instance } from "../platform/index.ts";
import { bestEffort } from "./best-effort.ts";
import { heft } from "./list-schedule.ts";
import type { Placement } from "./placement.ts";
import { planOf } from "./plan.ts";
import type { Planning, PlanningQuestion } from "./planning.ts";

/** Names of planners. */
export const PLANNERS = ["heft", "best-effort"] as const;

/** Name of a planner. */
export type PlannerName = (typeof PLANNERS)[number];

/** Begins to plan. */
export function beginPlanning(name: PlannerName, instance: Instance, _question: PlanningQuestion): Planning {
  switch (name) {
    case "heft":
      return single(instance, heft);
    case "best-effort":
      return single(instance, bestEffort);
  }
}

// biome-ignore lint/correctness/useYield: a planner of one plan has no step at which it could be stopped
function* single(instance: Instance, place: (instance: Instance) => Placement): Planning {
  return { front: [planOf(instance, place(instance))], evaluations: 1 };
}
