export { WHOLE_SHARE } from "../model/index.ts";
export {
  type AdmissionRules,
  admitInOrder,
  admits,
  type BookedByLevel,
  type Booking,
  book,
  bookedByLevel,
} from "./admission.ts";
export { calendarWindow } from "./calendar.ts";
export { enforce } from "./enforce/enforce.ts";
export {
  COUNTED_VERBS,
  type EnforcedJob,
  type EnforcedJobState,
  type EnforcedSite,
  type EnforcementDecision,
  SITE_RESOURCES,
  type SiteAmounts,
  type SiteResource,
  type SiteUses,
  type StoppingVerb,
} from "./enforce/enforced-site.ts";
export {
  createUseKeeper,
  inUseAt,
  type KeptJob,
  levelsNow,
  noteJob,
  settleUse,
  type UseKeeper,
  usesKept,
} from "./enforce/keep-use.ts";
export {
  addWaiting,
  createWaitingJobs,
  relevantJobs,
  removeWaiting,
  type WaitingJobs,
} from "./enforce/waiting-jobs.ts";
export { enforceAtVo, type VoGroup, type VoRelease } from "./enforce-at-vo.ts";
export { divideFairly, entitlements, overProvisioned } from "./fair-division.ts";
export { drawnFrom, type SiteChoice, selectSite } from "./select-site.ts";
export {
  hasShare,
  levelsOf,
  pathsTo,
  type ShareNode,
  type ShareTree,
  shareTree,
} from "./share-tree.ts";
export { admittedAtMs } from "./share-wait.ts";
export {
  createStoredKeeper,
  neverStored,
  noteStored,
  type StoredKeeper,
  storedLimit,
  storedOf,
} from "./storage/stored-use.ts";
export {
  heldBy,
  type TicketUse,
  whyAltered,
  whyNotNow,
  whyNotTaken,
  whySpent,
  withDebit,
  withHold,
  withMoreHeld,
  withSlotHold,
} from "./ticket.ts";
export { beyondEntitlement, type TicketEntitlement } from "./ticket-entitlement.ts";
export { transferLevel, transferRates } from "./transfers/transfer-rates.ts";
export {
  amountAt,
  changeUse,
  createUseHistory,
  fallsBelowAtMs,
  keptForMs,
  limitOver,
  reachesAtMs,
  type UseHistory,
  type UseLimit,
  usedOver,
} from "./use-history.ts";
export {
  bucketBegin,
  folded,
  foldedBySteps,
  type PlacedBucket,
  partOf,
  SAMPLE_TIERS,
  type SampleBucket,
  type SampledPart,
  type SeriesGrid,
  type SeriesRequest,
  SLOT_MS,
  seriesGrid,
  slotBucket,
  valueInEffectBySteps,
} from "./use-samples.ts";
export {
  type DecidingLimit,
  exceededShare,
  neverAdmitted,
  type PolicyRequest,
  type PolicyVerdict,
  policyVerdict,
  type VerdictSite,
  verdictSite,
} from "./verdict.ts";
export { compareEvidence, type EvidenceDifference } from "./verify/compare.ts";
export {
  type Amounts,
  type CapacityStep,
  type Evidence,
  type ExcludedStretch,
  type OpenStretch,
  type PolicyTerm,
  type RecordedStretch,
  type Stretch,
  type UsedRun,
  type UseOutcome,
  type UseRecord,
  VERIFY_DEFAULTS,
  type VerifyDefinitions,
  type VerifyQuestion,
} from "./verify/evidence.ts";
export {
  type Findings,
  findingsOf,
  type JobFindings,
  type LevelFindings,
  type Parts,
  type TotalFindings,
  type Verdict,
} from "./verify/findings.ts";
export type { LevelState } from "./verify/level-state.ts";
export { lengthMs } from "./verify/stretches.ts";
export { type UseSeries, useSeriesOf } from "./verify/use-series.ts";
export { type Verification, verify } from "./verify/verify.ts";
