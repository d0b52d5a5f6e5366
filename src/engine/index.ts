export { ALLOWED_IN, answer } from "./answer.ts";
export { type ChoiceRow, honouredPpm, type SiteScore } from "./assess/choice-row.ts";
export {
  type Condition,
  type ConditionProblem,
  meets,
  ROW_ATTRIBUTES,
  readCondition,
} from "./assess/condition.ts";
export { queuedCost } from "./assess/queued-cost.ts";
export { NO_FACTS, recommend, type SiteFacts, worthTaking } from "./assess/recommend.ts";
export { scoresNow } from "./assess/scores.ts";
export { beginAgainBehind } from "./behind.ts";
export type {
  Blocker,
  BlockerFacts,
  BlockerKind,
  ClusterBlockers,
  JobBefore,
  Remedy,
  SystemWord,
} from "./cluster/blocker.ts";
export { blockersOf } from "./cluster/blockers-of.ts";
export type { ClusterChange } from "./cluster/change-search.ts";
export { type ClusterMachine, clusterMachine, wishIn } from "./cluster/cluster-machine.ts";
export { startOf } from "./cluster/cluster-start.ts";
export { type CompiledShares, compileShares } from "./cluster/compile-shares.ts";
export {
  type ClusterExplanation,
  type ClusterPrediction,
  explainClusterJob,
} from "./cluster/explain-cluster-job.ts";
export { liveQueue } from "./cluster/live-queue.ts";
export type { Amounts, NodeClass, Wish } from "./cluster/node-classes.ts";
export { explainedByPolicy, withoutHold } from "./cluster/policy-hold.ts";
export { clusterExplanationText } from "./cluster/prospect-text.ts";
export { howStands, isForgettable, type ShareStanding, usedByOthers } from "./cluster/share-standing.ts";
export { blockerText, clusterBlockersText } from "./cluster/text.ts";
export { type Decision, decide } from "./decide.ts";
export { sharesAt } from "./enforce/enforced-site.ts";
export { consumerThere, leasesToRenew } from "./enforce/foreign-view.ts";
export { policyHoldThere } from "./enforce/hold-there.ts";
export type { LevelUsage } from "./enforce/level-usage.ts";
export { obstaclesAt } from "./enforce/obstacles.ts";
export { longestWindowMs, type PolicyBook, type PolicyVersion, versionAt } from "./enforce/policy-book.ts";
export { policyVerdictAt, policyVerdictText } from "./enforce/policy-verdict.ts";
export { type SiteUsage, usageAt } from "./enforce/site-usage.ts";
export { rememberUses } from "./enforce/site-uses.ts";
export {
  historyOfSite,
  type LevelHistory,
  MOST_SAMPLED,
  type ResourceHistory,
  type UseCourses,
  type UseHistoryOfSite,
  type UseSample,
  useSample,
} from "./enforce/use-samples.ts";
export { explain, freeNow } from "./explain.ts";
export { scheduleAtCluster, scheduleOfWaiting } from "./forecast/cluster-forecast.ts";
export { shapeOfCluster, stateOfCluster } from "./forecast/cluster-shape.ts";
export { learnPast, pastSteps } from "./forecast/learn-past.ts";
export {
  createLearntSite,
  type Learning,
  type LearntSite,
  learn,
  needIn,
  roomOf,
  type SeenEvent,
  type SiteShape,
  stateFor,
} from "./forecast/learnt-site.ts";
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
  unfitAtCluster,
  unfitAtSite,
} from "./forecast/question.ts";
export {
  type ResponseAnswer,
  type SaidResponse,
  sayResponseTimes,
} from "./forecast/say-response-times.ts";
export {
  type ProvenPlan,
  sayVirtual,
  type VirtualAnswer,
  type VirtualQuestion,
} from "./forecast/say-virtual.ts";
export {
  type Assumption,
  type StartForecast,
  sayWhen,
  type UnrecordedForecast,
  type WhenAnswer,
  type WhenQuestion,
} from "./forecast/say-when.ts";
export { createSightings, lookAgain, noteRecord, type Sightings } from "./forecast/sightings.ts";
export { shapeOfSite, stateOfSite } from "./forecast/site-look.ts";
export { unfitText } from "./forecast/unfit-text.ts";
export { type AttemptReport, observe } from "./observe.ts";
export { type Look, observeSurvey } from "./observe-survey.ts";
export { dispatchesNow } from "./peers/offer.ts";
export { applyPeer, hearPeer } from "./peers/peer-book.ts";
export { countedAt, countedProcs, type PeerState, type Peers } from "./peers/peer-use.ts";
export { type PeerAtSite, type PeerNow, peersAt, peersNow } from "./peers/peers-now.ts";
export { noteTrouble, takeSurvey } from "./picture.ts";
export { apply } from "./projection.ts";
export {
  draftLeftFree,
  draftPlan,
  type LeftFree,
  leftFree,
  type PlanDraft,
  WORTH_ELSEWHERE,
} from "./queue-plan.ts";
export type { BalanceRecord } from "./reserve/accounts.ts";
export { RESERVATION_ALLOWED_IN } from "./reserve/answer-reservation.ts";
export { pricedResource } from "./reserve/asked-queue.ts";
export { hasReservedLink, reservedRate } from "./reserve/bound-parts.ts";
export { heardWhen } from "./reserve/heard-at.ts";
export {
  type AskedPart,
  type AskedSlot,
  extensionPrice,
  livePrices,
  livePricesInParts,
  livePricesTogether,
  type PricingSteps,
  type SlotTrial,
} from "./reserve/live-quote.ts";
export { observeReservation, type ReservationReport } from "./reserve/observe-reservation.ts";
export { endOf, heldAt, partsOf } from "./reserve/reserved.ts";
export { awaitedParts } from "./reserve/resource-slots.ts";
export { restore, type StoredState } from "./restore.ts";
export { type Action, type JobSight, jobsWithin, mayDo, mayEver, type Subject } from "./rights.ts";
export { isOpen, LAST_MOMENTS_MS, type SiteState } from "./site-state.ts";
export { type Advertisement, advertise, type FoundSlots, type ResourceSlots } from "./slots.ts";
export { createProjection, type Projection, type RecordChange, type SiteRecord } from "./state.ts";
export { keeperAt, rememberFiles } from "./stored/files-book.ts";
export { type StoreWish, storeLimitAt, whyStoreFull } from "./stored/store-limits.ts";
export type {
  SetAside,
  Survey,
  SurveyedEnd,
  SurveyedJob,
  SurveyedReservation,
  SurveyedState,
} from "./survey.ts";
export { whyNoneUnder } from "./ticket/answer-ticket.ts";
export { trustedFor } from "./ticket/ticket-grounds.ts";
export { virtualHindrance } from "./virtual/answer-virtual.ts";
export { selectorOf } from "./vo/vo-book.ts";
export { rememberVoUses } from "./vo/vo-use.ts";
