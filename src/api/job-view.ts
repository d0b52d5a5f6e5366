/**
 * A job as the API writes it: the broker's record in the words and units that people use.
 */
import type { AbortReason, JobRecord } from "../model/index.ts";
import type { JobView } from "./client/types.ts";

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
    reservation: description.reservation ?? null,
    siteJob: record.siteJob,
    attempt: record.attempt,
    consumer: record.consumer,
    owner: record.owner,
    executable: description.executable,
    arguments: description.arguments,
    cpuNumber: description.cpuNumber,
    memoryBytes: description.memoryBytes ?? null,
    wallTimeSec: seconds(description.wallTimeMs ?? null),
    userTags: description.userTags,
    stdOutput: description.stdOutput,
    stdError: description.stdError,
    outputSandbox: description.outputSandbox,
    submittedAt: isoInstant(record.submittedAtMs),
    startedAt: record.startedAtMs === null ? null : isoInstant(record.startedAtMs),
    endedAt: record.endedAtMs === null ? null : isoInstant(record.endedAtMs),
    cpuSec: seconds(record.cpuMs),
    reason: record.abortReason === null ? null : reasonText(record.abortReason),
  };
}

/** Unix ms as ISO 8601 in UTC. */
export function isoInstant(atMs: number): string {
  return new Date(atMs).toISOString();
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1000;
}

function reasonText({ kind, detail }: AbortReason): string {
  return kind === "launchFailed" ? `it could not be started: ${detail}` : `its site lost it: ${detail}`;
}
