/**
 * The state, computed from events: jobs, sites and their queues.
 *
 * `apply` is the only thing that changes it (but for what is seen of foreign sites, which is no event).
 * Finished jobs leave memory; their records live in views.
 */
import { assert, unreachable } from "../base/index.ts";
import {
  type AttemptEnd,
  isFinal,
  isForeign,
  type JobRecord,
  type SiteSpec,
  type StintEvent,
  type TokenRecord,
} from "../model/index.ts";
import { note, settle } from "../queue/index.ts";
import { type AccountChange, applyPosted, forgetBalances } from "./reserve/accounts.ts";
import { applyReservation, type ReservationChange, withoutReservation } from "./reserve/apply-reservation.ts";
import { markUnsettled, noneReserved, queueOf, type Reserved } from "./reserve/reserved.ts";
import { createSite, needOf, plannedNeedOf, type SiteState } from "./site-state.ts";
import { takeOverAll } from "./take-over.ts";
import { applyToken } from "./tokens.ts";

/** Everything that is not over. Read it anywhere; change it with `apply` only. */
export interface Projection {
  readonly jobs: Map<string, JobRecord>;
  /** In the order in which they were added. */
  readonly sites: Map<string, SiteState>;
  /** Jobs without a site that are to be given one, in order of submission. */
  readonly unplaced: Set<string>;
  /** Jobs without a site that no site takes now: looked at again when a site opens. */
  readonly parked: Set<string>;
  /** Managed sites whose queue has something to be told. */
  readonly unsettled: Set<string>;
  /** All tokens that ever were, by id. */
  readonly tokens: Map<string, TokenRecord>;
  /** Offers and reservations that are not over. */
  readonly reserved: Reserved;
  /** How many jobs were ever accepted. */
  accepted: number;
}

/** A record that an event has changed, for the views. */
export type RecordChange =
  | { readonly kind: "job"; readonly record: JobRecord }
  | { readonly kind: "token"; readonly record: TokenRecord }
  | { readonly kind: "site"; readonly record: SiteRecord }
  | { readonly kind: "siteGone"; readonly name: string }
  | ReservationChange
  | AccountChange;

/** A site as it is stored. */
export interface SiteRecord {
  readonly name: string;
  readonly spec: SiteSpec;
  /** 1, 2 … as they were added. */
  readonly order: number;
  readonly isDraining: boolean;
}

/** The state before the first event. */
export function createProjection(): Projection {
  return {
    jobs: new Map(),
    sites: new Map(),
    unplaced: new Set(),
    parked: new Set(),
    unsettled: new Set(),
    tokens: new Map(),
    reserved: noneReserved(),
    accepted: 0,
  };
}

/** Applies one event, in place; gives the records that it changed. */
export function apply(projection: Projection, event: StintEvent): RecordChange[] {
  switch (event.kind) {
    case "siteAdded":
      return addSite(projection, event.site, event.spec, event.atMs);
    case "siteChanged":
      return changeSite(projection, event.site, event.spec, event.atMs);
    case "siteDrained":
    case "siteReopened":
      return drainSite(projection, event.site, event.kind === "siteDrained");
    case "siteRemoved":
      return removeSite(projection, event.site);
    case "jobAccepted":
      projection.unplaced.add(event.job);
      return [keep(projection, acceptedJob(event, ++projection.accepted))];
    case "jobsParked":
      for (const job of event.jobs) if (projection.unplaced.delete(job)) projection.parked.add(job);
      return [];
    case "queueSettled":
      return settled(projection, event.site, event.starts, event.atMs);
    case "tokenCreated":
    case "tokenRevoked":
      return [{ kind: "token", record: applyToken(projection, event) }];
    case "posted":
      return applyPosted(siteOf(projection, event.site).ledger, event);
    case "requestDenied":
    case "strayFound":
      return [];
    default:
      return "reservation" in event ? applyReservation(projection, event) : applyToJob(projection, event);
  }
}

type JobEvent = Exclude<
  Extract<StintEvent, { readonly job: string }>,
  { readonly kind: "jobAccepted" | "strayFound" }
>;

