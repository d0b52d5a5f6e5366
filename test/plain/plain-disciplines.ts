/**
 * The plain disciplines: each pass read off its rule (QU-1 … QU-7), on lists.
 *
 * Part of the oracle for the site machine; written from the specification alone.
 */
import { strict as assert } from "node:assert";
import {
  earliestPlace,
  fixedRectangles,
  freeBeside,
  isPlanning,
  type PlainPlace,
  type PlainRecord,
  type PlainRectangle,
  type PlainSite,
  plannedRectangles,
  poolsInSiteOrder,
  queue,
  rectangleAt,
} from "./plain-site-state.ts";

/** A job joins the queue: on arrival, release and resume. Planning disciplines place it (QU-3). */
export function enter(site: PlainSite, record: PlainRecord, now: number): void {
  record.state = "waiting";
  if (!isPlanning(site)) return;
  const inPlace = [...fixedRectangles(site), ...plannedRectangles(site)];
  record.planned = earliestPlace(site, record, inPlace, now);
}

/** Something came free earlier than planned: one pass (QU-4, QU-5). */
export function compress(site: PlainSite, now: number): void {
  if (site.rules.discipline === "conservative") compressInPlace(site, now);
  if (site.rules.discipline === "repack") repack(site, now);
}

/** QU-4 Each waiting job in queue order moves if it can start earlier with all others in place. */
function compressInPlace(site: PlainSite, now: number): void {
  for (const record of queue(site, now)) {
    assert(record.planned !== undefined, "QU-3: every waiting job holds a promise");
    const others = [...fixedRectangles(site), ...plannedRectangles(site, record)];
    const place = earliestPlace(site, record, others, now);
    assert(place.start <= record.planned.start, "QU-4: no promise moves later");
    if (place.start < record.planned.start) record.planned = place;
  }
}

/** QU-5 All promises are forgotten, then every waiting job is placed in queue order. */
function repack(site: PlainSite, now: number): void {
  for (const record of site.records) record.planned = undefined;
  for (const record of queue(site, now)) {
    const inPlace = [...fixedRectangles(site), ...plannedRectangles(site)];
    record.planned = earliestPlace(site, record, inPlace, now);
  }
}

/**
 * QU-7 A reservation just made displaces: fixed is what runs or is reserved; each waiting job in queue order
 * keeps its place if it still fits beside those already put back, else takes its earliest.
 */
export function displace(site: PlainSite, now: number): void {
  if (!isPlanning(site)) return;
  const inPlace = fixedRectangles(site);
  for (const record of queue(site, now)) {
    assert(record.planned !== undefined, "QU-3: every waiting job holds a promise");
    const { pool, start } = record.planned;
    const keeps = freeBeside(site, pool, inPlace, now).fits(record.job.need, record.estimate, start);
    if (!keeps) record.planned = earliestPlace(site, record, inPlace, now);
    inPlace.push(rectangleAt(record, record.planned));
  }
}

/** QU-8 A job whose planned start is now starts now. */
export function startDue(site: PlainSite, now: number): void {
  for (const record of queue(site, now)) {
    if (record.planned === undefined) continue;
    assert(record.planned.start >= now, "QU-8: no planned start is missed");
    if (record.planned.start === now) start(record, record.planned);
  }
}

/** QU-8 The one pass at the end of an instant: what can start now starts. */
export function startPass(site: PlainSite, now: number): void {
  if (site.rules.discipline === "fcfs") fcfsPass(site, now);
  else if (site.rules.discipline === "easy") easyPass(site, now);
  else startDue(site, now);
}

/** QU-1 In queue order; a waiting job blocks every pool it names. */
function fcfsPass(site: PlainSite, now: number): void {
  const blocked = new Set<number>();
  for (const record of queue(site, now)) {
    const pool = poolsInSiteOrder(record).find(
      (candidate) =>
        !blocked.has(candidate) &&
        freeBeside(site, candidate, fixedRectangles(site), now).fits(record.job.need, record.estimate, now),
    );
    if (pool !== undefined) start(record, { pool, start: now });
    else for (const named of record.job.pools) blocked.add(named);
  }
}

/**
 * QU-2 In queue order; a job that fits now starts. The first job that waits of all those that name a pool
 * is that pool's head: later ones must fit beside its rectangle at its earliest start over all its pools.
 */
function easyPass(site: PlainSite, now: number): void {
  const promises: PlainRectangle[] = [];
  const poolsWithHead = new Set<number>();
  for (const record of queue(site, now)) {
    const place = earliestPlace(site, record, [...fixedRectangles(site), ...promises], now);
    if (place.start === now) {
      start(record, place);
      continue;
    }
    const isHead = record.job.pools.some((pool) => !poolsWithHead.has(pool));
    if (isHead) promises.push(rectangleAt(record, place));
    for (const pool of record.job.pools) poolsWithHead.add(pool);
  }
}

function start(record: PlainRecord, place: PlainPlace): void {
  record.state = "running";
  record.running = place;
  record.planned = undefined;
}
