export type { Plan } from "./plan.ts";
export { beginPlanning, PLANNERS, type PlannerName } from "./planners.ts";
export {
  type ChosenPlan,
  choosePlan,
  type FoundPlans,
  type Planning,
  type PlanningProgress,
  type PlanningQuestion,
  type PlanShortfall,
} from "./planning.ts";
export { upwardRanks } from "./ranks.ts";
export { costSu, type Rectangle } from "./rectangle.ts";
