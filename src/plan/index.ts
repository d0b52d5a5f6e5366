export {
  combinedChoice,
  idleProcMs,
  isVirtualReservationWorthwhile,
} from "./combined.ts";
export {
  choosePlan,
  type FoundPlans,
  type FrontSize,
  frontSize,
  PLANNERS,
  type PlannerName,
  type Planning,
  type PlanningProgress,
  type PlanningQuestion,
  type PlanShortfall,
  planningBy,
  type StatedPlan,
  sitePlan,
  statedPlan,
  usualPlanner,
} from "./planners/index.ts";
export {
  type Instance,
  instanceOf,
  ownPlatform,
  type Platform,
  type PlatformSite,
  type SlotForSale,
} from "./platform/index.ts";
export {
  type NoVirtualReservationPlan,
  VIRTUAL_RULES,
  type VirtualReservationPlan,
  virtualReservation,
  type WantedVirtualReservation,
} from "./virtual-reservation.ts";
export {
  cyberShake,
  layeredWorkflow,
  measuresOf,
  type ParentDraft,
  type TaskDraft,
  type Workflow,
  type WorkflowDraft,
  type WorkflowMeasures,
  workflowOf,
} from "./workflow/index.ts";
