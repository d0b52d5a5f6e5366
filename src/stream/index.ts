export {
  type Admission,
  admit,
  type FreeResources,
  freeResources,
  type HeldResources,
  heldBy,
  hold,
  neverMet,
  type ProcsByClass,
  release,
  type StreamNeed,
  type StreamPool,
  type StreamShortage,
} from "./admission.ts";
export {
  allocateBandwidth,
  type BandwidthAllocation,
  type BandwidthMethod,
  type BandwidthQuestion,
  isWorthSending,
} from "./allocate-bandwidth.ts";
export { allocateStorage, floorOf, type StorageQuestion, type StoredStream } from "./allocate-storage.ts";
export {
  haltMarkBytes,
  procsOf,
  type SourceOrder,
  type StreamSink,
  type StreamSource,
  type StreamSpec,
  type StreamStage,
  storageNeedBytes,
} from "./description.ts";
export {
  type DrawnStorage,
  drawStorage,
  type StorageDraw,
  type StorageDrawQuestion,
} from "./draw-storage.ts";
export {
  type ExplainedHolder,
  explainWaiting,
  type ShortResource,
  type StreamExplanation,
} from "./explain.ts";
export { type Forecast, type Forecaster, forecast } from "./forecast.ts";
export { GENETIC_RULES, type GeneticRules } from "./genetic-bandwidth.ts";
export { type Flow, type HaltCycle, type HaltMarks, haltCycle, isHaltedAt } from "./halting.ts";
export { inboundFor, type LinkCapacity, type LinkPeriod, linkCapacityAfter } from "./link-capacity.ts";
export { giveRoom, type MadeRoom, makeRoom, moveStorage, type Partition } from "./move-storage.ts";
export { STREAM_DEFAULTS, STREAM_RULES, type StreamRules } from "./rules.ts";
export {
  type SceneClass,
  type SceneStream,
  STREAM_VARIANTS,
  type StreamReport,
  type StreamRun,
  type StreamScene,
  type StreamSimulation,
  type StreamVariant,
} from "./scene.ts";
export {
  type Selection,
  type SelectionQuestion,
  type StreamReservation,
  selectStreams,
  testOrder,
  type WaitingStream,
} from "./select.ts";
export type { Session } from "./session.ts";
export {
  type ClassRate,
  isTrialOver,
  type MeasuredRate,
  type ProcessorClass,
  rankClasses,
  type TrialQuestion,
  trialsDue,
} from "./trials.ts";
export { isConcave, UTILITY_KINDS, type Utility, utilityOf } from "./utility.ts";
export { type AgeingWeight, groupOf, nextGrowthMs, weightAt } from "./weight.ts";
