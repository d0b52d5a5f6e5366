/**
 * Why a job is where it is (rule EN-11).
 *
 * Every cause that holds at once; the start predicted by playing the site's queue forward, once for all who
 * ask; and whether fewer processors or a shorter limit would start it now, tried on a copy of the queue.
 */
import {
  columnsAt,
  type Explanation,
  type HelpfulChange,
  isForeign,
  type JobRecord,
  publishesAggregates,
  type WaitCause,
} from "../model/index.ts";
import { inQueueOrder, lentQueue, type NamedQueue, note, settle, startsOneMore } from "../queue/index.ts";
import { causesAtBroker } from "./at-broker.ts";
import { effectiveState } from "./effective-state.ts";
import { plannedStart } from "./queue-plan.ts";
import { causesOf } from "./register.ts";
import { freeNow } from "./state/free-now.ts";
import { type Projection, siteOf } from "./state/projection.ts";
import { plannedNeedOf, type SiteState } from "./state/site-state.ts";

/** Limits are tried in whole minutes, the unit in which people choose them. */
const MINUTE_MS = 60_000;

/** Causes contributed by the features, for a part of an explanation. */
type Said = (part: Parameters<typeof causesOf>[0]) => readonly WaitCause[];

/** Explains a job that is not over. */
export function explain(projection: Projection, job: JobRecord, nowMs: number): Explanation {
  const said: Said = (part) => [...causesOf(part, projection, job, nowMs)];
  const bare = { job: job.id, state: job.state, predictedStartAtMs: null, method: null, helpfulChanges: [] };
  const place =
    job.site === null ? atBroker(projection, job, nowMs) : atSite(projection, { job, said }, nowMs);
  return { ...bare, ...place, causes: [...place.causes, ...said("everywhere")] };
}

/** The causes, and whatever is known of the start. */
type Place = Pick<Explanation, "causes"> & Partial<Explanation>;

function atBroker(projection: Projection, job: JobRecord, nowMs: number): Place {
  if (effectiveState(job) === "HELD") return { causes: heldBy(projection, job) };
  return causesAtBroker(projection, job, nowMs);
}

/**
 * A stream that has not started is held by nobody who could release it; its feature says what is short. One
 * that was sent to its site and is held there is held by a person.
 */
function heldBy({ books }: Projection, { id, siteJob }: JobRecord): readonly WaitCause[] {
  return books.streams.has(id) && siteJob === null ? [] : [{ kind: "held" }];
}

interface AtSite {
  readonly job: JobRecord;
  readonly said: Said;
}

function atSite(projection: Projection, { job, said }: AtSite, nowMs: number): Place {
  const state = effectiveState(job);
  const site = siteOf(projection, job.site ?? "");
  const trouble = troubleAt(site);
  if (state === "HELD") return { causes: [...heldBy(projection, job), ...trouble] };
  const outside = said("outsideQueue");
  if (state === "SUSPENDED") {
    return { causes: [...(outside.length > 0 ? outside : [{ kind: "suspended" as const }]), ...trouble] };
  }
  if (state === "RUNNING") return { causes: [...beingThere(site, job, said), ...trouble] };
  if (projection.reserved.records.has(job.description.reservation ?? "")) {
    return inReservation(projection, site, { job, said }, nowMs);
  }
  // Outside the queue nothing is before it but what keeps it there.
  if (outside.length > 0) {
    return { causes: [...trouble, ...outside, ...said("hindered"), ...shortages(site, job)] };
  }
  return inQueue(site, { job, said }, nowMs);
}

function beingThere({ name }: SiteState, job: JobRecord, said: Said): readonly WaitCause[] {
  if (job.state !== "RUNNING") return [{ kind: "starting", site: name }];
  const idle = said("idle");
  return idle.length > 0 ? idle : [{ kind: "running", site: name }];
}

/** A job that waits in its reservation. */
function inReservation(
  { reserved }: Projection,
  site: SiteState,
  { job, said }: AtSite,
  nowMs: number,
): Place {
  const { reservation = "" } = job.description;
  const room = reserved.rooms.get(reservation);
  const startMs = reserved.records.get(reservation)?.startMs ?? nowMs;
  const turn = said("ownPlace");
  const causes: WaitCause[] = [...troubleAt(site), ...turn];
  if (job.state === "READY") causes.push({ kind: "handingOver", site: site.name });
  if (room !== undefined) causes.push(...jobsAhead(site.name, room, job));
  const words = reasonAt(site, job);
  if (words !== undefined) causes.push({ kind: "siteSays", site: site.name, words });
  const startAtMs = room === undefined ? Math.max(startMs, nowMs) : plannedStart(room, job.id, nowMs);
  // Nobody knows when a site makes its part.
  const isAwaited = turn.some((cause) => cause.kind === "reservationTurn" && cause.awaited.length > 0);
  const isKnown = !isAwaited && startAtMs !== Number.POSITIVE_INFINITY;
  return { causes, predictedStartAtMs: isKnown ? startAtMs : null, method: "schedule" };
}

