/** A job as the API writes it: the broker's record in the words and units of people. */
import type { JobView } from "../contract/index.ts";
import {
  type AbortReason,
  dependenciesText,
  isFinal,
  type JobDescription,
  type JobRecord,
  jobRunTime,
  runStateOf,
} from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";
import { virtualReservationJobView } from "./virtual-reservation-view.ts";

/** The record as JSON for people; see `JobView`. */
export function jobView(record: JobRecord): JobView {
  const { description } = record;
  return {
    id: record.id,
    state: record.state,
    result: record.result,
    exitCode: record.exitCode,
    signal: record.signal,
    timeLimit: record.isTimeLimit,
    site: record.site,
    ...(record.site === null || record.queue === undefined ? {} : { queue: record.queue }),
    reservation: description.reservation ?? null,
    ...(record.ticket === undefined ? {} : { ticket: record.ticket.name }),
    virtual: virtualReservationJobView(record),
    siteJob: record.siteJob,
    ...(record.pilot === undefined ? {} : { pilot: record.pilot }),
    attempt: record.attempt,
    ...(record.array === undefined ? {} : { array: record.array }),
    ...(record.part === undefined ? {} : { node: { dag: record.part.id, name: record.part.name } }),
    name: description.name ?? null,
    consumer: record.consumer,
    owner: record.owner,
    executable: description.executable,
    arguments: description.arguments,
    procs: description.procs,
    memoryBytes: description.memoryBytes ?? null,
    gpus: description.gpus ?? null,
    gpuDevices: record.gpuDevices ?? null,
    wallTimeSec: seconds(description.wallTimeMs ?? null),
    delayCostSuPerHour: description.delayCostSuPerHour ?? null,
    after: description.after ?? [],
    waitsFor: record.waitsFor ?? [],
    ...matchingView(description),
    ...largerView(record),
    ...replicasView(record),
    ...pendingView(record),
    userTags: description.userTags,
    ...(description.interactive === true ? { interactive: true } : {}),
    stdInput: description.stdInput ?? null,
    workingDirectory: description.workingDirectory ?? null,
    stdOutput: description.stdOutput,
    stdError: description.stdError,
    outputSandbox: description.outputSandbox,
    submittedAt: isoInstant(record.submittedAtMs),
    startedAt: record.startedAtMs === null ? null : isoInstant(record.startedAtMs),
    endedAt: record.endedAtMs === null ? null : isoInstant(record.endedAtMs),
    ...runTimeOf(record),
    cpuSec: seconds(record.cpuMs),
    ...record.runFacts,
    ...stagesView(description),
    ...(description.mail === undefined ? {} : { mail: description.mail }),
    ...(description.mailTo === undefined ? {} : { mailTo: description.mailTo }),
    reason: endReason(record),
    ...retiredView(record),
  };
}

function pendingView({ pendingChange }: JobRecord): Pick<JobView, "pendingChange"> {
  if (pendingChange === undefined) return {};
  const { procs, memoryBytes, wallTimeMs, site } = pendingChange;
  return {
    pendingChange: {
      ...(procs === undefined ? {} : { procs }),
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }),
      ...(site === undefined ? {} : { site }),
    },
  };
}

/** Fields about clearing and purging of a job; none if neither has happened. */
function retiredView({ retired }: JobRecord): Partial<JobView> {
  if (retired === undefined) return {};
  const { from, clearedAtMs, purgedAtMs } = retired;
  return {
    endState: from,
    ...(clearedAtMs === undefined ? {} : { filesRemovedAt: isoInstant(clearedAtMs) }),
    ...(purgedAtMs === undefined ? {} : { purgedAt: isoInstant(purgedAtMs) }),
  };
}

