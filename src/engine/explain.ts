/**
 * Why a job is where it is (rule EN-11).
 *
 * Every cause that holds at once; the start predicted by playing the site's queue forward, once for all who
 * ask; and whether fewer processors or a shorter limit would start it now, tried on a copy of the queue.
 */
import {
  type Explanation,
  type HelpfulChange,
  isForeign,
  isImitating,
  isReadOnly,
  type JobRecord,
  NOT_ENFORCED,
  type ReservationRecord,
  type WaitCause,
} from "../model/index.ts";
import { inQueueOrder, lentQueue, type NamedQueue, note, settle, startsOneMore } from "../queue/index.ts";
import { effectiveState } from "./effective-state.ts";
import { whyNotItsTurn } from "./features/organisations/explain-vo.ts";
import { decisionAt } from "./features/policies/decide-enforcement.ts";
import { policyHoldThere } from "./features/policies/hold-there.ts";
import { obstaclesAt } from "./features/policies/obstacles.ts";
import { whyKeptOut, whyPassedBy } from "./features/policies/policy-denials.ts";
import { awaitedParts } from "./features/reservations/resource-slots.ts";
import { whyStoreFull } from "./features/storage/store-limits.ts";
import { plannedStart } from "./queue-plan.ts";
import { causesOf } from "./register.ts";
import { type Projection, siteOf } from "./state/projection.ts";
import { endOf, heldAt } from "./state/reserved.ts";
import { isLargeEnough, isUsable, plannedNeedOf, type SiteState } from "./state/site-state.ts";

/** Limits are tried in whole minutes, the unit in which people choose them. */
const MINUTE_MS = 60_000;

/** Explains a job that is not over. */
export function explain(projection: Projection, job: JobRecord, nowMs: number): Explanation {
  const explanation = explainPlace(projection, job, nowMs);
  return { ...explanation, causes: [...explanation.causes, ...causesOf(projection, job, nowMs)] };
}

function explainPlace(projection: Projection, job: JobRecord, nowMs: number): Explanation {
  const { id, site } = job;
  const state = effectiveState(job);
  const bare = { job: id, state: job.state, predictedStartAtMs: null, method: null, helpfulChanges: [] };
  if (site === null) {
    return { ...bare, causes: state === "HELD" ? [{ kind: "held" }] : [whyNoSite(projection, job, nowMs)] };
  }
  const there = siteOf(projection, site);
  const trouble = troubleAt(there);
  if (state === "HELD") return { ...bare, causes: [{ kind: "held" }, ...trouble] };
  const policy = policyCauses(projection, there, job, nowMs);
  if (state === "SUSPENDED") {
    return {
      ...bare,
      causes: [...(policy.length > 0 ? policy : [{ kind: "suspended" as const }]), ...trouble],
    };
  }
  if (state === "RUNNING") {
    return { ...bare, causes: [beingThere(job, site, nowMs), ...trouble] };
  }
  const reservation = reservationOf(projection, job);
  if (reservation !== undefined) {
    return { ...bare, ...inReservation(projection, { site: there, job, reservation }, nowMs) };
  }
  // Outside the queue nothing is before it but its enforcer.
  const hindered = cannotEnforce(projection, there, nowMs);
  if (policy.length > 0) {
    return { ...bare, causes: [...trouble, ...policy, ...hindered, ...shortages(there, job)] };
  }
  const queued = inQueue(projection, there, job, nowMs);
  return { ...bare, ...queued, causes: [...queued.causes, ...hindered] };
}

/** What the enforcer of its site says of a job that it has not let in, or has stopped. */
function policyCauses(projection: Projection, site: SiteState, job: JobRecord, nowMs: number): WaitCause[] {
  if (isForeign(site.spec)) return policyCausesThere(projection, site, job, nowMs);
  const { isHeld, isStopped } = job.enforced ?? NOT_ENFORCED;
  if (!isHeld && !isStopped) return [];
  const cause = decisionAt(projection, site, nowMs)?.kept.get(job.id);
  return [{ kind: "policy", site: site.name, cause: cause ?? { kind: "notYet", for: null } }];
}

/** The same at a foreign site, by the job's id there. */
function policyCausesThere(
  projection: Projection,
  { name }: SiteState,
  { siteJob }: JobRecord,
  nowMs: number,
): WaitCause[] {
  const hold = siteJob === null ? undefined : policyHoldThere(projection, name, siteJob, nowMs);
  if (hold === undefined) return [];
  return [{ kind: "policy", site: name, cause: hold.cause ?? { kind: "notYet", for: null } }];
}

/** What keeps the enforcer of a site from acting; that the site is away is told of the site. */
function cannotEnforce(projection: Projection, site: SiteState, nowMs: number): WaitCause[] {
  return obstaclesAt(projection, site, nowMs).flatMap((obstacle): WaitCause[] =>
    obstacle.kind === "siteAway" ? [] : [{ kind: "cannotEnforce", site: site.name, obstacle }],
  );
}

function beingThere({ state, description }: JobRecord, site: string, nowMs: number): WaitCause {
  if (state !== "RUNNING") return { kind: "starting", site };
  const { startMs = nowMs } = description.virtual ?? {};
  return nowMs < startMs ? { kind: "virtualIdle", site, startMs } : { kind: "running", site };
}

function reservationOf({ reserved }: Projection, { description }: JobRecord): ReservationRecord | undefined {
  return description.reservation === undefined ? undefined : reserved.records.get(description.reservation);
}

