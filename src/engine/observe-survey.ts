/**
 * Events that follow from a survey of a foreign site's queue (rules EN-17 to EN-20).
 *
 * Stint jobs are identified by their token only: a site may use its ids again. A difference that may be due
 * to an order in transit (a job in an unexpected state, or missing) must last for the site's patience before
 * any event follows from it.
 */
import { attemptToken, type JobRecord, type StintEvent } from "../model/index.ts";
import { observeReservations } from "./features/reservations/observe-reservation.ts";
import { ticketDebit } from "./features/tickets/decide-tickets.ts";
import { retryOf } from "./job-records.ts";
import { repeatOf } from "./larger-retry.ts";
import { jobCharge } from "./state/accounts.ts";
import type { Projection } from "./state/projection.ts";
import type { SiteState } from "./state/site-state.ts";
import type { Survey, SurveyedEnd, SurveyedJob } from "./survey.ts";

/** A look, and for how long something odd may last at this site. */
export interface Look {
  readonly site: string;
  readonly survey: Survey;
  readonly patienceMs: number;
}

/** The events that a look makes; none where it is older than the last one, or shows what is known. */
export function observeSurvey(projection: Projection, look: Look, nowMs: number): readonly StintEvent[] {
  const site = projection.sites.get(look.site);
  const { survey } = look;
  if (site === undefined || survey.atMs < (site.observation.seenAtMs ?? Number.NEGATIVE_INFINITY)) return [];
  const shown = byToken(survey.jobs);
  const ended = byToken(survey.ended);
  const events: StintEvent[] = [];
  for (const id of site.own) {
    const job = projection.jobs.get(id);
    // A payload is not in the site's queue: its pilot is, and reports it.
    if (job === undefined || job.pilot !== undefined) continue;
    const token = attemptToken(job.id, job.attempt);
    const seen: SeenJob = { job, shown: shown.get(token) ?? [], ended: ended.get(token) ?? [] };
    events.push(...observeOne(site, seen, { ...look, projection, nowMs }));
  }
  return [...events, ...observeReservations(projection.reserved, look, nowMs)];
}

/** A job of ours with all that the site shows under its token. */
interface SeenJob {
  readonly job: JobRecord;
  readonly shown: readonly SurveyedJob[];
  readonly ended: readonly SurveyedEnd[];
}

interface TimedLook extends Look {
  readonly projection: Projection;
  readonly nowMs: number;
}

function byToken<T extends { readonly token: string | null }>(jobs: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const job of jobs) {
    if (job.token === null) continue;
    const same = found.get(job.token);
    if (same === undefined) found.set(job.token, [job]);
    else same.push(job);
  }
  return found;
}

function observeOne(site: SiteState, seen: SeenJob, look: TimedLook): StintEvent[] {
  const { job, shown } = seen;
  const ended = seen.ended.find(({ siteJob }) => job.siteJob === null || siteJob === job.siteJob);
  if (ended !== undefined) {
    const ran = ranAt(job, ended);
    const endMs = Math.max(ended.endedAtMs, ran.startedAtMs ?? ended.endedAtMs);
    return [
      ...ticketDebit(ran, ended.end, Math.min(endMs, look.nowMs)),
      ...endEvents(job, ended, look),
      // A pilot costs its site what its payloads cost, and each of these is charged to its owner.
      ...(look.projection.books.pilots.has(job.id)
        ? []
        : jobCharge(ran, site.spec, { end: ended.end, endMs })),
    ];
  }
  const own = shown.find(({ siteJob }) => job.siteJob === null || siteJob === job.siteJob);
  const duplicates = duplicateEvents(
    site,
    job,
    shown.filter((other) => other !== own),
    look,
  );
  if (own === undefined) return job.siteJob === null ? [] : [...missing(site, job, look), ...duplicates];
  const queued: StintEvent[] =
    job.siteJob === null ? [about(job, "attemptQueued", look.nowMs, { siteJob: own.siteJob })] : [];
  return [...queued, ...standing(site, job, own, look), ...duplicates];
}

function endEvents(
  job: JobRecord,
  { siteJob, startedAtMs, endedAtMs, end }: SurveyedEnd,
  { projection, nowMs }: TimedLook,
) {
  const events: StintEvent[] = [];
  if (job.siteJob === null) events.push(about(job, "attemptQueued", nowMs, { siteJob }));
  const beginMs = job.startedAtMs ?? datedAfter(job, startedAtMs ?? 0);
  if (job.startedAtMs === null && startedAtMs !== null) {
    events.push(about(job, "attemptRunning", Math.min(beginMs, nowMs), {}));
  }
  events.push(
    about(
      job,
      "attemptEnded",
      Math.max(Math.min(endedAtMs, nowMs), job.startedAtMs ?? Math.min(beginMs, nowMs)),
      { end, ...repeatOf(projection, startedAtMs === null ? job : { ...job, startedAtMs }, end, nowMs) },
    ),
  );
  return events;
}