function applyToJob(projection: Projection, event: JobEvent): RecordChange[] {
  const job = projection.jobs.get(event.job);
  assert(job !== undefined, `an event is about a job that is not over: ${event.job}`);
  switch (event.kind) {
    case "jobPlaced":
      return placed(projection, job, event.site, event.attempt);
    case "jobHeld":
    case "attemptHeld":
      return moved(projection, job, "hold", { state: "HELD" });
    case "jobReleased":
    case "attemptReleased":
      return moved(projection, job, "release", { state: releasedState(projection, job) });
    case "jobSuspended":
    case "attemptSuspended":
      return moved(projection, job, "suspend", {
        state: "SUSPENDED",
        restMs: restOf(projection, job, event.atMs),
      });
    case "jobResumed":
      return moved(projection, job, "resume", { state: "SCHEDULED", startDecidedAtMs: null });
    case "attemptResumed":
      return moved(projection, job, "resume", { state: "RUNNING", startDecidedAtMs: event.atMs });
    case "jobCancelled":
      return moved(projection, job, "cancel", { state: "CANCELLED", endedAtMs: event.atMs });
    case "cancelRequested":
      return [keep(projection, { ...job, isCancelRequested: true })];
    case "attemptQueued":
      return [keep(projection, { ...asItArrived(projection, job), siteJob: event.siteJob })];
    case "attemptRunning":
      return [keep(projection, { ...job, ...runningNow(projection, job, event.atMs) })];
    case "attemptRequeued":
      return [keep(projection, { ...job, ...NOT_STARTED, state: "SCHEDULED" })];
    case "attemptEnded":
      if (cameBack(job, event.end)) return [waitsAnew(projection, job)];
      return moved(projection, job, "end", { ...outcomeOf(event.end), endedAtMs: event.atMs });
    default:
      return unreachable(event);
  }
}

/** Called back from its site, and not wanted back by anybody else. */
function cameBack({ isRecalled = false, isCancelRequested, startedAtMs }: JobRecord, { cause }: AttemptEnd) {
  return isRecalled && !isCancelRequested && startedAtMs === null && cause === "cancelled";
}

function waitsAnew(projection: Projection, job: JobRecord): RecordChange {
  siteOf(projection, job.site ?? "").own.delete(job.id);
  projection.unplaced.add(job.id);
  const back = withoutReservation(job);
  return keep(projection, { ...back, state: "WAITING", site: null, siteJob: null, isRecalled: false });
}

const NOT_STARTED = { startedAtMs: null, startDecidedAtMs: null, restMs: null };

/** A reservation that ended while a job was on its way to it concerns it no more. */
function asItArrived({ reserved }: Projection, job: JobRecord): JobRecord {
  const { reservation } = job.description;
  const isOver = reservation !== undefined && !reserved.records.has(reservation);
  return { ...(isOver ? withoutReservation(job) : job), state: queuedState(job) };
}

/** Held while it was being handed over, a job stays held. */
function queuedState(job: JobRecord): JobRecord["state"] {
  return job.state === "READY" ? "SCHEDULED" : job.state;
}

function releasedState(projection: Projection, { site, siteJob }: JobRecord): JobRecord["state"] {
  if (site === null) return "WAITING";
  return isForeign(siteOf(projection, site).spec) && siteJob === null ? "READY" : "SCHEDULED";
}

/** A job that was suspended before its first report came stays suspended. */
function runningNow(projection: Projection, job: JobRecord, atMs: number): Partial<JobRecord> {
  const state = job.state === "SUSPENDED" ? job.state : "RUNNING";
  const isOurs = !isForeign(siteOf(projection, job.site ?? "").spec);
  return { state, startedAtMs: atMs, ...(isOurs ? {} : { startDecidedAtMs: atMs }) };
}

