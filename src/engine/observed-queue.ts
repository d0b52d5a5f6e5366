/**
 * A foreign site's queue as it was seen, made into a queue that can be played forward (rule EN-18).
 *
 * A batch system may show more than its capacity in use, jobs beyond their limits, and jobs wider than
 * itself; predictions must not fail on that. What does not fit beside the rest is cut to what is left,
 * what is overdue counts as about to end, and what never fits is left out.
 */
import { attemptToken, columnsAt, isWithinSite, type JobRecord } from "../model/index.ts";
import { keepWhatIsLeft, note } from "../queue/index.ts";
import { standingsThere } from "./features/policies/foreign-view.ts";
import { noteSeen } from "./features/policies/site-uses.ts";
import { noteShownThere } from "./state/peer-use.ts";
import { type Projection, tryParkedAgain } from "./state/projection.ts";
import { heldAt, keepRest } from "./state/reserved.ts";
import { emptyQueue, isLargeEnough, needOf, plannedNeedOf, type SiteState } from "./state/site-state.ts";
import type { ExternalReservation, Survey, SurveyedJob } from "./survey.ts";
import { putInto } from "./take-over.ts";

/** Assumed remaining time of a job that is past its limit. */
const OVERDUE_MS = 60_000;

/** Takes over what a look showed; what it means for our jobs is recorded before (`observeSurvey`). */
export function takeSurvey(projection: Projection, name: string, survey: Survey, nowMs: number): void {
  const site = projection.sites.get(name);
  if (site === undefined) return;
  const { observation } = site;
  if (survey.atMs < (observation.seenAtMs ?? Number.NEGATIVE_INFINITY)) return;
  const wasAway = observation.seenAtMs === null || observation.trouble !== null;
  observation.seenAtMs = survey.atMs;
  observation.trouble = null;
  observation.jobs = survey.jobs;
  observation.queues = survey.queues ?? [];
  noteSeen(projection, site, standingsThere(projection, site, nowMs), nowMs);
  // What has a token is ours.
  const others = survey.jobs.flatMap(({ token, siteJob }) => (token === null ? [siteJob] : []));
  if (projection.peers.size > 0) noteShownThere(projection.peers, name, new Set(others));
  paint(projection, site, survey, nowMs);
  if (wasAway) tryParkedAgain(projection);
}

/** Notes that a site cannot be reached or used: nor could our orders, so only what is missing stays odd. */
export function noteTrouble(
  projection: Pick<Projection, "sites">,
  name: string,
  trouble: string | null,
): void {
  const observation = projection.sites.get(name)?.observation;
  if (observation === undefined) return;
  observation.trouble = trouble;
  for (const [job, { standing }] of observation.odd) if (standing !== "missing") observation.odd.delete(job);
}

function paint(projection: Projection, site: SiteState, survey: Survey, nowMs: number): void {
  const { jobs, reserved } = projection;
  const ourJob = ourJobsByToken(jobs, site);
  const painting: Painting = { site, nowMs, left: [...columnsAt(site.spec, site.spec)] };
  const unseen = new Set(site.own);
  const duplicates = new Set<string>();
  const reasons = new Map<string, string>();
  site.queue = emptyQueue(site.spec, nowMs);
  const inUse = survey.jobs.filter(({ state }) => state === "running");
  const others = survey.jobs.filter(({ state }) => state !== "running");
  const keepReserved = (): void => {
    for (const record of heldAt(reserved, site.name))
      keepRest(site.queue, { spec: site.spec, record }, nowMs);
    for (const others of survey.setAside ?? []) keepAside(site, others, nowMs);
  };
  for (const seen of [...inUse, "reservations" as const, ...others]) {
    if (seen === "reservations") {
      keepReserved();
      continue;
    }
    const ours = seen.token === null ? undefined : ourJob.get(seen.token);
    if (ours !== undefined && ours.siteJob !== null && ours.siteJob !== seen.siteJob) {
      duplicates.add(seen.siteJob);
      continue;
    }
    if (ours !== undefined && !unseen.delete(ours.id)) continue;
    if (ours !== undefined && seen.reason !== null) reasons.set(ours.id, seen.reason);
    // What is in a reservation uses nothing besides it.
    if (ours === undefined ? isSetAside(survey, seen) : isInReservation(reserved, ours)) continue;
    if (site.queue.handleOf.has(nameOf(seen, ours))) continue;
    if (seen.state === "running") paintRunning(painting, seen, ours);
    else paintWaiting(painting, seen, ours);
  }
  site.observation.duplicates = duplicates;
  site.observation.reasons = reasons;
  noteUnseen(
    site,
    [...unseen]
      .flatMap((id) => jobs.get(id) ?? [])
      .filter((job) => job.pilot === undefined && !isInReservation(reserved, job)),
  );
}

