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
  isForeign,
  type ManagedSiteSpec,
  type SimulatedBackground,
  type SimulatedDelays,
  type SimulatedLosses,
  type SimulatedSiteSpec,
  type SiteOffer,
  type SiteSpec,
} from "./site-spec.ts";
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
export type {
  Describe,
  DescribeRequest,
  OwnerShare,
  OwnerShares,
  SizeClass,
  Spread,
  WorkloadArrivals,
  WorkloadDescription,
  WorkloadEstimates,
  WorkloadMachine,
} from "./workload-description.ts";
export {
  type DrawRequest,
  type Generate,
  LOAD_SCALES,
  type LoadScale,
  LUBLIN_SETS,
  type LublinSet,
  REQUEST_RULES,
  type RequestRule,
  type RescaleRequest,
  WORKLOAD_MODELS,
  type WorkloadModelName,
  type WorkloadRequest,
  type WorkloadSummary,
  type WorkloadTarget,
} from "./workload-request.ts";