/** Attributes of the description that concern the choice of a site; absent ones are not set. */
function matchingView(description: JobDescription): Partial<JobView> {
  const { retryMemoryBytes, retryTimeMs, retryFactor } = description;
  const { requirements, rank, fuzzyRank, strictDefaults, defaultRank } = description;
  const { expiryTimeMs, queueTimeMs, retryCount, shallowRetryCount, bid, replicas, attributes } = description;
  const { applications } = description;
  const { inputData, dataAccessProtocol, outputSE, outputData } = description;
  const { hostNumber, smpGranularity, wholeNodes, preferredQueues } = description;
  return {
    ...(requirements === undefined ? {} : { requirements }),
    ...(applications === undefined ? {} : { applications }),
    ...(inputData === undefined ? {} : { inputData }),
    ...(dataAccessProtocol === undefined ? {} : { dataAccessProtocol }),
    ...(outputSE === undefined ? {} : { outputSE }),
    ...(outputData === undefined ? {} : { outputData }),
    ...(hostNumber === undefined ? {} : { hostNumber }),
    ...(preferredQueues === undefined ? {} : { preferredQueues }),
    ...(smpGranularity === undefined ? {} : { smpGranularity }),
    ...(wholeNodes === undefined ? {} : { wholeNodes }),
    ...(rank === undefined ? {} : { rank }),
    ...(fuzzyRank === undefined ? {} : { fuzzyRank }),
    ...(strictDefaults === undefined ? {} : { strictDefaults }),
    ...(defaultRank === undefined ? {} : { defaultRank }),
    ...(expiryTimeMs === undefined ? {} : { expiryTime: isoInstant(expiryTimeMs) }),
    ...(queueTimeMs === undefined ? {} : { queueTimeSec: queueTimeMs / 1000 }),
    ...(retryCount === undefined ? {} : { retryCount }),
    ...(shallowRetryCount === undefined ? {} : { shallowRetryCount }),
    ...(bid === undefined ? {} : { bid }),
    ...(replicas === undefined ? {} : { replicas }),
    ...(attributes === undefined ? {} : { attributes }),
    ...(retryMemoryBytes === undefined ? {} : { retryMemoryBytes }),
    ...(retryTimeMs === undefined ? {} : { retryTimeSec: retryTimeMs / 1000 }),
    ...(retryFactor === undefined ? {} : { retryFactor }),
    ...checkpointView(description),
  };
}

function checkpointView(description: JobDescription): Partial<JobView> {
  const { checkpointable, checkpointExitCode, checkpointsKept, fromCheckpoint } = description;
  return {
    ...(checkpointable === undefined ? {} : { checkpointable }),
    ...(checkpointExitCode === undefined ? {} : { checkpointExitCode }),
    ...(checkpointsKept === undefined ? {} : { checkpointsKept }),
    ...(fromCheckpoint === undefined ? {} : { fromCheckpoint }),
  };
}

function largerView({ retried }: JobRecord): Pick<JobView, "larger"> {
  if (retried?.larger === undefined) return {};
  return {
    larger: retried.larger.map(({ of, from, to }) =>
      of === "memory" ? { of, from, to } : { of, from: seconds(from), to: to / 1000 },
    ),
  };
}

/** Replicas of a job; a replica that still waits when the job has ended counts as not begun. */
function replicasView({ replicas, state }: JobRecord): Pick<JobView, "replicaStates"> {
  if (replicas === undefined) return {};
  return {
    replicaStates: replicas.map(({ site, holder, queuedAtMs, endedAtMs, why, ...replica }) => ({
      ...{ site, state: replica.state === "WAITING" && isFinal(state) ? "NOT_BEGUN" : replica.state },
      ...{ holder, queuedAt: isoInstant(queuedAtMs) },
      endedAt: endedAtMs === null ? null : isoInstant(endedAtMs),
      ...(why === undefined ? {} : { why }),
    })),
  };
}

function stagesView({ prologue, epilogue, signalBefore }: JobDescription): Partial<JobView> {
  return {
    ...(prologue === undefined ? {} : { prologue }),
    ...(epilogue === undefined ? {} : { epilogue }),
    ...(signalBefore === undefined ? {} : { signalBefore }),
  };
}

function runTimeOf(record: JobRecord): Pick<JobView, "ranSec" | "runningSince"> {
  const { ranMs, runningSinceMs } = jobRunTime(record);
  return {
    ranSec: ranMs / 1000,
    runningSince: runningSinceMs === null ? null : isoInstant(runningSinceMs),
  };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

/** Reason of the end; null where the job ended by itself or by request. */
export function endReason(job: JobRecord): string | null {
  const { abortReason, cancelCause, description, neverAfter } = job;
  if (abortReason !== null) return abortText(abortReason);
  if (runStateOf(job) !== "CANCELLED" || cancelCause === undefined) return null;
  if (cancelCause === "dependencyFailed") {
    return `it was to start once ${dependenciesText([neverAfter ?? ""])}, which can no longer happen`;
  }
  if (cancelCause === "dagAborted") return "a node of its DAG has ended the whole";
  return cancelCause === "startMissed"
    ? "it was not running when its program was to begin"
    : `its reservation ${description.reservation} ended`;
}

function abortText({ kind, detail }: AbortReason): string {
  if (kind === "expired") return "no site was found for it by its expiry time";
  if (kind === "waitedTooLong")
    return "it had not begun at any site within its queue time, and no retry was left";
  return kind === "launchFailed" ? `it could not be started: ${detail}` : `its site lost it: ${detail}`;
}
