export { admissionText } from "./admission-text.ts";
export type { Agreement, AgreementDefinitions, AgreementVersion } from "./agreement.ts";
export type {
  AllowedNames,
  AwaitedJobs,
  ClusterAssociation,
  ClusterJob,
  ClusterJobState,
  ClusterLicense,
  ClusterLimits,
  ClusterNode,
  ClusterPartition,
  ClusterPastJob,
  ClusterQos,
  ClusterReservation,
  ClusterSnapshot,
  FeatureExpression,
  FeatureRule,
  HiddenPart,
  JobDependency,
  NamedLimit,
  SchedulingRules,
  WaitKind,
  WaitReason,
} from "./cluster.ts";
export * from "./dag.ts";
export {
  DEPENDENCY_PATTERN,
  dependenciesText,
  dependencyOf,
  endOfJob,
  isMet,
  type JobEnd,
} from "./dependency.ts";
export {
  DISCIPLINES,
  type Discipline,
  ESTIMATE_RULES,
  type EstimateRule,
  isPlanning,
  isProgram,
  type MachineDiscipline,
  OVERRUN_RULES,
  type OverrunRule,
  type ProgramDiscipline,
} from "./discipline.ts";
export type { EnergyUse, PowerModel } from "./energy.ts";
export { type EnforcementObstacle, enforcementObstacleText } from "./enforcement-obstacle.ts";
export { eventSummary } from "./event-text.ts";
export type {
  DescriptionChange,
  Explanation,
  HelpfulChange,
  MissingRight,
  WaitCause,
} from "./explanation.ts";
export { explanationText } from "./explanation-text.ts";
export type { ActionRights, OfKind } from "./feature.ts";
export * from "./features/audit.ts";
export * from "./features/bids.ts";
export * from "./features/pilots.ts";
export type { QueueLack, QueueTooSmall } from "./features/placement.ts";
export * from "./features/replicas.ts";
export type { OfferRequest, ReservationMisfit, ReservationVerb } from "./features/reservations.ts";
export type { SearchRecord } from "./features/searches.ts";
export type { EndTally, NodeHealth, QuickFailure, SiteHealth } from "./features/site-health.ts";
export * from "./features/streams.ts";
export * from "./features/waiting-replicas.ts";
export * from "./features/workflow-file.ts";
export { type PlacedPlan, REPLANNING, type WorkflowRecord, type WorkflowTask } from "./features/workflows.ts";
export { delayText, hindranceText } from "./hindrance-text.ts";
export type { HostJobReading, HostReading, HostReport, HostSeen } from "./host-reading.ts";
export * from "./identity.ts";
export {
  type InMilliseconds,
  type InSeconds,
  inMilliseconds,
  inSeconds,
  MOST_MS,
  NAMED_BY_PEOPLE,
} from "./in-seconds.ts";
export {
  type AbortReason,
  type AttemptEnd,
  asksToResume,
  attemptToken,
  type CancelCause,
  type EnforcedState,
  JOB_STAGES,
  type JobRecord,
  type JobVerb,
  NOT_ENFORCED,
  type PastRun,
  REPLICA_ENDS,
  REPLICA_STATES,
  type RecommendedPlace,
  type RunFacts,
  type WaitingReplica,
} from "./job.ts";
export * from "./job-array.ts";
export type { JobChange } from "./job-change.ts";
export {
  asSubmitted,
  DEFAULT_RANKS,
  type DefaultRank,
  hasCheckpoints,
  JOB_DEFAULTS,
  type JobDescription,
  QUEUE_PATTERN,
} from "./job-description.ts";
export {
  type ClassLimits,
  type Fairness,
  type GroupedJobs,
  JOB_GROUPINGS,
  type JobGroup,
  type JobGrouping,
  type ShareDeviation,
  type SharedUse,
  USUAL_LIMITS,
} from "./job-groups.ts";
export {
  JOB_SORT_COLUMNS,
  JOB_SORT_WORDS,
  JOB_TIMES,
  type JobSort,
  type JobSortColumn,
  type JobSortWord,
  type JobTime,
  jobSortOf,
} from "./job-order.ts";
export { isReportDimension, MOST_DIMENSIONS, REPORT_DIMENSIONS, type ReportDimension } from "./job-report.ts";
export { jobRunTime } from "./job-run-time.ts";
export { isFinal, JOB_STATES, type JobState, RUN_STATES, runStateOf } from "./job-state.ts";
export type { LiveAmounts, LivePool, LiveQueue, LiveRectangle, LiveWaiting } from "./live-queue.ts";
export type * from "./live-stream.ts";
export { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from "./log-settings.ts";
export { MAIL_ADDRESS_PATTERN, MAIL_OCCASIONS, type MailOccasion, mailAddress } from "./mail.ts";
export type {
  ChangedSetting,
  CompiledShares,
  ConfigurationLine,
  NativeShares,
  OrderedShareChange,
  ShareChange,
  ShareChangeOutcome,
  ShareChangeStanding,
  ShareStep,
  ShareStepResult,
} from "./native-shares.ts";
export type { NodeLimits, NodeRules } from "./node-rules.ts";
export { type DispatchedJob, type DispatchList, MOST_DISPATCHES_TOLD, type PeerRecord } from "./peer.ts";
export {
  type AdmissionExcess,
  type AdmissionRefusal,
  type CalendarUnit,
  ENFORCEMENT_DEFAULTS,
  ENFORCEMENT_STEPS,
  type EnforcementAction,
  type EnforcementCause,
  type EnforcementRecord,
  type EnforcementReport,
  type EnforcementRules,
  type EnforcementStep,
  type EnforcementVerb,
  type EpochWindow,
  isHandedOn,
  isOnJobs,
  POLICY_DEFAULTS,
  type Policy,
  type RefusalAbout,
  SHARED_RESOURCES,
  type SharedResource,
  WHOLE_SHARE,
} from "./policy.ts";
export { type PolicyDenial, policyLimitText } from "./policy-denial.ts";
export { enforcementActionText, enforcementCauseText } from "./policy-text.ts";
export {
  type PriceBook,
  type PriceRule,
  type RuleUse,
  SLOT_KINDS,
  type SlotKind,
  WEEKDAYS,
} from "./price-rule.ts";
export {
  type ByName,
  type CondorRules,
  type MauiComponent,
  type MauiCredential,
  type MauiParts,
  type MauiRules,
  type MauiTarget,
  type PlainPriorityRules,
  PRIORITY_NAMES,
  type PriorityName,
  type PriorityRules,
  type SlurmRules,
} from "./priority.ts";
export * from "./quote.ts";
export {
  type Action,
  BOOKS,
  type Books,
  type Command,
  EVENT_VERSIONS,
  FEATURE_ACTIONS,
  isOfProgram,
  isOfSite,
  jobNamedBy,
  type NewToken,
  PROGRAM_ROLES,
  type Refusal,
  ROLES,
  type Role,
  refusalStatus,
  refusalText,
  type StintEvent,
  siteNamedBy,
} from "./register.ts";
export {
  type AccountLevel,
  type DelayedByOffer,
  type DelayFacts,
  isHolding,
  type LivePrice,
  NOTHING_SOLD,
  type PostingEntry,
  type PostingKind,
  type PostingRecord,
  type PriceCoReservation,
  RESERVATION_DEFAULTS,
  RESERVATION_STATES,
  type ReservationHindrance,
  type ReservationRecord,
  type ReservationRules,
  type ReservationState,
  type ReservationUsage,
  type SiteAccounts,
  type SiteQuote,
  type UnextendedTerms,
  type WantedSlot,
  type WantedWhen,
} from "./reservation.ts";
export type { OfferedPrice } from "./reservation-event.ts";
export type { ReservingRules, ReservingSummary } from "./reserving.ts";
export { type PersonRole, type Reach, SCOPES, type Scope } from "./right.ts";
export * from "./sandbox-name.ts";
export {
  type Interval,
  isByChance,
  JOBS_OUT_RULES,
  type LinesWorkload,
  type RunScenario,
  SCENARIO_METRICS,
  type Scenario,
  type ScenarioCut,
  type ScenarioDifference,
  type ScenarioEstimate,
  type ScenarioHooks,
  type ScenarioMeasures,
  type ScenarioMetric,
  type ScenarioOrder,
  type ScenarioPool,
  type ScenarioProgress,
  type ScenarioRow,
  type ScenarioRun,
  type ScenarioSite,
  type ScenarioSummary,
  type ScenarioWorkload,
  type StopSignal,
} from "./scenario.ts";
export {
  type ConsumerFacts,
  type PolicyFacts,
  SCENARIO_ENFORCERS,
  type ScenarioEnforcer,
  type ScenarioPolicies,
} from "./scenario-policies.ts";
export * from "./scouts.ts";
export {
  type AffectedConsumer,
  type EnforcingSummary,
  type PolicyEffects,
  type PolicyTrial,
  type ReservationChange,
  type SampleSpread,
  type Simulate,
  type SimulatedPolicies,
  type SimulatedPool,
  type SimulationOutcome,
  type SimulationProgress,
  type SimulationReport,
  type SimulationRequest,
  type SkippedJobs,
  type SlotSummary,
  STOPPED_RULES,
  type StoppedRule,
  type TriedRecord,
  type UtilisationSeries,
  type WorkloadFacts,
} from "./simulation.ts";
export {
  besideProcs,
  columnsAt,
  isWithinSite,
  reservesProcsOnly,
  type SiteNeed,
  type SiteSize,
} from "./site-amounts.ts";
export type { SiteCheck } from "./site-check.ts";
export type { SiteRemovalReport } from "./site-removal-report.ts";
export * from "./site-spec.ts";
export {
  networkBytesPerSecOf,
  type PricedResource,
  RESOURCE_KINDS,
  RESOURCE_NAME,
  type ResourceKind,
  resourceAmountText,
  resourceText,
  type SlotResource,
  type StreamPoolSpec,
  type StreamProcsClass,
  storageBytesOf,
  wholeResource,
  wholeResources,
} from "./slot-resource.ts";
export * from "./steps.ts";
export * from "./stored-files.ts";
export * from "./sweep.ts";
export {
  type PresentedTicket,
  TICKET_RESOURCES,
  type Ticket,
  type TicketExcess,
  type TicketHindrance,
  type TicketKeyRecord,
  type TicketRecord,
  type TicketResource,
  ticketCapacity,
  ticketLeftMs,
  ticketName,
  ticketNeed,
} from "./ticket.ts";
export { ticketAmountText, ticketHindranceText } from "./ticket-text.ts";
export {
  holderOf,
  type Identity,
  isConsumerPath,
  isWithin,
  type TokenRecord,
  tokenState,
} from "./token.ts";
export { idleMsOf } from "./virtual-idle.ts";
export type { VirtualReservationSlot } from "./virtual-reservation.ts";
export * from "./vo.ts";
export {
  type ChangedGroup,
  GROUPINGS,
  type Grouping,
  type MovedStarts,
  type RecordBeginning,
  type StartErrors,
  type Timing,
  type WaitSpread,
  type WhatIf,
  type WhatIfBaseline,
  type WhatIfChange,
  type WhatIfReport,
  type WhatIfRequest,
  type WhatIfRules,
} from "./what-if.ts";
export type {
  Describe,
  DescribeRequest,
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
