/**
 * What events do to the state: jobs, sites and their queues.
 *
 * `apply` is the only thing that changes it (but for what is seen of foreign sites, which is no event).
 * Finished jobs leave memory; their records live in views.
 */
import { assert, unreachable } from "../base/index.ts";
import { isFinal, isForeign, type JobRecord, NOT_ENFORCED, type StintEvent } from "../model/index.ts";
import { note, settle } from "../queue/index.ts";
import { addedSite, changedSite, drainedSite, noteShares, pausedSite, removedSite } from "./apply-site.ts";
import { changedVo, noteSent } from "./features/organisations/vo-book.ts";
import { keepUseOf, noteVoJobs } from "./features/organisations/vo-use.ts";
import { applyEnforced, applyUndone, undoingOf } from "./features/policies/apply-enforcement.ts";
import { letsInOneByOne } from "./features/policies/enforced-site.ts";
import { actionRecords, noteActed, noteAdvice } from "./features/policies/enforcer.ts";
import { noteAction } from "./features/policies/known-jobs.ts";
import { takeVersion } from "./features/policies/policy-book.ts";
import { applyFollowed } from "./features/policies/policy-followers.ts";
import { noteRefused } from "./features/policies/refusals.ts";
import { noteRecords } from "./features/policies/site-uses.ts";
import { applyPosted } from "./features/reservations/accounts.ts";
import { applyReservation, withoutReservation } from "./features/reservations/apply-reservation.ts";
import { noteDeclared } from "./features/reservations/declared-costs.ts";
import { noteDelays, noteUse } from "./features/reservations/reservation-usage.ts";
import { markUnsettled, queueOf } from "./features/reservations/reserved.ts";
import { applyFiles, filesGone, noteFilesOf } from "./features/storage/files-book.ts";
import { applyTicketKey, holdTicket, leaveTicket, noteTicketEnds } from "./features/tickets/ticket-book.ts";
import { comesBack, lateOutcome, turnedToPriced } from "./features/virtual-reservations/release.ts";
import { acceptedJob, cameBack, causeOf, NOT_STARTED, outcomeOf } from "./job-records.ts";
import { applyPeer } from "./peers/peer-book.ts";
import { withScores } from "./site-selection/scores.ts";
import { needOf } from "./site-state.ts";
import { type Projection, type RecordChange, siteOf } from "./state.ts";
import { suspendedPart } from "./suspension.ts";
import { applyToken } from "./tokens.ts";

/** Applies one event, in place; gives the records that it changed. */
export function apply(projection: Projection, event: StintEvent): RecordChange[] {
  const used = noteUse(projection, event);
  const changes = withScores(projection, [...used, ...applied(projection, event)], event.atMs);
  const jobs = changes.flatMap((change) => (change.kind === "job" ? [change.record] : []));
  if (jobs.length > 0) {
    noteRecords(projection, jobs, event.atMs);
    noteVoJobs(projection, jobs, event.atMs);
  }
  noteTurn(projection, event);
  const files = noteFilesOf(projection, jobs, event.atMs);
  const tickets = noteTicketEnds(projection.tickets, jobs);
  return [...changes, ...noteDelays(projection, event, jobs), ...files, ...tickets];
}

/** What may change the verdict of every site. */
const FOR_ALL_SITES: readonly StintEvent["kind"][] = ["policiesApplied", "peerHeard", "peerForgotten"];

/** What concerns a site in another way than by its jobs may change what its enforcer asks for. */
function noteTurn({ sites }: Projection, event: StintEvent): void {
  const isForAll = FOR_ALL_SITES.includes(event.kind);
  for (const { name, enforcer } of sites.values()) {
    if (isForAll || ("site" in event && event.site === name)) enforcer.version++;
  }
}