function whyNoSite(projection: Projection, job: JobRecord, nowMs: number): WaitCause {
  const { sites, parked } = projection;
  const { virtual, site = "" } = job.description;
  if (virtual !== undefined && nowMs < virtual.submitMs) {
    return { kind: "virtualPlanned", site, submitMs: virtual.submitMs, startMs: virtual.startMs };
  }
  if (!parked.has(job.id)) {
    const full = whyStoreFull(projection, job, nowMs);
    const keptOut = full ?? whyKeptOut(projection, job, nowMs);
    return keptOut ?? whyNotItsTurn(projection, job, nowMs) ?? { kind: "placing" };
  }
  const usable = [...sites.values()].filter((site) => isUsable(site, job.description));
  const names = (some: readonly SiteState[]): string[] => some.map(({ name }) => name);
  const readOnly = usable.filter(({ spec }) => isReadOnly(spec));
  const others = usable.filter(({ spec }) => !isReadOnly(spec));
  const imitating = [...sites.values()].filter(
    (it) => site === "" && isImitating(it.spec) && isLargeEnough(it, job.description),
  );
  return {
    kind: "noSiteOpen",
    draining: names(others.filter(({ isDraining }) => isDraining)),
    away: names(others.filter(({ isDraining }) => !isDraining)),
    readOnly: names(readOnly),
    ...(imitating.length === 0 ? {} : { imitating: names(imitating) }),
  };
}

/** A job that waits in its reservation. */
function inReservation(
  projection: Projection,
  {
    site,
    job,
    reservation,
  }: { readonly site: SiteState; readonly job: JobRecord; readonly reservation: ReservationRecord },
  nowMs: number,
) {
  const { id, startMs } = reservation;
  const room = projection.reserved.rooms.get(id);
  const causes: WaitCause[] = [...troubleAt(site)];
  const awaited = awaitedParts(projection, reservation).map((part) => part.site);
  if (startMs > nowMs || awaited.length > 0) {
    causes.push({ kind: "reservationTurn", site: site.name, reservation: id, startMs, awaited });
  }
  if (job.state === "READY") causes.push({ kind: "handingOver", site: site.name });
  if (room !== undefined) causes.push(...jobsAhead(site.name, room, job));
  const words = site.observation.reasons.get(job.id);
  if (words !== undefined) causes.push({ kind: "siteSays", site: site.name, words });
  const startAtMs = room === undefined ? Math.max(startMs, nowMs) : plannedStart(room, job.id, nowMs);
  // Nobody knows when a site makes its part.
  const isKnown = awaited.length === 0 && startAtMs !== Number.POSITIVE_INFINITY;
  return { causes, predictedStartAtMs: isKnown ? startAtMs : null, method: "schedule" as const };
}

/** What is kept free for reservations at this instant. */
function reservedNow({ reserved }: Projection, { name }: SiteState, nowMs: number): WaitCause[] {
  const procs = heldAt(reserved, name)
    .filter((it) => it.startMs <= nowMs && nowMs < endOf(it))
    .reduce((sum, it) => sum + it.procs, 0);
  return procs === 0 ? [] : [{ kind: "procsReserved", site: name, procs }];
}

function troubleAt({ name, observation }: SiteState): WaitCause[] {
  return observation.trouble === null
    ? []
    : [{ kind: "siteTrouble", site: name, trouble: observation.trouble }];
}

function inQueue(projection: Projection, site: SiteState, job: JobRecord, nowMs: number) {
  const startMs = plannedStart(site.queue, job.id, nowMs);
  const { name, observation } = site;
  const words = observation.reasons.get(job.id);
  const causes: WaitCause[] = [...troubleAt(site)];
  if (job.state === "READY") causes.push({ kind: "handingOver", site: name });
  causes.push(...shortages(site, job), ...reservedNow(projection, site, nowMs));
  causes.push(...jobsAhead(site.name, site.queue, job));
  if (words !== undefined) causes.push({ kind: "siteSays", site: name, words });
  if (causes.length === 0 && isForeign(site.spec)) causes.push({ kind: "siteTurn", site: name });
  const passedBy = startMs <= nowMs ? undefined : whyPassedBy(projection, job, nowMs);
  if (passedBy !== undefined) causes.push(passedBy);
  return {
    causes,
    predictedStartAtMs: startMs === Number.POSITIVE_INFINITY ? null : startMs,
    method: "schedule" as const,
    helpfulChanges: startMs <= nowMs ? [] : helpfulChanges(site, job, nowMs),
  };
}

function shortages(site: SiteState, job: JobRecord): WaitCause[] {
  const free = freeNow(site);
  const { procs, memoryBytes = 0 } = job.description;
  const causes: WaitCause[] = [];
  if (procs > free.procs) {
    causes.push({ kind: "procsBusy", site: site.name, needed: procs, free: free.procs });
  }
  if (memoryBytes > free.memoryBytes) {
    const bytes = { neededBytes: memoryBytes, freeBytes: free.memoryBytes };
    causes.push({ kind: "memoryBusy", site: site.name, ...bytes });
  }
  return causes;
}

/** What no running job uses. */
export function freeNow({ spec, queue }: SiteState): { procs: number; memoryBytes: number } {
  const free = { procs: spec.procs, memoryBytes: spec.memoryBytes };
  const [procs, memory] = queue.machine.jobs.need;
  for (const job of queue.running) {
    const handle = queue.handleOf.get(job);
    if (handle === undefined) continue;
    free.procs -= procs[handle];
    free.memoryBytes -= memory[handle];
  }
  return free;
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
  const offered = [site.spec.procs, site.spec.memoryBytes];
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
