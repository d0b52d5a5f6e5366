/**
 * The state, computed from events: jobs, sites and their queues.
 *
 * `apply` is the only thing that changes it. Finished jobs leave memory; their records live in views.
 */
import { assert, unreachable } from "../base/index.ts";
import {
  type AttemptEnd,
  isFinal,
  type JobDescription,
  type JobRecord,
  type ManagedSiteSpec,
  type StintEvent,
  type TokenRecord,
} from "../model/index.ts";
import { createSiteQueue, note, type QueuedNeed, type SiteQueue, settle } from "./site-queue.ts";
import { applyToken } from "./tokens.ts";

/** A site as the engine sees it. */
export interface SiteState {
  readonly name: string;
  readonly spec: ManagedSiteSpec;
  readonly queue: SiteQueue;
}

/** Everything that is not over. Read it anywhere; change it with `apply` only. */
export interface Projection {
  readonly jobs: Map<string, JobRecord>;
  /** In the order in which they were added. */
  readonly sites: Map<string, SiteState>;
  /** Jobs that have no site yet, in order of submission. */
  readonly unplaced: Set<string>;
  /** Sites whose queue has something to be told. */
  readonly unsettled: Set<string>;
  /** All tokens that ever were, by id. */
  readonly tokens: Map<string, TokenRecord>;
  /** How many jobs were ever accepted. */
  accepted: number;
}

/** A record that an event has changed, for the views. */
export type RecordChange =
  | { readonly kind: "job"; readonly record: JobRecord }
  | { readonly kind: "token"; readonly record: TokenRecord }
  | {
      readonly kind: "site";
      readonly name: string;
      readonly spec: ManagedSiteSpec;
      /** 1, 2 … as they were added. */
      readonly order: number;
    };

/** What a job's last moments may take beyond its limit: from TERM to KILL, and to the report (EN-10). */
export const LAST_MOMENTS_MS = 15_000;

/** The state before the first event. */
export function createProjection(): Projection {
  return {
    jobs: new Map(),
    sites: new Map(),
    unplaced: new Set(),
    unsettled: new Set(),
    tokens: new Map(),
    accepted: 0,
  };
}

/** What a job needs of a site: processors and memory, and its limit with the margin of EN-10. */
export function needOf(description: JobDescription, spec: ManagedSiteSpec): QueuedNeed {
  return {
    need: [description.cpuNumber, description.memoryBytes ?? 0],
    estimateMs: (description.wallTimeMs ?? spec.defaultWallTimeMs) + LAST_MOMENTS_MS,
  };
}

/** The same of a job that may have been suspended: then its rest counts. */
export function plannedNeedOf(job: JobRecord, spec: ManagedSiteSpec): QueuedNeed {
  const { need, estimateMs } = needOf(job.description, spec);
  return { need, estimateMs: job.restMs ?? estimateMs };
}

/** Applies one event, in place; gives the records that it changed. */
export function apply(projection: Projection, event: StintEvent): RecordChange[] {
  switch (event.kind) {
    case "siteAdded":
      return addSite(projection, event.site, event.spec, event.atMs);
    case "jobAccepted":
      projection.unplaced.add(event.job);
      return [keep(projection, acceptedJob(event, ++projection.accepted))];
    case "queueSettled":
      return settled(projection, event.site, event.starts, event.atMs);
    case "tokenCreated":
    case "tokenRevoked":
      return [{ kind: "token", record: applyToken(projection, event) }];
    case "requestDenied":
      return [];
    default:
      return applyToJob(projection, event);
  }
}

type JobEvent = Exclude<Extract<StintEvent, { readonly job: string }>, { readonly kind: "jobAccepted" }>;

function applyToJob(projection: Projection, event: JobEvent): RecordChange[] {
  const job = projection.jobs.get(event.job);
  assert(job !== undefined, `an event is about a job that is not over: ${event.job}`);
  switch (event.kind) {
    case "jobPlaced":
      return placed(projection, job, event.site, event.attempt);
    case "jobHeld":
      return moved(projection, job, "hold", { state: "HELD" });
    case "jobReleased":
      return moved(projection, job, "release", { state: job.site === null ? "WAITING" : "SCHEDULED" });
    case "jobSuspended":
      return moved(projection, job, "suspend", {
        state: "SUSPENDED",
        restMs: restOf(projection, job, event.atMs),
      });
    case "jobResumed":
      return moved(projection, job, "resume", { state: "SCHEDULED", startDecidedAtMs: null });
    case "jobCancelled":
      return moved(projection, job, "cancel", { state: "CANCELLED", endedAtMs: event.atMs });
    case "cancelRequested":
      return [keep(projection, { ...job, isCancelRequested: true })];
    case "attemptRunning":
      return [keep(projection, { ...job, state: runningState(job), startedAtMs: event.atMs })];
    case "attemptEnded":
      return moved(projection, job, "end", { ...outcomeOf(event.end), endedAtMs: event.atMs });
    default:
      return unreachable(event);
  }
}

/** A job that was suspended before its first report came stays suspended. */
function runningState(job: JobRecord): JobRecord["state"] {
  return job.state === "SCHEDULED" ? "RUNNING" : job.state;
}

function addSite(projection: Projection, name: string, spec: ManagedSiteSpec, atMs: number): RecordChange[] {
  const queue = createSiteQueue([spec.procs, spec.memoryBytes], spec.discipline, atMs);
  projection.sites.set(name, { name, spec, queue });
  return [{ kind: "site", name, spec, order: projection.sites.size }];
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
  if (isFinal(record.state)) projection.jobs.delete(record.id);
  else projection.jobs.set(record.id, record);
  return { kind: "job", record };
}

function placed(projection: Projection, job: JobRecord, name: string, attempt: number): RecordChange[] {
  const site = siteOf(projection, name);
  projection.unplaced.delete(job.id);
  note(site.queue, { kind: "arrive", job: job.id, ...needOf(job.description, site.spec) });
  projection.unsettled.add(name);
  return [keep(projection, { ...job, state: "SCHEDULED", site: name, attempt })];
}

/** A job changes its state, and its site's queue is told. */
function moved(
  projection: Projection,
  job: JobRecord,
  operation: "end" | "cancel" | "hold" | "release" | "suspend" | "resume",
  change: Partial<JobRecord>,
): RecordChange[] {
  if (job.site === null) {
    if (operation === "release") projection.unplaced.add(job.id);
    else projection.unplaced.delete(job.id);
  } else {
    note(siteOf(projection, job.site).queue, { kind: operation, job: job.id });
    projection.unsettled.add(job.site);
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
export function siteOf(projection: Projection, name: string): SiteState {
  const site = projection.sites.get(name);
  assert(site !== undefined, `an event is about a site that is known: ${name}`);
  return site;
}
