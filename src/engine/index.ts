export type {
  Blocker,
  ClusterBlockers,
} from "./batch-system/blocker.ts";
export { blockersOf } from "./batch-system/blockers-of.ts";

export {
  type ClusterExplanation,
  explainClusterJob,
} from "./batch-system/explain-cluster-job.ts";
export { liveQueue } from "./batch-system/live-queue.ts";

export { explainedByPolicy, withoutHold } from "./batch-system/policy-hold.ts";
export { clusterExplanationText } from "./batch-system/prospect-text.ts";
export { clusterBlockersText } from "./batch-system/text.ts";
export { beginAgainBehind } from "./behind.ts";
export { explain } from "./explain.ts";
export type { Answer, Row } from "./feature.ts";
export { rememberVoUses } from "./features/organisations/vo-use.ts";
export { applyPeer, hearPeer } from "./features/peers/peer-book.ts";
export { type PeerAtSite, type PeerNow, peersAt } from "./features/peers/peers-now.ts";
export { consumerThere, leasesToRenew } from "./features/policies/foreign-view.ts";
export { policyHoldThere } from "./features/policies/hold-there.ts";
export { obstaclesAt } from "./features/policies/obstacles.ts";
export type { EnforcerView, PoliciesNow } from "./features/policies/policies-now.ts";
export { policyVerdictAt, policyVerdictText } from "./features/policies/policy-verdict.ts";
export { type SiteUsage, usageAt } from "./features/policies/site-usage.ts";
export { rememberUses } from "./features/policies/site-uses.ts";
export {
  historyOfSite,
  type LevelHistory,
  MOST_SAMPLED,
  type UseHistoryOfSite,
  useSample,
} from "./features/policies/use-samples.ts";
export { RESERVATION_ALLOWED_IN } from "./features/reservations/answer-reservation.ts";
export { pricedResource } from "./features/reservations/asked-queue.ts";
export {
  extensionPrice,
  livePrices,
  livePricesCoReservation,
  livePricesInParts,
  type PricingSteps,
  type SlotTrial,
} from "./features/reservations/live-quote.ts";
export { observeReservation, type ReservationReport } from "./features/reservations/observe-reservation.ts";
export { awaitedParts } from "./features/reservations/resource-slots.ts";
export { heardWhen } from "./features/reservations/snap-to-now.ts";
export { limitsEverywhere } from "./features/storage/store-limits.ts";
export { whyNoneUnder } from "./features/tickets/answer-ticket.ts";
export { virtualReservationHindrance } from "./features/virtual-reservations/answer-virtual.ts";
export { scheduleAtCluster, scheduleOfWaiting } from "./forecast/cluster-forecast.ts";
export { shapeOfCluster, stateOfCluster } from "./forecast/cluster-shape.ts";
export {
  type Assumption,
  forecastStart,
  type StartForecast,
  type UnrecordedForecast,
  type WhenAnswer,
  type WhenQuestion,
} from "./forecast/forecast-start.ts";
export {
  forecastVirtual,
  type ProvenPlan,
  type VirtualReservationAnswer,
  type VirtualReservationQuestion,
} from "./forecast/forecast-virtual.ts";
export { pastSteps } from "./forecast/learn-past.ts";
export { shapeOfSite, stateOfSite } from "./forecast/observed-queue.ts";
export {
  factsOf,
  ONLY_QUEUE,
  type PastJob,
  pastOfCluster,
  pastOfRecords,
} from "./forecast/past-jobs.ts";
export {
  jobAtCluster,
  memoryAtCluster,
  partitionFor,
  type ThoughtOfJob,
  type Unfit,
  type UnmetClause,
  unfitAtCluster,
  unfitAtSite,
} from "./forecast/question.ts";
export {
  type ResponseAnswer,
  sayResponseTimes,
} from "./forecast/say-response-times.ts";
export {
  createSiteHistory,
  learn,
  needIn,
  roomOf,
  type SeenEvent,
  type SiteHistory,
  type SiteShape,
} from "./forecast/site-history.ts";
export {
  createSnapshotDiff,
  lookAgain,
  noteRecord,
  type SnapshotDiff,
  waitingInEvents,
} from "./forecast/snapshot-diff.ts";
export { unfitText } from "./forecast/unfit-text.ts";
export { ALLOWED_IN } from "./jobs.ts";
export { type AttemptReport, observe } from "./observe.ts";
export { type Look, observeSurvey } from "./observe-survey.ts";
export { noteTrouble, takeSurvey } from "./observed-queue.ts";
export {
  draftLeftFree,
  draftPlan,
  type LeftFree,
  leftFree,
  type PlanDraft,
  WORTH_ELSEWHERE,
} from "./queue-plan.ts";
export {
  type AnswerTo,
  answer,
  apply,
  decide,
  hear,
  outdated,
  type QueryName,
  type Question,
  query,
  restore,
  rowOf,
  VIEWS,
} from "./register.ts";
export {
  actionsOf,
  isOf,
  jobsWithin,
  mayDo,
  mayEver,
  type ObservedJob,
  type Subject,
} from "./rights.ts";
export {
  BAR_KINDS,
  type Bar,
  type BarFacts,
  type PlacedBar,
} from "./schedule/bar.ts";
export { barsNow } from "./schedule/bars-now.ts";
export { barsSeen } from "./schedule/bars-seen.ts";
export { pastBars } from "./schedule/past-bars.ts";
export { placeBars } from "./schedule/place-bars.ts";
export { type ChoiceRow, honouredPpm } from "./site-selection/choice-row.ts";
export {
  type Condition,
  meets,
  readCondition,
} from "./site-selection/condition.ts";
export { freePlaces } from "./site-selection/free-places.ts";
export { type QueueAd, queueAdsOf } from "./site-selection/queue-ads.ts";
export { openQueues } from "./site-selection/queue-facts.ts";
export { queuedCost } from "./site-selection/queued-cost.ts";
export { NO_FACTS, recommend, worthTaking } from "./site-selection/recommend.ts";
export { scoresNow } from "./site-selection/scores.ts";
export { type AdStamp, adStampOf } from "./site-selection/site-facts.ts";
export { type Advertisement, advertise, type FoundSlots } from "./slots.ts";
export { arrayRecord } from "./state/arrays.ts";
export { hasReservedLink, reservedRate } from "./state/bound-parts.ts";
export { dagRecord } from "./state/dags.ts";
export { sharesAt } from "./state/enforced-site.ts";
export { rememberFiles } from "./state/files-book.ts";
export { freeNow } from "./state/free-now.ts";
export { tagPart } from "./state/job-tags.ts";
export type { LevelUsage } from "./state/level-usage.ts";
export { avoidedNodes } from "./state/node-health.ts";
export { outdatedText } from "./state/outdated.ts";
export { countedAt, type PeerState } from "./state/peer-use.ts";
export { PILOT_PROGRAM } from "./state/pilot-program.ts";
export {
  longestWindowMs,
  type PolicyVersion,
} from "./state/policy-book.ts";
export {
  createProjection,
  type Projection,
  type RecordChange,
  type SiteRecord,
  type StoredState,
} from "./state/projection.ts";
export { endOf, partsOf } from "./state/reserved.ts";
export { isObserved, isOpen, LAST_MOMENTS_MS, type SiteState } from "./state/site-state.ts";
export { trustedFor } from "./state/ticket-grounds.ts";
export { selectorOf } from "./state/vo-book.ts";
export type {
  ExternalReservation,
  Survey,
  SurveyedEnd,
  SurveyedJob,
  SurveyedReservation,
  SurveyedState,
} from "./survey.ts";
