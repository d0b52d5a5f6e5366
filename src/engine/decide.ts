/**
 * The door for what follows from the state at an instant (rules EN-3, EN-5).
 *
 * First placements: a job without a site goes into the queue that would start it earliest. Once those
 * are applied, settlements: each site's queue is looked at on a copy, and what starts is named.
 */
import { assert } from "../base/index.ts";
import type { JobRecord, StintEvent } from "../model/index.ts";
import { isLargeEnough } from "./answer.ts";
import { predictedStart } from "./predicted-start.ts";
import { needOf, type Projection, type SiteState } from "./projection.ts";
import { copyQueue, nextInstant, note, settle } from "./site-queue.ts";

/** What is to be recorded, and when to ask again though nothing happened. */
export interface Decision {
  readonly events: readonly StintEvent[];
  readonly wakeAtMs: number;
}

/** The next decisions; apply them and ask again until there are none. */
export function decide(projection: Projection, nowMs: number): Decision {
  const placements = placeAll(projection, nowMs);
  const events = placements.length > 0 ? placements : settleAll(projection, nowMs);
  return { events, wakeAtMs: wakeAtMs(projection) };
}

function placeAll(projection: Projection, nowMs: number): StintEvent[] {
  const trials = new Map<string, SiteState>();
  return [...projection.unplaced].map((id) => {
    const job = projection.jobs.get(id);
    assert(job !== undefined, "a job that waits for a site is not over");
    const site = earliestSite(projection, job, trials, nowMs);
    return { kind: "jobPlaced", job: id, attempt: job.attempt + 1, site: site.name, atMs: nowMs };
  });
}

/** The eligible site that would start a job earliest, with the jobs placed before it in this round. */
function earliestSite(
  { sites }: Projection,
  job: JobRecord,
  trials: Map<string, SiteState>,
  nowMs: number,
): SiteState {
  const eligible = [...sites.values()].filter(
    (site) =>
      (job.description.site === undefined || job.description.site === site.name) &&
      isLargeEnough(site, job.description),
  );
  assert(eligible.length > 0, "a job was accepted because there is a site for it");
  if (eligible.length === 1) return eligible[0];
  let best = eligible[0];
  let bestMs = Number.POSITIVE_INFINITY;
  for (const site of eligible) {
    const trial = trials.get(site.name) ?? { ...site, queue: copyQueue(site.queue) };
    trials.set(site.name, trial);
    const startMs = predictedStart(withJob(trial, job), job.id, nowMs);
    if (startMs < bestMs) {
      best = site;
      bestMs = startMs;
    }
  }
  const chosen = trials.get(best.name);
  if (chosen !== undefined) note(chosen.queue, arrival(chosen, job));
  return best;
}

function withJob(site: SiteState, job: JobRecord) {
  const queue = copyQueue(site.queue);
  note(queue, arrival(site, job));
  return queue;
}

function arrival({ spec }: SiteState, job: JobRecord) {
  return { kind: "arrive" as const, job: job.id, ...needOf(job.description, spec) };
}

function settleAll(projection: Projection, nowMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const { name, queue } of projection.sites.values()) {
    if (!projection.unsettled.has(name) && nextInstant(queue) > nowMs) continue;
    const starts = settle(copyQueue(queue), nowMs);
    events.push({ kind: "queueSettled", site: name, starts, atMs: nowMs });
  }
  return events;
}

function wakeAtMs({ sites }: Projection): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { queue } of sites.values()) firstMs = Math.min(firstMs, nextInstant(queue));
  return firstMs;
}
