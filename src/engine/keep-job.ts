/**
 * Jobs as the state has them.
 */
import { assert } from "../base/index.ts";
import { isFinal, type JobRecord } from "../model/index.ts";
import { noteDeclared } from "./features/reservations/declared-costs.ts";
import { noteMember } from "./state/arrays.ts";
import { noteWaiting } from "./state/dependents.ts";
import { type Projection, type RecordChange, siteOf } from "./state/projection.ts";

/** The job that an event names. */
export function jobOf({ jobs }: Pick<Projection, "jobs">, id: string): JobRecord {
  const job = jobs.get(id);
  assert(job !== undefined, `an event is about a job that is not over: ${id}`);
  return job;
}

/** Stores a changed record in memory; removes it if the job has ended. */
export function keepJob(projection: Projection, record: JobRecord): RecordChange {
  noteMember(projection.arrays, projection.jobs.get(record.id), record);
  const isVirtual = record.description.virtual !== undefined && !isFinal(record.state);
  const { expiryTimeMs } = record.description;
  const isExpiring = record.state === "WAITING" && record.site === null && expiryTimeMs !== undefined;
  if (isExpiring) projection.expiring.set(record.id, expiryTimeMs);
  else projection.expiring.delete(record.id);
  const leaveAtMs = leaveTime(record);
  if (leaveAtMs !== undefined) projection.leaving.set(record.id, leaveAtMs);
  else projection.leaving.delete(record.id);
  if (isVirtual) projection.virtual.add(record.id);
  else projection.virtual.delete(record.id);
  if (!isFinal(record.state)) {
    projection.jobs.set(record.id, record);
    noteDeclared(projection.declared, record);
    noteWaiting(projection.dependents, record);
  } else {
    projection.jobs.delete(record.id);
    projection.dependents.doomed.delete(record.id);
    projection.declared.delete(record.id);
    if (record.site !== null) siteOf(projection, record.site).own.delete(record.id);
  }
  return { kind: "job", record };
}

/** When a job in the queue of a site leaves it; undefined for one that stays, or leaves already. */
function leaveTime(job: JobRecord): number | undefined {
  const { state, leaveAtMs, isLeaving, isCancelRequested, startDecidedAtMs, startedAtMs } = job;
  const isWaiting = (state === "READY" || state === "SCHEDULED") && startDecidedAtMs === null;
  const isOnItsWay = isLeaving === true || isCancelRequested;
  return isWaiting && startedAtMs === null && !isOnItsWay ? leaveAtMs : undefined;
}
