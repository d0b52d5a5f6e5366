export { adopt, type FoundJob, fitsBeside } from "./adopt.ts";
export { advance, wakeAt } from "./advance.ts";
export { checkpoint, type MachineCheckpoint, machineFrom, rollback } from "./checkpoint.ts";
export { siteAhead, startAhead } from "./drive/ahead.ts";
export { createArrivals, feedOf } from "./drive/arrivals.ts";
export {
  type Actor,
  createDrive,
  type Drive,
  drive,
  driveOf,
  driveUntil,
  driveWithProgram,
  playInstant,
} from "./drive/drive.ts";
export type {
  OperationRefusal,
  ReplayOperation,
} from "./drive/operations.ts";
export { createOrderedSite, type OrderedSite } from "./drive/ordered-site.ts";
export { createReplay, type Replay } from "./drive/replay.ts";
export type { FinishedJob, ReplayJob } from "./drive/replay-job.ts";
export {
  arriveAt,
  cancelAt,
  type DrivenSite,
  handlesById,
  isRunning,
  noteStopped,
  observe,
  observeEnds,
  restartAt,
  suspendAt,
} from "./drive/site.ts";
export {
  batchOf,
  createWorkloadDrive,
  inColumns,
  type JobBatch,
  type WorkloadDrive,
} from "./drive/workload-drive.ts";
export { openStarts, type StartRefusal, start } from "./external.ts";
export { foreseenStarts } from "./impact/foreseen-starts.ts";
export { distinctOf } from "./impact/instants.ts";
export type { ReservationShape, TriedReservations } from "./impact/outcome.ts";
export { tryReservations } from "./impact/try-reservations.ts";
export {
  prepareImpact,
  startsBeside,
  type TriedMachine,
  type WaitingStarts,
} from "./impact/waiting-starts.ts";
export { endMsOf, jobState } from "./job-table.ts";
export {
  createMachine,
  type FixedRectangle,
  type Machine,
  type SiteRules,
} from "./machine.ts";
export {
  copyQueue,
  createNamedQueue,
  keepFree,
  keepWhatIsLeft,
  lentQueue,
  type NamedQueue,
  nextInstant,
  note,
  type QueuedNeed,
  settle,
  startsWhenSettled,
} from "./named-queue.ts";
export { withoutIdleColumns } from "./narrow.ts";
export { type NodeDiscipline, startOnNodes } from "./nodes/choose.ts";
export { startBesideReserved } from "./nodes/choose-beside.ts";
export { createNodeCourse, takeOffCourse } from "./nodes/course.ts";
export { emptyNodes, firstFit, type TaskShape } from "./nodes/fit.ts";
export {
  createNodePlan,
  endPlanned,
  leavePlanned,
  nextPlannedOnNodes,
  type PlannedNodeDiscipline,
  promisedStart,
  startPlanned,
  takePlannedNodeDown,
} from "./nodes/plan.ts";
export {
  loseNode,
  type NodeRequest,
  nextReservedEnd,
  type ReservationHit,
  reserveOnNodes,
} from "./nodes/reserved.ts";
export {
  bringUp,
  createNodeSite,
  isDown,
  jobsOn,
  type NodeJob,
  type NodeSite,
  takeNodeDown,
  takeOff,
} from "./nodes/site.ts";
export { startsOneMore } from "./one-more.ts";
export {
  arrive,
  cancel,
  end,
  hold,
  release,
  resume,
  stateName,
  suspend,
} from "./operations.ts";
export { restart, takeDown } from "./outage.ts";
export { type Outlook, outlookOf, startIn, startInQueue } from "./outlook.ts";
export { type ComingJobs, createComingJobs, type EndedJobs } from "./plain-columns.ts";
export {
  createPlainReplay,
  type PlainDiscipline,
  type PlainOutcome,
} from "./plain-replay.ts";
export { createScheme } from "./priority/create-scheme.ts";
export { followScheme } from "./priority/follow.ts";
export type { Owner } from "./priority/scheme.ts";
export { createThrottle } from "./priority/throttle.ts";
export { jobsInSystem, projectedProfiles } from "./projected-profile.ts";
export { cancelReservation, type ReservationRefusal, reserve } from "./reservations.ts";
export { inQueueOrder } from "./waiting.ts";
export { leftByPlan, type PlanTask, planTask, startsByHandle, startsOfPlan } from "./whole-plan.ts";
