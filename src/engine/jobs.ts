/**
 * Jobs: what is asked of them, and what happens to them and, with them, to the queues of their sites.
 */
import { accepted, refused } from "../base/index.ts";
import { isForeign, type JobRecord, type JobState, type JobVerb } from "../model/index.ts";
import { note } from "../queue/index.ts";
import { changedDescription } from "./changed-description.ts";
import { effectiveState } from "./effective-state.ts";
import type { Answer, CommandOf, EventOf, Feature } from "./feature.ts";
import { withoutReservation } from "./features/reservations/apply-reservation.ts";
import { comesBack, lateOutcome, turnedToPriced } from "./features/virtual-reservations/release.ts";
import {
  acceptedJob,
  cameBack,
  causeOf,
  isShallowOver,
  NOT_STARTED,
  outcomeOf,
  retriedJob,
  withRanBefore,
} from "./job-records.ts";
import { jobOf, keepJob as keep } from "./keep-job.ts";
import { largerJob } from "./larger-retry.ts";
import { restoreArrays } from "./state/arrays.ts";
import { dependenciesOf } from "./state/dependents.ts";
import { jobRow } from "./state/job-row.ts";
import { ofJobOver } from "./state/outdated.ts";
import { addUnplaced, type Projection, type RecordChange, siteOf, toPlace } from "./state/projection.ts";
import { markUnsettled, queueOf } from "./state/reserved.ts";
import { leaveTicket } from "./state/ticket-book.ts";
import { submit } from "./submit.ts";
import { suspendedPart } from "./suspension.ts";

/** In which states each verb applies. */
export const ALLOWED_IN: Readonly<Record<JobVerb, readonly JobState[]>> = {
  cancel: ["WAITING", "READY", "SCHEDULED", "RUNNING", "HELD", "SUSPENDED"],
  hold: ["WAITING", "READY", "SCHEDULED"],
  release: ["HELD"],
  suspend: ["RUNNING"],
  resume: ["SUSPENDED"],
};

type Applied<Event> = (projection: Projection, event: Event) => readonly RecordChange[];

/** Applies an event to the job that it names. */
function onJob<Event extends { readonly job: string }>(
  then: (projection: Projection, job: JobRecord, event: Event) => readonly RecordChange[],
): Applied<Event> {
  return (projection, event) => then(projection, jobOf(projection, event.job), event);
}

/** A payload that is held before it begins is taken back from its pilot, and is held at the broker. */
const held = onJob((projection, job) => {
  const isTakenBack = job.pilot !== undefined && job.startedAtMs === null;
  return moved(projection, job, "hold", { state: "HELD", ...(isTakenBack ? { isRecalled: true } : {}) });
});
/**
 * A job that leaves its site's queue is cancelled there once the site holds it. One that its user holds too
 * leaves only to be changed.
 */
const heldAtSite = onJob((projection, job, event: EventOf<"attemptHeld">) =>
  job.isLeaving === true && (job.state !== "HELD" || job.pendingChange !== undefined)
    ? [keep(projection, { ...job, isRecalled: true })]
    : held(projection, event),
);
const released = onJob((projection, job) =>
  moved(projection, job, "release", { state: releasedState(projection, job) }),
);
const suspended = onJob((projection, job, { atMs }: { readonly job: string; readonly atMs: number }) => {
  const { spec } = siteOf(projection, job.site ?? "");
  return moved(projection, job, "suspend", suspendedPart(job, spec, atMs));
});

