/**
 * The plain site: a workload replayed unit by unit by the rules QU-1 … QU-17.
 *
 * An oracle for the site machine and its replay: at each instant everything is computed afresh from lists of
 * jobs and reservations. Written from the specification alone. Meant for dozens of jobs and small integers.
 */
import { strict as assert } from "node:assert";
import { compress, displace, enter, startDue, startPass } from "./plain-disciplines.ts";
import {
  fixedRectangles,
  freeBeside,
  inQueueOrder,
  isPlanning,
  type PlainJob,
  type PlainRecord,
  type PlainRules,
  type PlainSite,
  plannedRectangles,
} from "./plain-site-state.ts";

export type { PlainJob, PlainRules } from "./plain-site-state.ts";

/** Something done to the site at an instant (QU-7, QU-9, QU-10). */
export type PlainOperation = { readonly at: number } & (
  | { readonly kind: "cancel" | "hold" | "release" | "suspend" | "resume"; readonly job: number }
  | {
      readonly kind: "reserve";
      readonly reservation: number;
      readonly pool: number;
      readonly start: number;
      readonly duration: number;
      readonly need: readonly number[];
    }
  | { readonly kind: "cancelReservation"; readonly reservation: number }
);

/** What happened, in time order; within an instant sorted by job id. */
export interface PlainResult {
  /** A resumed job starts once more. */
  readonly starts: { job: number; pool: number; at: number; backfilled: boolean }[];
  /** Jobs that ran to their end; cancelled ones are not among them. */
  readonly ends: { job: number; at: number }[];
  /** QU-14, in arrival order. */
  readonly tooWide: number[];
  /** Indices into the operations. */
  readonly refusals: number[];
  /** Conservative and repack: every waiting job's promise after each instant at which anything was due. */
  readonly promises: { at: number; job: number; pool: number; start: number }[];
}

/** What came of one operation. */
type Outcome = "refused" | "done" | "freedEarly";

/** The rules of a replay, and the last instant it looks at. */
export interface PlainReplayRules extends PlainRules {
  readonly endOfTime: number;
}

/** Replays jobs (in trace order) and operations (sorted by instant) on 0, 1, 2, … endOfTime, inclusive. */
export function plainReplay(
  pools: readonly (readonly number[])[],
  jobs: readonly PlainJob[],
  operations: readonly PlainOperation[],
  { endOfTime, ...rules }: PlainReplayRules,
): PlainResult {
  const records = jobs.map(recordOf);
  const site: PlainSite = { pools, rules, records, reservations: [] };
  const result: PlainResult = { starts: [], ends: [], tooWide: [], refusals: [], promises: [] };
  const lastOperationAt = Math.max(-1, ...operations.map((operation) => operation.at));
  for (let now = 0; now <= endOfTime; now++) {
    if (!isAnythingLeft(site) && lastOperationAt < now) break;
    if (isAnythingDue(site, operations, now)) liveThrough(site, operations, now, result);
  }
  return result;
}

function recordOf(job: PlainJob, arrival: number): PlainRecord {
  assert(0 < job.runtime && job.runtime <= job.estimate, "0 < runtime <= estimate");
  const { estimate, runtime } = job;
  return { job, arrival, state: "coming", estimate, runtime, running: undefined, planned: undefined };
}

/** Jobs to come, running ones, promises and reservations; held and suspended jobs may remain for ever. */
function isAnythingLeft(site: PlainSite): boolean {
  const jobs = site.records.some((record) => ["coming", "running", "waiting"].includes(record.state));
  return jobs || site.reservations.length > 0;
}

/** An end of a job or a reservation, an operation, a planned start, an arrival. */
function isAnythingDue(site: PlainSite, operations: readonly PlainOperation[], now: number): boolean {
  return (
    site.records.some((record) => endOf(record) === now) ||
    site.reservations.some((reservation) => reservation.end === now) ||
    operations.some((operation) => operation.at === now) ||
    site.records.some((record) => record.planned?.start === now) ||
    site.records.some((record) => record.state === "coming" && record.job.submit === now)
  );
}

/** QU-8 One instant, in its order. */
function liveThrough(
  site: PlainSite,
  operations: readonly PlainOperation[],
  now: number,
  result: PlainResult,
): void {
  let freedEarly = endJobs(site, now, result);
  removeReservations(site, (reservation) => reservation.end === now);
  for (const [index, operation] of operations.entries()) {
    if (operation.at !== now) continue;
    const outcome = carryOut(site, operation, now);
    if (outcome === "refused") result.refusals.push(index);
    if (outcome === "freedEarly") freedEarly = true;
  }
  if (freedEarly) compress(site, now);
  startDue(site, now);
  for (const record of site.records) {
    if (record.state === "coming" && record.job.submit === now) arrive(site, record, now, result);
  }
  startPass(site, now);
  noteStarts(site, now, result);
  if (isPlanning(site)) notePromises(site, now, result);
  for (const pool of site.pools.keys()) {
    freeBeside(site, pool, [...fixedRectangles(site), ...plannedRectangles(site)], now);
  }
}

