/**
 * The door for what follows from the state at an instant (rules EN-3, EN-5).
 *
 * First placements: a job without a site goes into the queue that would start it earliest. Once those
 * are applied, settlements: the queue of each managed site is looked at on a copy, and what starts is named.
 */
import { assert } from "../base/index.ts";
import { isForeign, type JobRecord, type StintEvent } from "../model/index.ts";
import {
  copyQueue,
  type NamedQueue,
  nextInstant,
  note,
  type Outlook,
  outlookOf,
  settle,
  startIn,
} from "../queue/index.ts";
import { decideEnforcement, enforcementWakeAtMs } from "./enforce/decide-enforcement.ts";
import { shortRefusal } from "./reserve/accounts.ts";
import { decideReservations, reservationsWakeAtMs } from "./reserve/decide-reservations.ts";
import { procMsOf } from "./reserve/live-quote.ts";
import { isOpen, isUsable, needOf, type SiteState } from "./site-state.ts";
import type { Projection } from "./state.ts";
import { decideVirtual, isPlanned, virtualWakeAtMs } from "./virtual/decide-virtual.ts";

/** So many jobs are placed in one decision; the others in the next one, so that nobody waits long for it. */
const PLACED_AT_ONCE = 64;

/** What is to be recorded, and when to ask again though nothing happened. */
export interface Decision {
  readonly events: readonly StintEvent[];
  readonly wakeAtMs: number;
}

/** The next decisions; apply them and ask again until there are none. */
export function decide(projection: Projection, nowMs: number): Decision {
  const placements = placeAll(projection, nowMs);
  const events = placements.length > 0 ? placements : afterPlacing(projection, nowMs);
  const turnsAtMs = Math.min(reservationsWakeAtMs(projection), virtualWakeAtMs(projection, nowMs));
  const enforcedAtMs = events.length > 0 ? nowMs : enforcementWakeAtMs(projection, nowMs);
  return { events, wakeAtMs: Math.min(wakeAtMs(projection), turnsAtMs, enforcedAtMs) };
}

/** What time has brought about is recorded before anybody starts who is concerned by it. */
function afterPlacing(projection: Projection, nowMs: number): StintEvent[] {
  const virtual = decideVirtual(projection, nowMs);
  const turns = virtual.length > 0 ? virtual : decideReservations(projection, nowMs);
  if (turns.length > 0) return turns;
  const enforced = decideEnforcement(projection, nowMs);
  return enforced.length > 0 ? enforced : settleAll(projection, nowMs);
}

function placeAll(projection: Projection, nowMs: number): StintEvent[] {
  const trials = new Map<string, NamedQueue>();
  const open = [...projection.sites.values()].filter(isOpen);
  const parked: string[] = [];
  const placements: StintEvent[] = [];
  for (const id of projection.unplaced) {
    if (placements.length === PLACED_AT_ONCE) break;
    const job = projection.jobs.get(id);
    assert(job !== undefined, "a job that waits for a site is not over");
    if (isPlanned(job, nowMs)) continue;
    const eligible = covered(
      open.filter((site) => isUsable(site, job.description)),
      job,
    );
    const reserved = reservedPlace(projection, job);
    if (reserved !== undefined) {
      placements.push({
        kind: "jobPlaced",
        job: id,
        attempt: job.attempt + 1,
        site: reserved,
        atMs: nowMs,
      });
    } else if (eligible.length === 0) parked.push(id);
    else {
      const site = earliestSite(eligible, job, trials, nowMs);
      if (open.length > 1) note(trialOf(site, trials), arrival(site, job));
      placements.push({ kind: "jobPlaced", job: id, attempt: job.attempt + 1, site: site.name, atMs: nowMs });
    }
  }
  if (parked.length > 0) placements.push({ kind: "jobsParked", jobs: parked, atMs: nowMs });
  return placements;
}

/** The sites at which the account covers a job; what it was accepted for may have been spent since. */
function covered(eligible: readonly SiteState[], job: JobRecord): readonly SiteState[] {
  const payable = eligible.filter((site) => {
    const durationMs = job.description.wallTimeMs ?? site.spec.defaultWallTimeMs;
    return shortRefusal(site, job.consumer, procMsOf(job.description.cpuNumber, durationMs)) === undefined;
  });
  return payable.length > 0 ? payable : eligible;
}

/** The site of a job's reservation, as long as that lasts. */
function reservedPlace({ reserved }: Projection, { description }: JobRecord): string | undefined {
  return description.reservation === undefined
    ? undefined
    : reserved.records.get(description.reservation)?.site;
}

/** The one of these sites that would start a job earliest, with the jobs placed before it in this round. */
function earliestSite(
  eligible: readonly SiteState[],
  job: JobRecord,
  trials: ReadonlyMap<string, NamedQueue>,
  nowMs: number,
): SiteState {
  let best = eligible[0];
  let bestMs = Number.POSITIVE_INFINITY;
  for (const site of eligible.length === 1 ? [] : eligible) {
    const queue = trials.get(site.name) ?? site.queue;
    const startMs = startIn(outlookNow(queue, nowMs), needOf(job.description, site.spec), nowMs);
    if (startMs < bestMs) {
      best = site;
      bestMs = startMs;
    }
  }
  return best;
}

/** The queue of a site with the jobs placed in this round, to try things on. */
function trialOf({ name, queue }: SiteState, trials: Map<string, NamedQueue>): NamedQueue {
  const trial = trials.get(name) ?? copyQueue(queue);
  trials.set(name, trial);
  return trial;
}

/** The outlooks that were made, as long as their queues have not changed. */
const outlooks = new WeakMap<NamedQueue, { readonly version: number; readonly outlook: Outlook }>();

function outlookNow(queue: NamedQueue, nowMs: number): Outlook {
  const made = outlooks.get(queue);
  if (made?.version === queue.version) return made.outlook;
  const outlook = outlookOf(copyQueue(queue), nowMs);
  outlooks.set(queue, { version: queue.version, outlook });
  return outlook;
}

function arrival({ spec }: SiteState, job: JobRecord) {
  return { kind: "arrive" as const, job: job.id, ...needOf(job.description, spec) };
}

function settleAll(projection: Projection, nowMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const { name, spec, queue } of projection.sites.values()) {
    if (isForeign(spec)) continue;
    if (!projection.unsettled.has(name) && nextInstant(queue) > nowMs) continue;
    const starts = settle(copyQueue(queue), nowMs);
    events.push({ kind: "queueSettled", site: name, starts, atMs: nowMs });
  }
  return events;
}

function wakeAtMs({ sites }: Projection): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { spec, queue } of sites.values()) {
    if (!isForeign(spec)) firstMs = Math.min(firstMs, nextInstant(queue));
  }
  return firstMs;
}