function isInReservation({ records }: Projection["reserved"], { description }: JobRecord): boolean {
  return description.reservation !== undefined && records.has(description.reservation);
}

function isSetAside({ setAside = [] }: Survey, seen: SurveyedJob): boolean {
  return seen.setAside !== undefined && setAside.some(({ name }) => name === seen.setAside);
}

function keepAside({ queue }: SiteState, { name, ...others }: ExternalReservation, nowMs: number): void {
  const startMs = Math.max(others.startMs, nowMs);
  if (startMs < others.endMs) keepWhatIsLeft(queue, `~${name}`, { ...others, startMs }, nowMs);
}

interface Painting {
  readonly site: SiteState;
  readonly nowMs: number;
  /** Amounts that no running job uses, in the columns of the queue. */
  readonly left: number[];
}

function ourJobsByToken(jobs: ReadonlyMap<string, JobRecord>, { own }: SiteState): Map<string, JobRecord> {
  const found = new Map<string, JobRecord>();
  for (const id of own) {
    const job = jobs.get(id);
    if (job !== undefined) found.set(attemptToken(id, job.attempt), job);
  }
  return found;
}

function paintRunning({ site, nowMs, left }: Painting, seen: SurveyedJob, ours: JobRecord | undefined): void {
  const need = columnsAt(site.spec, seen).map((amount, column) => Math.min(amount, left[column]));
  if (need[0] < 1) return;
  for (const [column, amount] of need.entries()) left[column] -= amount;
  const startMs = Math.min(seen.startedAtMs ?? nowMs, nowMs);
  const endMs = startMs + limitAt(site, seen);
  const estimateMs = (endMs > nowMs ? endMs : nowMs + OVERDUE_MS) - startMs;
  const running = {
    state: "running",
    startMs,
    pool: 0,
    estimateMs,
    need,
    arrivedAtMs: seen.submittedAtMs,
  } as const;
  putInto(site.queue, nameOf(seen, ours), running);
}

/** Ours waits unless we hold it, whatever it does there: it is held until its first order arrives. */
function paintWaiting({ site }: Painting, seen: SurveyedJob, ours: JobRecord | undefined): void {
  if (!isWithinSite(site.spec, seen) || seen.procs < 1) return;
  const need = columnsAt(site.spec, seen);
  const found = { need, estimateMs: limitAt(site, seen), arrivedAtMs: seen.submittedAtMs };
  putInto(site.queue, nameOf(seen, ours), { ...found, state: waitingState(seen, ours) });
}

function waitingState({ state }: SurveyedJob, ours: JobRecord | undefined) {
  if (ours === undefined) return state === "suspended" || state === "held" ? state : "waiting";
  if (ours.state === "SUSPENDED") return "suspended";
  return ours.state === "HELD" ? "held" : "waiting";
}

function limitAt({ spec }: SiteState, { limitMs }: SurveyedJob): number {
  return Math.max(1, limitMs ?? spec.defaultWallTimeMs);
}

function nameOf({ siteJob }: SurveyedJob, ours: JobRecord | undefined): string {
  return ours === undefined ? `~${siteJob}` : ours.id;
}

/** Our jobs that are on their way to it come behind what it has; it may have become too small for them. */
function noteUnseen(site: SiteState, jobs: readonly JobRecord[]): void {
  const { queue, spec } = site;
  for (const job of [...jobs].sort((a, b) => a.order - b.order)) {
    if (job.startedAtMs !== null || !isLargeEnough(site, job.description)) continue;
    if (job.state === "HELD") queue.heldOutside.set(job.id, plannedNeedOf(job, spec));
    else note(queue, { kind: "arrive", job: job.id, ...needOf(job.description, spec) });
  }
}