/** QU-17 The instant at which a running job ends. */
function endOf(record: PlainRecord): number {
  return record.running === undefined ? Infinity : record.running.start + record.runtime;
}

/** Ends the jobs whose end is now; true if one of them ended before its estimate (QU-4). */
function endJobs(site: PlainSite, now: number, result: PlainResult): boolean {
  const ended = site.records.filter((record) => endOf(record) === now);
  for (const record of ended) leave(record, "gone");
  const ids = ended.map((record) => record.job.id).sort((a, b) => a - b);
  for (const id of ids) result.ends.push({ job: id, at: now });
  return ended.some((record) => record.runtime < record.estimate);
}

/** QU-14, then into the queue. */
function arrive(site: PlainSite, record: PlainRecord, now: number, result: PlainResult): void {
  const fitsAnEmptyPool = record.job.pools.some((pool) =>
    freeBeside(site, pool, [], now).fits(record.job.need, record.estimate, now),
  );
  if (fitsAnEmptyPool) {
    enter(site, record, now);
  } else {
    leave(record, "gone");
    result.tooWide.push(record.job.id);
  }
}

function carryOut(site: PlainSite, operation: PlainOperation, now: number): Outcome {
  if (operation.kind === "reserve") return reserve(site, operation, now);
  if (operation.kind === "cancelReservation") {
    const cancelled = removeReservations(site, ({ id }) => id === operation.reservation);
    return cancelled ? "freedEarly" : "refused";
  }
  const record = site.records.find(({ job }) => job.id === operation.job);
  if (record === undefined) return "refused";
  switch (operation.kind) {
    case "cancel":
      return cancel(record);
    case "hold":
      return hold(record);
    case "release":
      return record.state === "held" ? reenter(site, record, now) : "refused";
    case "suspend":
      return suspend(record, now);
    case "resume":
      return record.state === "suspended" ? reenter(site, record, now) : "refused";
  }
}

/** QU-9; only what ran or held a promise comes free (QU-4). */
function cancel(record: PlainRecord): Outcome {
  const { state } = record;
  if (state === "coming" || state === "gone") return "refused";
  leave(record, "gone");
  return state === "waiting" || state === "running" ? "freedEarly" : "done";
}

/** QU-9 */
function hold(record: PlainRecord): Outcome {
  if (record.state !== "waiting") return "refused";
  leave(record, "held");
  return "freedEarly";
}

/** QU-10 */
function suspend(record: PlainRecord, now: number): Outcome {
  if (record.running === undefined) return "refused";
  const ran = now - record.running.start;
  record.estimate -= ran;
  record.runtime -= ran;
  leave(record, "suspended");
  return "freedEarly";
}

function reenter(site: PlainSite, record: PlainRecord, now: number): Outcome {
  enter(site, record, now);
  return "done";
}

function leave(record: PlainRecord, state: "held" | "suspended" | "gone"): void {
  record.state = state;
  record.running = undefined;
  record.planned = undefined;
}

/** QU-7 Refused only where it starts in the past or conflicts with running jobs or other reservations. */
function reserve(
  site: PlainSite,
  operation: Extract<PlainOperation, { kind: "reserve" }>,
  now: number,
): Outcome {
  const { reservation: id, pool, start, duration, need } = operation;
  assert(duration > 0 && Number.isFinite(duration), "a reservation is a finite rectangle");
  if (start < now || pool < 0 || pool >= site.pools.length) return "refused";
  if (!freeBeside(site, pool, fixedRectangles(site), now).fits(need, duration, start)) return "refused";
  site.reservations.push({ id, pool, need, start, end: start + duration });
  displace(site, now);
  return "done";
}

/** Takes reservations out of the list; false if there was none. */
function removeReservations(
  site: PlainSite,
  which: (reservation: { id: number; end: number }) => boolean,
): boolean {
  const kept = site.reservations.filter((reservation) => !which(reservation));
  const removed = kept.length < site.reservations.length;
  site.reservations.splice(0, site.reservations.length, ...kept);
  return removed;
}

/** Backfilled: a job before it in queue order still waits when the instant is over. */
function noteStarts(site: PlainSite, now: number, result: PlainResult): void {
  const before = inQueueOrder(site, now);
  const waiting = site.records.filter((record) => record.state === "waiting");
  const starts = site.records.flatMap((record) => {
    if (record.running?.start !== now) return [];
    const backfilled = waiting.some((other) => before(other, record) < 0);
    return [{ job: record.job.id, pool: record.running.pool, at: now, backfilled }];
  });
  result.starts.push(...starts.sort((a, b) => a.job - b.job));
}

function notePromises(site: PlainSite, now: number, result: PlainResult): void {
  const promises = site.records.flatMap((record) =>
    record.planned === undefined ? [] : [{ at: now, job: record.job.id, ...record.planned }],
  );
  result.promises.push(...promises.sort((a, b) => a.job - b.job));
}