export const jobs = {
  name: "jobs",
  answers: {
    submit,
    cancel: answerVerb,
    hold: answerVerb,
    release: answerVerb,
    suspend: answerVerb,
    resume: answerVerb,
  },
  applies: {
    jobAccepted: acceptedAs,
    jobHeld: held,
    attemptHeld: heldAtSite,
    jobReleased: released,
    attemptReleased: released,
    jobSuspended: suspended,
    attemptSuspended: suspended,
    jobResumed: onJob((projection, job) =>
      moved(projection, job, "resume", { state: "SCHEDULED", startDecidedAtMs: null }),
    ),
    attemptResumed: onJob((projection, job, { atMs }) =>
      moved(projection, job, "resume", { state: "RUNNING", startDecidedAtMs: atMs }),
    ),
    jobCancelled: onJob((projection, job, event) =>
      moved(projection, job, "cancel", { state: "CANCELLED", endedAtMs: event.atMs, ...causeOf(event) }),
    ),
    virtualGivenUp: onJob(givenUp),
    jobExpired: onJob((projection, job, { atMs }) => {
      const abortReason = { kind: "expired", detail: "" } as const;
      return moved(projection, job, "cancel", { state: "ABORTED", endedAtMs: atMs, abortReason });
    }),
    cancelRequested: onJob((projection, job, event) => [
      keep(projection, { ...job, isCancelRequested: true, ...causeOf(event) }),
    ]),
    attemptQueued: onJob((projection, job, { siteJob }) => [
      keep(projection, { ...asItArrived(projection, job), siteJob }),
    ]),
    attemptRunning: onJob((projection, { pendingChange: _, ...job }, { atMs }) => [
      keep(projection, { ...job, ...runningNow(projection, job, atMs) }),
    ]),
    attemptRequeued: onJob((projection, job) => [
      keep(projection, { ...job, ...NOT_STARTED, state: "SCHEDULED" }),
    ]),
    attemptEnded: onJob(ended),
    // The second job is cancelled where it was found; ours is as it was.
    strayFound: () => [],
  },
  outdates: {
    attemptQueued: ofJobOver,
    attemptRunning: ofJobOver,
    attemptRequeued: ofJobOver,
    attemptHeld: ofJobOver,
    attemptReleased: ofJobOver,
    attemptSuspended: ofJobOver,
    attemptResumed: ofJobOver,
    attemptEnded: ofJobOver,
    virtualGivenUp: ofJobOver,
    jobExpired: ofJobOver,
  },
  views: [
    {
      name: "jobs",
      columns: {
        ...{ state: "text", owner: "text", consumer: "text", site: "text" },
        ...{ submittedAtMs: "integer", ord: "integer", endedAtMs: "integer" },
        ...{ name: "text", tags: "text", array: "text", exitCode: "integer" },
      },
    },
  ],
  rows: {
    job: jobRow,
  },
  restore: (projection, { jobs, arrays = [], accepted }) => {
    projection.accepted = accepted;
    restoreArrays(projection.arrays, arrays);
    const inOrder = [...jobs].sort((a, b) => a.order - b.order);
    for (const job of inOrder) restoreJob(projection, job);
    // Once all are there: an array lets jobs go only while too few of it are at sites.
    for (const job of inOrder) if (job.site === null && job.state === "WAITING") toPlace(projection, job);
  },
} as const satisfies Feature;

function restoreJob(projection: Projection, job: JobRecord): void {
  keep(projection, job);
  const site = projection.sites.get(job.site ?? "");
  if (site !== undefined && isForeign(site.spec)) site.own.add(job.id);
}

/** Answers a verb on one job. */
export function answerVerb(
  { jobs, sites, books }: Projection,
  { kind, job: id, by }: CommandOf<JobVerb>,
  nowMs: number,
): Answer {
  const job = jobs.get(id);
  if (job === undefined) return refused({ kind: "unknownJob", job: id });
  const state = effectiveState(job);
  const allowedIn = ALLOWED_IN[kind];
  if (!allowedIn.includes(state))
    return refused({ kind: "wrongState", job: id, verb: kind, state, allowedIn });
  if (kind === "cancel" && job.isCancelRequested) return accepted([]);
  if (kind === "resume" && job.enforced?.isStopped === true) {
    return refused({ kind: "stoppedByPolicy", job: id, site: job.site });
  }
  const stream = books.streams.get(id);
  if (kind === "release" && (stream?.admittedAtMs === null || stream?.trials !== undefined)) {
    return refused({ kind: "streamNotAdmitted", job: id });
  }
  const spec = sites.get(job.site ?? "")?.spec;
  const isElsewhere = spec !== undefined && isForeign(spec);
  const who = by === undefined ? {} : { by };
  return accepted([{ kind: eventOf(kind, isElsewhere || hasBegun(job)), job: id, ...who, atMs: nowMs }]);
}

