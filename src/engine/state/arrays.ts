/** Arrays that are not over: what their jobs are, and which of these may be given a site. */
import {
  type ArrayCounts,
  type ArrayRecord,
  countedAs,
  indexesOf,
  isFinal,
  type JobRecord,
  memberId,
  RUN_STATES,
  readArray,
} from "../../model/index.ts";
import { scoutIndexes, withScout } from "./scouts.ts";

/** An array that is not over. */
export interface ArrayState {
  /** The record with which it was accepted; its present counts are in `counts`. */
  accepted: ArrayRecord;
  readonly counts: Record<keyof ArrayCounts, number>;
  /** Jobs that have run to their end, and the sum of their run times. */
  readonly ran: { jobs: number; ms: number };
  /** Largest number of its jobs at sites at once. */
  readonly atMost: number;
  /** Jobs that the limit lets through: at a site, or to be given one. */
  readonly going: Set<string>;
  /** Jobs that wait for others of the array only, in their order. */
  readonly waiting: Set<string>;
  /** Jobs for which the others of the array wait; undefined if they do not. */
  scouts: ReadonlySet<string> | undefined;
}

/** Arrays by id. */
export type Arrays = Map<string, ArrayState>;

/** Counts without any job. */
export function noCounts(): Record<keyof ArrayCounts, number> {
  return Object.assign({ failed: 0 }, ...RUN_STATES.map((state) => ({ [state]: 0 })));
}

/** Takes over an array whose jobs are noted afterwards. @param over counts of those that have ended */
export function beginArray(arrays: Arrays, record: ArrayRecord, over: Partial<ArrayCounts> = {}): ArrayState {
  const read = readArray(record.description.array ?? "");
  const atMost = (read.ok ? read.value.atMost : null) ?? Number.POSITIVE_INFINITY;
  const counts = { ...noCounts(), ...over };
  const ran = { jobs: 0, ms: 0, ...record.ran };
  const none = { going: new Set<string>(), waiting: new Set<string>() };
  const state: ArrayState = { accepted: record, counts, ran, atMost, ...none, scouts: scoutsOf(record) };
  arrays.set(record.id, state);
  return state;
}

/** The scouts for which the other jobs of an array wait; undefined if they do not. */
function scoutsOf({ id, description, scouts }: ArrayRecord): ReadonlySet<string> | undefined {
  if (scouts === undefined || scouts.outcome === "kept" || scouts.outcome === "used") return undefined;
  return new Set(scoutIndexes(indexesOf(description.array ?? "")).map((index) => memberId(id, index)));
}

/** The other jobs of an array no longer wait for its scouts; `nextToGo` gives them. */
export function openScouts(array: ArrayState): void {
  array.scouts = undefined;
}

/** Takes over the arrays that are not over, before their jobs that are not over. */
export function restoreArrays(arrays: Arrays, records: readonly ArrayRecord[]): void {
  for (const record of records) {
    const { DONE, ABORTED, CANCELLED, failed } = record.counts;
    beginArray(arrays, record, { DONE, ABORTED, CANCELLED, failed });
  }
}

/** Takes over a changed job of an array. @param before its record so far; undefined for a new one */
export function noteMember(arrays: Arrays, before: JobRecord | undefined, job: JobRecord): void {
  const array = arrays.get(job.array?.id ?? "");
  if (array === undefined) return;
  if (before !== undefined) for (const name of countedAs(before)) array.counts[name]--;
  for (const name of countedAs(job)) array.counts[name]++;
  if (job.state === "DONE" && job.startedAtMs !== null && job.endedAtMs !== null) {
    array.ran.jobs++;
    array.ran.ms += Math.max(0, job.endedAtMs - job.startedAtMs);
  }
  const summary = array.accepted.scouts;
  if (isFinal(job.state) && summary?.outcome === null && array.scouts?.has(job.id) === true) {
    array.accepted = { ...array.accepted, scouts: withScout(summary, job) };
  }
  const isAtSite = job.site !== null && !isFinal(job.state);
  if (isAtSite) array.going.add(job.id);
  else if (job.state !== "WAITING") array.going.delete(job.id);
  if (isAtSite || job.state !== "WAITING") array.waiting.delete(job.id);
}

/** True if the array of a job lets it be given a site now; else the job waits until another has gone. */
export function letsGo(arrays: Arrays, job: JobRecord): boolean {
  const array = arrays.get(job.array?.id ?? "");
  if (array === undefined || array.going.has(job.id)) return true;
  const isBehindScouts = array.scouts !== undefined && !array.scouts.has(job.id);
  if (isBehindScouts || array.going.size >= array.atMost) {
    array.waiting.add(job.id);
    return false;
  }
  array.going.add(job.id);
  return true;
}

/** Jobs that an array lets go now, since others have gone. */
export function nextToGo({ going, waiting, atMost, scouts }: ArrayState): readonly string[] {
  const next: string[] = [];
  for (const id of scouts ?? waiting) {
    if (going.size >= atMost) break;
    if (!waiting.delete(id)) continue;
    going.add(id);
    next.push(id);
  }
  return next;
}

/** Number of jobs of an array that have not ended; a search that goes on is one more. */
export function leftOf({ accepted, counts }: ArrayState): number {
  const search = accepted.search?.end === null ? 1 : 0;
  return accepted.size - counts.DONE - counts.ABORTED - counts.CANCELLED + search;
}

/** An array as it is now. */
export function arrayRecord(state: ArrayState, nowMs: number): ArrayRecord {
  const endedAtMs = leftOf(state) === 0 ? nowMs : null;
  const ran = state.ran.jobs === 0 ? {} : { ran: { ...state.ran } };
  return { ...state.accepted, counts: { ...state.counts }, endedAtMs, ...ran };
}
