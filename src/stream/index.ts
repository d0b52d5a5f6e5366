export {
  admit,
  type FreeResources,
  freeResources,
  type HeldResources,
  heldBy,
  hold,
  neverMet,
  type ProcsByClass,
  type StreamNeed,
  type StreamPool,
  type StreamShortage,
} from "./admission.ts";
export { allocateBandwidth, hasExactRates, repairedRates } from "./allocate-bandwidth.ts";
export { allocateStorage, floorOf, type StoredStream } from "./allocate-storage.ts";
export {
  haltMarkBytes,
  procsOf,
  type StreamSource,
  type StreamSpec,
  type StreamStage,
  storageNeedBytes,
} from "./description.ts";
export {
  drawStorage,
  type StorageDraw,
} from "./draw-storage.ts";
export { type ExplainedHolder, explainWaiting } from "./explain.ts";
export { forecast } from "./forecast.ts";

export { haltCycle, isHaltedAt } from "./halting.ts";
export { inboundFor, type LinkCapacity, linkCapacityAfter } from "./link-capacity.ts";
export { giveRoom, makeRoom, moveStorage, type Partition } from "./move-storage.ts";
export { STREAM_DEFAULTS, STREAM_RULES } from "./rules.ts";
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
  type StreamReservation,
  selectStreams,
  testOrder,
  type WaitingStream,
} from "./select.ts";
export type { Session } from "./session.ts";
export { type ShiftedStream, shiftStorage } from "./shift-storage.ts";
export {
  isTrialOver,
  type MeasuredRate,
  rankClasses,
  type TrialQuestion,
  trialsDue,
} from "./trials.ts";
export { describedUtility, type Utility, utilityOf } from "./utility.ts";
export { weightAt } from "./weight.ts";
