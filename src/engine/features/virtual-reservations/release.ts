/**
 * The job of a virtual reservation leaves its place for the priced one that stands beside it, or began too
 * late (rules EN-61, EN-63).
 */
import type { JobRecord } from "../../../model/index.ts";
import type { ReservedState } from "../../state/reserved.ts";
import { hasStartedLate, pricedBeside } from "./decide-virtual.ts";

/** True if a job is requeued when it ends without having started its program and was not cancelled. */
export function comesBack(state: Pick<ReservedState, "reserved">, job: JobRecord): boolean {
  const { virtual } = job.description;
  if (virtual === undefined || job.isCancelRequested) return false;
  return job.isRecalled === true || (hasStartedLate(job) && pricedBeside(state, virtual) !== undefined);
}

/**
 * Job record after it has given up its place: it waits for the priced reservation, as long as that holds,
 * with the time limit that it needs there.
 */
export function turnedToPriced(state: Pick<ReservedState, "reserved">, job: JobRecord): JobRecord {
  const { virtual, ...description } = job.description;
  if (virtual === undefined) return job;
  const priced = pricedBeside(state, virtual);
  const place = priced === undefined ? {} : { reservation: priced.id, site: priced.site };
  return { ...job, description: { ...description, ...place, wallTimeMs: virtual.durationMs } };
}

/** Record changes of a job that started too late: its program was not started. */
export function lateOutcome(job: JobRecord): Partial<JobRecord> {
  if (!hasStartedLate(job)) return {};
  const nothing = { result: null, exitCode: null, signal: null, isTimeLimit: false };
  return { ...nothing, state: "CANCELLED", cancelCause: "startMissed" };
}