function applied(projection: Projection, event: StintEvent): RecordChange[] {
  switch (event.kind) {
    case "siteAdded":
      return addedSite(projection, event.site, event.spec, event.atMs);
    case "siteChanged":
      return changedSite(projection, event.site, event.spec, event.atMs);
    case "siteDrained":
    case "siteReopened":
      return drainedSite(projection, event.site, event.kind === "siteDrained");
    case "siteRemoved":
      return [...removedSite(projection, event.site), ...filesGone(projection, event.site, event.atMs)];
    case "jobAccepted":
      return acceptedAs(projection, event);
    case "ticketKeyTrusted":
    case "ticketKeyRevoked":
      return [applyTicketKey(projection.tickets, event)];
    case "jobsParked":
      for (const job of event.jobs) if (projection.unplaced.delete(job)) projection.parked.add(job);
      return [];
    case "queueSettled":
      return settled(projection, event.site, event.starts, event.atMs);
    case "tokenCreated":
    case "tokenRevoked":
      return [{ kind: "token", record: applyToken(projection, event) }];
    case "policiesApplied":
      return applyPolicyVersion(projection, event);
    case "enforced":
      return enforcedAt(projection, event);
    case "enforcementAnswered":
      return answeredAt(projection, event);
    case "enforcementUndone":
      return undoneAt(projection, event);
    case "enforcementAdvised":
      noteAdvice(siteOf(projection, event.site).enforcer, event.actions);
      return actionRecords(event, projection.jobs);
    case "policiesFollowed":
    case "policiesUnfollowed":
      return applyFollowed(projection, event);
    case "peerHeard":
    case "peerForgotten":
      return applyPeer(projection, event);
    case "enforcementPaused":
    case "enforcementContinued":
      return pausedSite(projection, event.site, event.kind === "enforcementPaused");
    case "filesCounted":
      return applyFiles(projection, event);
    case "filesCleared":
      return applyFiles(projection, { ...event, bytes: null });
    case "voChanged":
      return [{ kind: "vo", record: voChanged(projection, event) }];
    case "sharesOrdered":
    case "sharesAnswered":
      return noteShares(projection, event);
    case "posted":
      return applyPosted(siteOf(projection, event.site).ledger, event);
    case "transfersMeasured":
    case "requestDenied":
    case "sharesTakeBackOrdered":
    case "strayFound":
      return [];
    default:
      return "reservation" in event ? applyReservation(projection, event) : applyToJob(projection, event);
  }
}

type JobEvent = Exclude<
  Extract<StintEvent, { readonly job: string }>,
  { readonly kind: "jobAccepted" | "strayFound" | "enforcementUndone" }
>;

function applyToJob(projection: Projection, event: JobEvent): RecordChange[] {
  const job = projection.jobs.get(event.job);
  assert(job !== undefined, `an event is about a job that is not over: ${event.job}`);
  switch (event.kind) {
    case "jobPlaced":
      return [...placed(projection, job, event), ...sent(projection, job, event)];
    case "jobHeld":
    case "attemptHeld":
      return moved(projection, job, "hold", { state: "HELD" });
    case "jobReleased":
    case "attemptReleased":
      return moved(projection, job, "release", { state: releasedState(projection, job) });
    case "jobSuspended":
    case "attemptSuspended":
      return moved(
        projection,
        job,
        "suspend",
        suspendedPart(job, siteOf(projection, job.site ?? "").spec, event.atMs),
      );
    case "jobResumed":
      return moved(projection, job, "resume", { state: "SCHEDULED", startDecidedAtMs: null });
    case "attemptResumed":
      return moved(projection, job, "resume", { state: "RUNNING", startDecidedAtMs: event.atMs });
    case "jobCancelled":
      return moved(projection, job, "cancel", {
        ...{ state: "CANCELLED", endedAtMs: event.atMs, ...causeOf(event) },
      });
    case "virtualGivenUp":
      return givenUp(projection, job);
    case "cancelRequested":
      return [keep(projection, { ...job, isCancelRequested: true, ...causeOf(event) })];
    case "attemptQueued":
      return [keep(projection, { ...asItArrived(projection, job), siteJob: event.siteJob })];
    case "ticketDebited":
      return debited(projection, job, event);
    case "attemptRunning":
      return [keep(projection, { ...job, ...runningNow(projection, job, event.atMs) })];
    case "attemptRequeued":
      return [keep(projection, { ...job, ...NOT_STARTED, state: "SCHEDULED" })];
    case "attemptEnded":
      if (cameBack(job, event.end) || comesBack(projection, job)) return waitsAnew(projection, job);
      return moved(projection, job, "end", {
        ...{ ...outcomeOf(event.end), ...lateOutcome(job), endedAtMs: event.atMs },
      });
    default:
      return unreachable(event);
  }
}