function addSite(projection: Projection, name: string, spec: SiteSpec, atMs: number): RecordChange[] {
  const last = Math.max(0, ...[...projection.sites.values()].map(({ order }) => order));
  const site = createSite(name, spec, last + 1, atMs);
  projection.sites.set(name, site);
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** The queue is made anew of the jobs that are there, as after a restart. */
function changeSite(projection: Projection, name: string, spec: SiteSpec, atMs: number): RecordChange[] {
  const { order, isDraining, own, sight, ledger } = siteOf(projection, name);
  const site = { ...createSite(name, spec, order, atMs), isDraining, own, sight, ledger };
  projection.sites.set(name, site);
  if (!isForeign(spec)) takeOverAll(projection, site, atMs);
  tryParkedAgain(projection);
  return [siteChange(site)];
}

function drainSite(projection: Projection, name: string, isDraining: boolean): RecordChange[] {
  const site = siteOf(projection, name);
  site.isDraining = isDraining;
  tryParkedAgain(projection);
  return [siteChange(site)];
}

/** No job of ours is there: else the wish was refused. */
function removeSite(projection: Projection, name: string): RecordChange[] {
  const { ledger } = siteOf(projection, name);
  projection.sites.delete(name);
  projection.unsettled.delete(name);
  return [{ kind: "siteGone", name }, ...forgetBalances(ledger, name)];
}

function siteChange({ name, spec, order, isDraining }: SiteState): RecordChange {
  return { kind: "site", record: { name, spec, order, isDraining } };
}

/** A site has opened, or another may be named: what no site took is looked at again, in its order. */
export function tryParkedAgain({ parked, unplaced, jobs }: Projection): void {
  if (parked.size === 0) return;
  const orderOf = (id: string): number => jobs.get(id)?.order ?? 0;
  const again = [...parked, ...unplaced].sort((a, b) => orderOf(a) - orderOf(b));
  parked.clear();
  unplaced.clear();
  for (const id of again) unplaced.add(id);
}

function acceptedJob(event: Extract<StintEvent, { kind: "jobAccepted" }>, order: number): JobRecord {
  return {
    id: event.job,
    state: "WAITING",
    description: event.description,
    consumer: event.consumer,
    owner: event.owner,
    submittedAtMs: event.atMs,
    order,
    attempt: 0,
    site: null,
    siteJob: null,
    startDecidedAtMs: null,
    startedAtMs: null,
    restMs: null,
    endedAtMs: null,
    result: null,
    exitCode: null,
    signal: null,
    isTimeLimit: false,
    cpuMs: null,
    isCancelRequested: false,
    abortReason: null,
  };
}

/** What is left of a running job's planned time at an instant; at least a millisecond. */
function restOf(projection: Projection, job: JobRecord, atMs: number): number {
  const { estimateMs } = plannedNeedOf(job, siteOf(projection, job.site ?? "").spec);
  return Math.max(1, (job.startDecidedAtMs ?? atMs) + estimateMs - atMs);
}

/** Takes over a changed record; one that is over leaves memory. */
function keep(projection: Projection, record: JobRecord): RecordChange {
  if (!isFinal(record.state)) projection.jobs.set(record.id, record);
  else {
    projection.jobs.delete(record.id);
    if (record.site !== null) siteOf(projection, record.site).own.delete(record.id);
  }
  return { kind: "job", record };
}

function placed(projection: Projection, job: JobRecord, name: string, attempt: number): RecordChange[] {
  const site = siteOf(projection, name);
  projection.unplaced.delete(job.id);
  projection.parked.delete(job.id);
  const arrival = { kind: "arrive", job: job.id, ...needOf(job.description, site.spec) } as const;
  if (isForeign(site.spec)) {
    // What waits in a reservation there is no part of the site's own queue.
    if (job.description.reservation === undefined) note(site.queue, arrival);
    site.own.add(job.id);
    return [keep(projection, { ...job, state: "READY", site: name, siteJob: null, attempt })];
  }
  const there: JobRecord = { ...job, state: "SCHEDULED", site: name, attempt };
  note(queueOf(projection, there), arrival);
  markUnsettled(projection, there);
  return [keep(projection, there)];
}

/** A job changes its state, and its site's queue is told. */
function moved(
  projection: Projection,
  job: JobRecord,
  operation: "end" | "cancel" | "hold" | "release" | "suspend" | "resume",
  change: Partial<JobRecord>,
): RecordChange[] {
  if (job.site === null) {
    projection.unplaced.delete(job.id);
    projection.parked.delete(job.id);
    if (operation === "release") projection.unplaced.add(job.id);
  } else {
    const { spec, sight } = siteOf(projection, job.site);
    note(queueOf(projection, job), { kind: operation, job: job.id });
    if (isForeign(spec)) sight.odd.delete(job.id);
    else markUnsettled(projection, job);
  }
  return [keep(projection, { ...job, ...change })];
}

function settled(
  projection: Projection,
  name: string,
  starts: readonly string[],
  atMs: number,
): RecordChange[] {
  const started = settle(siteOf(projection, name).queue, atMs);
  assert(
    started.length === starts.length && started.every((job, i) => job === starts[i]),
    `the queue of ${name} starts what the decision named`,
  );
  projection.unsettled.delete(name);
  return started.flatMap((id) => {
    const job = projection.jobs.get(id);
    assert(job !== undefined, "what starts is not over");
    const state = job.startedAtMs === null ? job.state : "RUNNING";
    return [keep(projection, { ...job, state, startDecidedAtMs: atMs })];
  });
}

function outcomeOf(end: AttemptEnd): Partial<JobRecord> {
  const { cause, exitCode, signal, cpuMs } = end;
  if (cause === "cancelled") return { state: "CANCELLED", exitCode, signal, cpuMs };
  if (cause === "launchFailed" || cause === "lost") {
    return { state: "ABORTED", cpuMs, abortReason: { kind: cause, detail: end.detail ?? "" } };
  }
  const result = cause === "exited" && exitCode === 0 ? "ok" : "failed";
  return { state: "DONE", result, exitCode, signal, cpuMs, isTimeLimit: cause === "timeLimit" };
}

/** The state of a site that an event names. */
export function siteOf(projection: Pick<Projection, "sites">, name: string): SiteState {
  const site = projection.sites.get(name);
  assert(site !== undefined, `an event is about a site that is known: ${name}`);
  return site;
}