/** Sites go by other clocks than we do, and by whole seconds: nothing begins before it was asked for. */
function datedAfter({ submittedAtMs }: JobRecord, atMs: number): number {
  return Math.max(submittedAtMs, atMs);
}

/** The job with the start that its end tells, where it was not seen running. */
function ranAt(job: JobRecord, { startedAtMs }: SurveyedEnd): JobRecord {
  return job.startedAtMs === null ? { ...job, startedAtMs, startDecidedAtMs: startedAtMs } : job;
}

/** Events from the surveyed state of a job, compared with its expected state. */
function standing(site: SiteState, job: JobRecord, own: SurveyedJob, look: TimedLook): StintEvent[] {
  const { nowMs } = look;
  const isUp = own.state === "running" || own.state === "suspended";
  if (isUp && job.startedAtMs === null) {
    site.observation.odd.delete(job.id);
    const atMs = Math.min(datedAfter(job, own.startedAtMs ?? look.survey.atMs), nowMs);
    return [about(job, "attemptRunning", atMs, {})];
  }
  if (own.state === "running" && job.state === "SCHEDULED") {
    site.observation.odd.delete(job.id);
    return [about(job, "attemptResumed", nowMs, {})];
  }
  const kind = correction(job, own);
  if (kind === undefined) {
    site.observation.odd.delete(job.id);
    return [];
  }
  return lastsTooLong(site, job, kind, look) ? [about(job, kind, nowMs, {})] : [];
}

/** The event that would make the record say what the site shows; none where they agree. */
function correction(
  { state, siteJob, startedAtMs, pendingChange, isRecalled = false }: JobRecord,
  own: SurveyedJob,
): CorrectingKind | undefined {
  const hasRun = startedAtMs !== null && (state === "RUNNING" || state === "SUSPENDED");
  switch (own.state) {
    case "waiting":
      if (hasRun) return "attemptRequeued";
      return state === "HELD" ? "attemptReleased" : undefined;
    case "held":
      if (hasRun) return "attemptRequeued";
      if (state === "HELD") return pendingChange === undefined || isRecalled ? undefined : "attemptHeld";
      return state === "SCHEDULED" && siteJob !== null ? "attemptHeld" : undefined;
    case "running":
      return state === "SUSPENDED" || state === "HELD" ? "attemptResumed" : undefined;
    case "suspended":
      return state === "RUNNING" ? "attemptSuspended" : undefined;
    case "unknown":
      return undefined;
  }
}

type CorrectingKind =
  | ("attemptHeld" | "attemptReleased")
  | ("attemptSuspended" | "attemptResumed" | "attemptRequeued");

/** A job that the site has no trace of: cancelled if we asked for that, else lost. */
function missing(site: SiteState, job: JobRecord, look: TimedLook): StintEvent[] {
  if (!lastsTooLong(site, job, "missing", look)) return [];
  const detail = `${site.name} no longer has its job ${job.siteJob}, and does not tell what became of it`;
  const cause = job.isCancelRequested || job.isRecalled === true ? "cancelled" : "lost";
  const end = { cause, exitCode: null, signal: null, cpuMs: null, detail } as const;
  return [about(job, "attemptEnded", look.nowMs, { end, ...retryOf(job, end) })];
}

function lastsTooLong(
  { observation }: SiteState,
  job: JobRecord,
  standingNow: string,
  look: TimedLook,
): boolean {
  const since = observation.odd.get(job.id);
  if (since?.standing !== standingNow) {
    // Not since the survey was taken: the order that explains the difference may be younger than it.
    observation.odd.set(job.id, { standing: standingNow, sinceMs: look.nowMs });
    return false;
  }
  if (look.survey.atMs - since.sinceMs < look.patienceMs) return false;
  observation.odd.delete(job.id);
  return true;
}

/** Second jobs with a token of ours, told of once each. */
function duplicateEvents(
  site: SiteState,
  job: JobRecord,
  duplicates: readonly SurveyedJob[],
  { nowMs }: TimedLook,
) {
  return duplicates
    .filter(({ siteJob }) => !site.observation.duplicates.has(siteJob))
    .map(({ siteJob }) => about(job, "strayFound", nowMs, { site: site.name, siteJob }));
}

type AttemptEvent = Extract<StintEvent, { readonly attempt: number }>;
type BodyOf<Kind> = Omit<Extract<AttemptEvent, { kind: Kind }>, "kind" | "job" | "attempt" | "atMs">;

function about<Kind extends AttemptEvent["kind"]>(
  { id, attempt }: JobRecord,
  kind: Kind,
  atMs: number,
  body: BodyOf<Kind>,
): StintEvent {
  return { kind, job: id, attempt, atMs, ...body } as unknown as StintEvent;
}