function acceptedAs(
  projection: Projection,
  event: Extract<StintEvent, { kind: "jobAccepted" }>,
): RecordChange[] {
  const job = acceptedJob(event, ++projection.accepted);
  projection.unplaced.add(job.id);
  const { ticket } = event;
  const held = ticket === undefined ? [] : [holdTicket(projection.tickets, ticket, event.atMs)];
  return [keep(projection, job), ...held];
}

/** What it holds of its ticket is let go; of what it used so much is gone. */
function debited(
  projection: Projection,
  job: JobRecord,
  { amountMs }: Extract<JobEvent, { kind: "ticketDebited" }>,
): RecordChange[] {
  const { ticket } = job;
  assert(ticket !== undefined, "what is debited was taken under a ticket");
  const left = keep(projection, { ...job, ticket: { ...ticket, heldMs: 0 } });
  return [left, ...leaveTicket(projection.tickets, job, amountMs)];
}

/** A job that is nowhere any more waits for a site as if it had just come, but in its order. */
function waitsAnew(projection: Projection, job: JobRecord, left: "end" | "cancel" = "end"): RecordChange[] {
  const site = projection.sites.get(job.site ?? "");
  site?.own.delete(job.id);
  if (site !== undefined && !isForeign(site.spec)) {
    note(queueOf(projection, job), { kind: left, job: job.id });
    markUnsettled(projection, job);
  }
  projection.parked.delete(job.id);
  projection.unplaced.add(job.id);
  const { virtual } = job.description;
  const back = virtual === undefined ? withoutReservation(job) : turnedToPriced(projection, job);
  const nowhere = { ...NOT_STARTED, site: null, siteJob: null, isRecalled: false } as const;
  const { ticket } = back;
  // One that goes on in a reservation leaves its ticket: the place there is paid for, or held for, already.
  const isFree = ticket === undefined || back.description.reservation === undefined;
  const under = isFree ? {} : { ticket: { ...ticket, heldMs: 0 } };
  const there = keep(projection, { ...back, ...under, ...nowhere, state: "WAITING" });
  return isFree ? [there] : [there, ...leaveTicket(projection.tickets, job, 0)];
}

/** One that its site has, or is about to have, leaves when that says so. */
function givenUp(projection: Projection, job: JobRecord): RecordChange[] {
  const site = projection.sites.get(job.site ?? "");
  const isGone = site === undefined || (!isForeign(site.spec) && job.startDecidedAtMs === null);
  return isGone ? waitsAnew(projection, job, "cancel") : [keep(projection, { ...job, isRecalled: true })];
}

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

/** Every managed site is looked at again under the new policies. */
function applyPolicyVersion(
  projection: Projection,
  event: Extract<StintEvent, { kind: "policiesApplied" }>,
): RecordChange[] {
  const { version, policies, effectiveFromMs, by, note: words, atMs } = event;
  const record = { version, policies, effectiveFromMs, appliedAtMs: atMs, by, note: words };
  takeVersion(projection.policies, record);
  return [{ kind: "policies", record }];
}

function enforcedAt(
  projection: Projection,
  event: Extract<StintEvent, { kind: "enforced" }>,
): RecordChange[] {
  const { enforcer, spec } = siteOf(projection, event.site);
  noteActed(enforcer, event.actions, event.atMs);
  if (isForeign(spec)) {
    for (const action of event.actions) noteAction(enforcer.known, action, event.atMs);
    return actionRecords(event, projection.jobs);
  }
  const changed = applyEnforced(projection, event).flatMap((record) => keep(projection, record));
  return [...changed, ...actionRecords(event, projection.jobs)];
}

