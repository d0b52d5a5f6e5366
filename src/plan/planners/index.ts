export type { Plan } from "./plan.ts";
export { PLANNERS, type PlannerName, planningBy } from "./planners.ts";
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
export { type StatedPlan, statedPlan } from "./statement.ts";
