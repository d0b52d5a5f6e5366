export type { Command, JobVerb, NewToken, Refusal } from "./command.ts";
export {
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  isPlanning,
  OVERRUN_RULES,
  type OverrunRule,
} from "./discipline.ts";
export {
  type AttemptEnd,
  type DeniedRequest,
  EVENT_VERSIONS,
  type ManagedSiteSpec,
  type StintEvent,
} from "./event.ts";
export type { Explanation, HelpfulChange, WaitCause } from "./explanation.ts";
export { explanationText } from "./explanation-text.ts";
export { type AbortReason, attemptToken, isFinal, JOB_STATES, type JobRecord, type JobState } from "./job.ts";
export { JOB_DEFAULTS, type JobDescription } from "./job-description.ts";
export { counted, type RefusalText, refusalText } from "./refusal-text.ts";
export type {
  Simulate,
  SimulationOutcome,
  SimulationProgress,
  SimulationReport,
  SimulationRequest,
  SkippedJobs,
  UtilisationCourse,
} from "./simulation.ts";
export {
  holderOf,
  type Identity,
  isConsumerPath,
  isWithin,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
  type TokenRecord,
  tokenState,
} from "./token.ts";