/** @param isOutOfHand a site has a say in how it ends */
function eventOf(kind: JobVerb, isOutOfHand: boolean) {
  switch (kind) {
    case "cancel":
      return isOutOfHand ? "cancelRequested" : "jobCancelled";
    case "hold":
      return "jobHeld";
    case "release":
      return "jobReleased";
    case "suspend":
      return "jobSuspended";
    case "resume":
      return "jobResumed";
  }
}

/** True if the site has, or is about to have, a process of this job. */
function hasBegun(job: JobRecord): boolean {
  return job.startDecidedAtMs !== null || job.startedAtMs !== null;
}

function ended(
  projection: Projection,
  job: JobRecord,
  { end, retry, more, atMs }: EventOf<"attemptEnded">,
): readonly RecordChange[] {
  const left = withRanBefore(job, retry);
  if (more !== undefined) return waitsAnew(projection, largerJob(left, more));
  if (retry !== undefined && retry !== "larger") return waitsAnew(projection, retriedJob(left, retry));
  if (cameBack({ ...job, isRecalled: job.isLeaving === true }, end)) return leftQueue(projection, job, atMs);
  if (cameBack(job, end) || comesBack(projection, job)) return waitsAnew(projection, job);
  return moved(projection, job, "end", { ...outcomeOf(end), ...lateOutcome(job), endedAtMs: atMs });
}

function acceptedAs(projection: Projection, event: EventOf<"jobAccepted">): RecordChange[] {
  const depends = dependenciesOf(projection, event.description, event.ends ?? {});
  const job = { ...acceptedJob(event, ++projection.accepted), ...depends };
  toPlace(projection, job);
  return [keep(projection, job)];
}

/** A job that is nowhere any more waits for a site as if it had just come, but in its order. */
export function waitsAnew(
  projection: Projection,
  job: JobRecord,
  left: "end" | "cancel" = "end",
): RecordChange[] {
  const site = projection.sites.get(job.site ?? "");
  site?.own.delete(job.id);
  if (site !== undefined && !isForeign(site.spec)) {
    note(queueOf(projection, job), { kind: left, job: job.id });
    markUnsettled(projection, job);
  }
  projection.parked.delete(job.id);
  const isHeld = job.state === "HELD";
  if (!isHeld) addUnplaced(projection.unplaced, job);
  const unbound = unboundJob(job);
  const { virtual } = unbound.description;
  const back = virtual === undefined ? withoutReservation(unbound) : turnedToPriced(projection, unbound);
  const nowhere = { ...NOT_STARTED, site: null, siteJob: null, isRecalled: false } as const;
  const { ticket } = back;
  // One that goes on in a reservation leaves its ticket: the place there is paid for, or held for, already.
  const isFree = ticket === undefined || back.description.reservation === undefined;
  const under = isFree ? {} : { ticket: { ...ticket, heldMs: 0 } };
  const there = keep(projection, { ...back, ...under, ...nowhere, state: isHeld ? "HELD" : "WAITING" });
  return isFree ? [there] : [there, ...leaveTicket(projection.tickets, job, 0)];
}

/** The job without all that binds it to its site, and with its pending change. */
function unboundJob(job: JobRecord): JobRecord {
  const { pilot: _, account: _account, leaveAtMs: _leaveAtMs, isLeaving: _isLeaving, ...rest } = job;
  const { pendingChange, ...unbound } = rest;
  if (pendingChange === undefined) return unbound;
  return { ...unbound, description: changedDescription(unbound.description, pendingChange) };
}

/** A job whose queue time at its site was over waits for another one, or has waited too long. */
export function leftQueue(projection: Projection, job: JobRecord, atMs: number): RecordChange[] {
  if (job.pendingChange !== undefined) return waitsAnew(projection, job, "cancel");
  if (!isShallowOver(job)) return waitsAnew(projection, retriedJob(job, "shallow"), "cancel");
  const abortReason = { kind: "waitedTooLong", detail: "" } as const;
  return moved(projection, job, "cancel", { state: "ABORTED", endedAtMs: atMs, abortReason });
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
  // A payload that began before it could be taken back stays where it is.
  const stays = job.isLeaving === true ? { isLeaving: false, isRecalled: false } : {};
  const here = job.pilot === undefined ? stays : { ...stays, isRecalled: false };
  return { ...here, state, startedAtMs: atMs, ...(isOurs ? {} : { startDecidedAtMs: atMs }) };
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
    if (operation === "release") toPlace(projection, job);
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