/** Reason for a wait as the batch system gives it; without nodes if the site publishes aggregates. */
function reasonAt({ spec, observation }: SiteState, { id }: JobRecord): string | undefined {
  const words = observation.reasons.get(id);
  return publishesAggregates(spec) ? words?.match(/\w+/)?.[0] : words;
}

function troubleAt({ name, observation }: SiteState): WaitCause[] {
  return observation.trouble === null
    ? []
    : [{ kind: "siteTrouble", site: name, trouble: observation.trouble }];
}

function inQueue(site: SiteState, { job, said }: AtSite, nowMs: number): Place {
  const startMs = plannedStart(site.queue, job.id, nowMs);
  const { name } = site;
  const words = reasonAt(site, job);
  const causes: WaitCause[] = [...troubleAt(site)];
  if (job.state === "READY") causes.push({ kind: "handingOver", site: name });
  causes.push(...shortages(site, job), ...said("keptFree"), ...jobsAhead(name, site.queue, job));
  if (words !== undefined) causes.push({ kind: "siteSays", site: name, words });
  if (causes.length === 0 && isForeign(site.spec)) causes.push({ kind: "siteTurn", site: name });
  if (startMs > nowMs) causes.push(...said("passedBy"));
  return {
    causes: [...causes, ...said("hindered")],
    predictedStartAtMs: startMs === Number.POSITIVE_INFINITY ? null : startMs,
    method: "schedule",
    helpfulChanges: startMs <= nowMs ? [] : helpfulChanges(site, job, nowMs),
  };
}

function shortages(site: SiteState, job: JobRecord): WaitCause[] {
  const free = freeNow(site);
  const { procs, memoryBytes = 0, gpus = 0 } = job.description;
  const causes: WaitCause[] = [];
  if (procs > free.procs) {
    causes.push({ kind: "procsBusy", site: site.name, needed: procs, free: free.procs });
  }
  if (memoryBytes > free.memoryBytes) {
    const bytes = { neededBytes: memoryBytes, freeBytes: free.memoryBytes };
    causes.push({ kind: "memoryBusy", site: site.name, ...bytes });
  }
  if (gpus > free.gpus) causes.push({ kind: "gpusBusy", site: site.name, needed: gpus, free: free.gpus });
  return causes;
}

function jobsAhead(name: string, queue: NamedQueue, job: JobRecord): WaitCause[] {
  const { handles, count } = inQueueOrder(queue.machine);
  const own = queue.handleOf.get(job.id);
  const [procs] = queue.machine.jobs.need;
  let wanted = 0;
  let jobs = 0;
  for (; jobs < count && handles[jobs] !== own; jobs++) wanted += procs[handles[jobs]];
  return jobs === 0 ? [] : [{ kind: "jobsAhead", site: name, jobs, procs: wanted }];
}

function helpfulChanges(site: SiteState, job: JobRecord, nowMs: number): HelpfulChange[] {
  const { need, estimateMs } = plannedNeedOf(job, site.spec);
  const [procs, ...others] = need;
  const offered = columnsAt(site.spec, site.spec);
  const queue = lentQueue(site.queue);
  note(queue, { kind: "cancel", job: job.id });
  settle(queue, nowMs);
  const doesStart = startsOneMore(queue.machine);
  const startsNow = (tried: readonly number[], limitMs: number): boolean =>
    tried.every((amount, column) => amount <= offered[column]) &&
    doesStart({ need: tried, estimateMs: limitMs });
  const changes: HelpfulChange[] = [];
  const fewer = largestThat(procs - 1, (tried) => startsNow([tried, ...others], estimateMs));
  if (fewer > 0) changes.push({ kind: "fewerProcs", procs: fewer });
  const marginMs = estimateMs - (job.description.wallTimeMs ?? site.spec.defaultWallTimeMs);
  const minutes = Math.ceil((estimateMs - marginMs) / MINUTE_MS) - 1;
  const shorter = largestThat(minutes, (tried) => startsNow(need, tried * MINUTE_MS + marginMs));
  if (shorter > 0) changes.push({ kind: "shorterLimit", wallTimeMs: shorter * MINUTE_MS });
  if (changes.length > 0) return changes;
  const withLimit = (count: number, tried: number): boolean =>
    startsNow([count, ...others], tried * MINUTE_MS + marginMs);
  const longest = largestThat(minutes, (tried) => withLimit(1, tried));
  const most = longest === 0 ? 0 : largestThat(procs - 1, (count) => withLimit(count, longest));
  if (most === 0) return [];
  return [{ kind: "fewerProcsAndShorterLimit", procs: most, wallTimeMs: longest * MINUTE_MS }];
}

/** The largest number in 1 … most for which something holds that holds for all smaller ones; else 0. */
function largestThat(most: number, holds: (value: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
