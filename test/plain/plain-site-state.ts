/**
 * What the plain site knows: lists of jobs and reservations, from which everything is computed afresh.
 *
 * Part of the oracle for the site machine (QU-1 … QU-17). Nothing here is kept up to date step by step:
 * each question builds a plain profile from the lists.
 */
import { strict as assert } from "node:assert";
import { PlainProfile } from "./plain-profile.ts";

/** A rigid job: integers, 0 < runtime ≤ estimate. `pools` are indices of the pools it may use. */
export interface PlainJob {
  readonly id: number;
  readonly submit: number;
  readonly need: readonly number[];
  readonly pools: readonly number[];
  readonly estimate: number;
  readonly runtime: number;
}

/** The discipline, and the priority function where the site has one (QU-12: higher goes first). */
export interface PlainRules {
  readonly discipline: "fcfs" | "easy" | "conservative" | "repack";
  readonly priority?: ((job: PlainJob, now: number) => number) | undefined;
}

/** A pool and a start: a promise, or a place found. */
export interface PlainPlace {
  readonly pool: number;
  readonly start: number;
}

/** need × [start, end) in one pool. */
export interface PlainRectangle {
  readonly pool: number;
  readonly need: readonly number[];
  readonly start: number;
  readonly end: number;
}

/** A job and what became of it. */
export interface PlainRecord {
  readonly job: PlainJob;
  /** Its place in the trace: the arrival order. */
  readonly arrival: number;
  state: "coming" | "waiting" | "held" | "running" | "suspended" | "gone";
  /** What is left of its estimate and of its runtime: less than the job's own after a suspension (QU-10). */
  estimate: number;
  runtime: number;
  /** Where and when it started, while it runs. */
  running: PlainPlace | undefined;
  /** Its promise, while it waits under a planning discipline (QU-3). */
  planned: PlainPlace | undefined;
}

/** A reservation that has neither ended nor been cancelled. */
export interface PlainReservation extends PlainRectangle {
  readonly id: number;
}

/** One site. */
export interface PlainSite {
  readonly pools: readonly (readonly number[])[];
  readonly rules: PlainRules;
  /** In arrival order. */
  readonly records: readonly PlainRecord[];
  readonly reservations: PlainReservation[];
}

/** Whether every waiting job holds a promise. */
export function isPlanning(site: PlainSite): boolean {
  return site.rules.discipline === "conservative" || site.rules.discipline === "repack";
}

/** QU-12 Queue order at an instant: priority from high to low, then arrival. */
export function inQueueOrder(site: PlainSite, now: number): (a: PlainRecord, b: PlainRecord) => number {
  const priority = (record: PlainRecord) => site.rules.priority?.(record.job, now) ?? 0;
  return (a, b) => priority(b) - priority(a) || a.arrival - b.arrival;
}

/** The waiting jobs in queue order. */
export function queue(site: PlainSite, now: number): PlainRecord[] {
  return site.records.filter((record) => record.state === "waiting").sort(inQueueOrder(site, now));
}

/** The rectangle of a job at a place. */
export function rectangleAt(record: PlainRecord, place: PlainPlace): PlainRectangle {
  const { pool, start } = place;
  return { pool, need: record.job.need, start, end: start + record.estimate };
}

/** Running jobs to their estimated ends, and reservations. */
export function fixedRectangles(site: PlainSite): PlainRectangle[] {
  const running = site.records.flatMap((record) =>
    record.running === undefined ? [] : [rectangleAt(record, record.running)],
  );
  return [...running, ...site.reservations];
}

/** The promises of all waiting jobs but one. */
export function plannedRectangles(site: PlainSite, except?: PlainRecord): PlainRectangle[] {
  return site.records.flatMap((record) =>
    record.planned === undefined || record === except ? [] : [rectangleAt(record, record.planned)],
  );
}

/** What is free in a pool from now on beside the rectangles; they must not oversubscribe it (QU-13). */
export function freeBeside(
  site: PlainSite,
  pool: number,
  rectangles: readonly PlainRectangle[],
  now: number,
): PlainProfile {
  const here = rectangles.filter((rectangle) => rectangle.pool === pool && rectangle.end > now);
  const lastEnd = Math.max(now, ...here.map((rectangle) => rectangle.end));
  const profile = PlainProfile.create(site.pools[pool], now, lastEnd - now);
  for (const { need, start, end } of here) {
    const from = Math.max(start, now);
    const shortage = profile.reserve(need, end - from, from);
    assert(shortage === undefined, `QU-13: pool ${pool} oversubscribed at ${shortage?.at}`);
  }
  return profile;
}

/** The pools a job names, in the site's order. */
export function poolsInSiteOrder(record: PlainRecord): number[] {
  return [...record.job.pools].sort((a, b) => a - b);
}

/** QU-6 The earliest place over the job's pools; of equals, the first in the site's order. */
export function earliestPlace(
  site: PlainSite,
  record: PlainRecord,
  rectangles: readonly PlainRectangle[],
  now: number,
): PlainPlace {
  let best: PlainPlace = { pool: -1, start: Infinity };
  for (const pool of poolsInSiteOrder(record)) {
    const profile = freeBeside(site, pool, rectangles, now);
    const start = profile.earliest(record.job.need, record.estimate, now);
    if (start < best.start) best = { pool, start };
  }
  assert(best.start !== Infinity, `job ${record.job.id} must fit some day`);
  return best;
}
