export { type FrontSize, frontSize } from "./front-size.ts";
export { islandsOf, mergedIslands } from "./islands.ts";
export { withLanes } from "./lanes.ts";
export { sitePlan } from "./plan.ts";
export { PLANNERS, type PlannerName, planningBy, usualPlanner } from "./planners.ts";
export {
  type ChosenPlan,
  choosePlan,
  endOfPart,
  type FoundPlans,
  type PlannedPart,
  type Planning,
  type PlanningProgress,
  type PlanningQuestion,
  type PlanShortfall,
  unplacedTasks,
} from "./planning.ts";
export { type StatedPlan, statedPlan } from "./statement.ts";
export { type Executions, executionsOf, lengthenedTo } from "./uncertainty/executions.ts";
export { hasUncertainRuntimes, SURETY_LEVELS, type SuretyLevel } from "./uncertainty/runtime-spread.ts";