function undoneAt(
  projection: Projection,
  event: Extract<StintEvent, { kind: "enforcementUndone" }>,
): RecordChange[] {
  const { site, atMs } = event;
  const actions = [undoingOf(projection, event)];
  const changed = applyUndone(projection, event).flatMap((record) => keep(projection, record));
  return [...changed, ...actionRecords({ kind: "enforced", site, actions, atMs }, projection.jobs)];
}

function answeredAt(
  projection: Projection,
  event: Extract<StintEvent, { kind: "enforcementAnswered" }>,
): RecordChange[] {
  const { site, atMs } = event;
  const actions = noteRefused(siteOf(projection, site).enforcer, event, atMs);
  return actionRecords({ kind: "enforced", site, actions, atMs }, projection.jobs);
}

/** Takes over a changed record; one that is over leaves memory. */
function keep(projection: Projection, record: JobRecord): RecordChange {
  const isVirtual = record.description.virtual !== undefined && !isFinal(record.state);
  if (isVirtual) projection.virtual.add(record.id);
  else projection.virtual.delete(record.id);
  if (!isFinal(record.state)) {
    projection.jobs.set(record.id, record);
    noteDeclared(projection.declared, record);
  } else {
    projection.jobs.delete(record.id);
    projection.declared.delete(record.id);
    if (record.site !== null) siteOf(projection, record.site).own.delete(record.id);
  }
  return { kind: "job", record };
}

function placed(
  projection: Projection,
  job: JobRecord,
  { site: name, attempt, recommended, atMs }: Extract<JobEvent, { kind: "jobPlaced" }>,
): RecordChange[] {
  const site = siteOf(projection, name);
  projection.unplaced.delete(job.id);
  projection.parked.delete(job.id);
  const arrival = { kind: "arrive", job: job.id, ...needOf(job.description, site.spec) } as const;
  const said = recommended === undefined ? {} : { recommended };
  if (isForeign(site.spec)) {
    // What waits in a reservation there is no part of the site's own queue.
    if (job.description.reservation === undefined) note(site.queue, arrival);
    site.own.add(job.id);
    return [keep(projection, { ...job, ...said, state: "READY", site: name, siteJob: null, attempt })];
  }
  const there: JobRecord = { ...job, ...said, state: "SCHEDULED", site: name, attempt };
  note(queueOf(projection, there), arrival);
  markUnsettled(projection, there);
  if (!letsInOneByOne(projection, site, there, atMs)) return [keep(projection, there)];
  note(queueOf(projection, there), { kind: "hold", job: job.id });
  return [keep(projection, { ...there, enforced: { ...NOT_ENFORCED, isHeld: true } })];
}

/** What its groups use is kept from now on where it has an enforcer. */
function voChanged(projection: Projection, event: Extract<StintEvent, { kind: "voChanged" }>) {
  const record = changedVo(projection.vos, event);
  keepUseOf(projection, record, [], event.atMs);
  return record;
}

/** Where its organisation has said how its jobs are placed, it is kept where they went. */
function sent(
  { vos }: Projection,
  { consumer }: JobRecord,
  { site, atMs }: Extract<JobEvent, { kind: "jobPlaced" }>,
): RecordChange[] {
  const record = noteSent(vos, { consumer, site }, atMs);
  return record === undefined ? [] : [{ kind: "vo", record }];
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
    const { spec, observation } = siteOf(projection, job.site);
    // What the enforcer has not let in is outside the queue whoever else holds it.
    const isOutside = job.enforced?.isHeld === true && (operation === "hold" || operation === "release");
    if (!isOutside) note(queueOf(projection, job), { kind: operation, job: job.id });
    if (isForeign(spec)) observation.odd.delete(job.id);
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
