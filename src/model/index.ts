export {
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  isPlanning,
  OVERRUN_RULES,
  type OverrunRule,
} from "./discipline.ts";
export type {
  Simulate,
  SimulationOutcome,
  SimulationProgress,
  SimulationReport,
  SimulationRequest,
  SkippedJobs,
  UtilisationCourse,
} from "./simulation.ts";
