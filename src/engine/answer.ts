/**
 * Answers what people ask (rules EN-1, EN-6, EN-7, EN-8, EN-12, EN-13, EN-21, EN-31).
 */
import { accepted, assert, type Result, refused } from "../base/index.ts";
import { baseCharge, isCounted } from "../market/index.ts";
import {
  type Command,
  isForeign,
  isWithin,
  type JobDescription,
  type JobRecord,
  type JobState,
  type JobVerb,
  type Refusal,
  type ReservationMisfit,
  type ReservationRecord,
  type StintEvent,
} from "../model/index.ts";
import { addSite, changeSite, drainOrReopen, removeSite } from "./answer-site.ts";
import { orderShares } from "./batch-system/share-orders.ts";
import { effectiveState } from "./effective-state.ts";
import { changeVo } from "./features/organisations/answer-vo.ts";
import { applyPolicies, pauseOrContinue, undoEnforcement } from "./features/policies/answer-policies.ts";
import { whyDenied } from "./features/policies/policy-denials.ts";
import { followPolicies, unfollowPolicies } from "./features/policies/policy-followers.ts";
import { shortRefusal } from "./features/reservations/accounts.ts";
import { answerReservation } from "./features/reservations/answer-reservation.ts";
import { whyNotDeclare } from "./features/reservations/declared-costs.ts";
import { siteTariff } from "./features/reservations/price-terms.ts";
import { answerFiles } from "./features/storage/answer-files.ts";
import { noteTransfers } from "./features/storage/note-transfers.ts";
import { exceedsQuota } from "./features/storage/store-limits.ts";
import { holdOf, revokeTicketKey, trustTicketKey, whyNotUnder } from "./features/tickets/answer-ticket.ts";
import { whyNotVirtualReservation } from "./features/virtual-reservations/answer-virtual.ts";
import { forgetPeer, hearPeer } from "./peers/peer-book.ts";
import { isLargeEnough, isUsable } from "./site-state.ts";
import type { Projection } from "./state.ts";
import { createToken, revokeToken } from "./tokens.ts";

/** In which states each verb applies. */
export const ALLOWED_IN: Readonly<Record<JobVerb, readonly JobState[]>> = {
  cancel: ["WAITING", "READY", "SCHEDULED", "RUNNING", "HELD", "SUSPENDED"],
  hold: ["WAITING", "READY", "SCHEDULED"],
  release: ["HELD"],
  suspend: ["RUNNING"],
  resume: ["SUSPENDED"],
};

/** Answers a command with the events that carry it out, or with the reason why not. */
export function answer(
  projection: Projection,
  command: Command,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  switch (command.kind) {
    case "addSite":
      return addSite(projection, command, nowMs);
    case "changeSite":
      return changeSite(projection, command, nowMs);
    case "drainSite":
    case "reopenSite":
      return drainOrReopen(projection, command, nowMs);
    case "removeSite":
      return removeSite(projection, command, nowMs);
    case "submit":
      return submit(projection, command, nowMs);
    case "createToken":
      return createToken(projection, command, nowMs);
    case "revokeToken":
      return revokeToken(projection, command, nowMs);
    case "trustTicketKey":
      return trustTicketKey(projection, command, nowMs);
    case "revokeTicketKey":
      return revokeTicketKey(projection, command, nowMs);
    case "offerSlot":
    case "offerTogether":
    case "acceptOffer":
    case "cancelReservation":
    case "relinquish":
    case "extendReservation":
    case "grant":
      return answerReservation(projection, command, nowMs);
    case "applyPolicies":
      return applyPolicies(projection, command, nowMs);
    case "followPolicies":
      return followPolicies(projection, command, nowMs);
    case "unfollowPolicies":
      return unfollowPolicies(projection, command, nowMs);
    case "hearPeer":
      return hearPeer(projection, command, nowMs);
    case "forgetPeer":
      return forgetPeer(projection, command, nowMs);
    case "pauseEnforcement":
    case "continueEnforcement":
      return pauseOrContinue(projection, command, nowMs);
    case "orderShares":
    case "takeBackShares":
      return orderShares(projection.sites, command, nowMs);
    case "undoEnforcement":
      return undoEnforcement(projection, command, nowMs);
    case "countFiles":
    case "clearFiles":
      return answerFiles(projection, command, nowMs);
    case "noteTransfers":
      return noteTransfers(projection, command, nowMs);
    case "changeVo":
      return changeVo(projection, command, nowMs);
    case "noteDenial":
      return accepted([{ ...command, kind: "requestDenied", atMs: nowMs }]);
    default:
      return verb(projection, command.kind, command.job, nowMs);
  }
}

type Submission = Extract<Command, { kind: "submit" }>;

function submit(
  projection: Projection,
  command: Submission,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  const { job } = command;
  if (projection.jobs.has(job)) return refused({ kind: "idInUse", id: job });
  const refusal =
    whyNowhere(projection, command) ??
    whyNotPayable(projection, command, nowMs) ??
    whyNotDeclared(projection, command) ??
    exceedsQuota(projection, command, nowMs) ??
    whyNotUnder(projection, command, nowMs) ??
    whyDenied(projection, command, nowMs) ??
    whyNotLater(projection, command, nowMs);
  if (refusal !== undefined) return refused(refusal);
  const { ticket: _, ...request } = command;
  return accepted([{ ...request, ...holdOf(projection, command), kind: "jobAccepted", atMs: nowMs }]);
}

/** Why a job could not run at any site it may use, even if nothing else ran there. */
function whyNowhere(projection: Projection, command: Submission): Refusal | undefined {
  const { sites } = projection;
  const { description } = command;
  const { site, cpuNumber, memoryBytes = 0, gpus = 0, reservation } = description;
  if (reservation !== undefined) return whyNotIn(projection, reservation, command);
  if (site !== undefined && !sites.has(site)) return { kind: "unknownSite", site, known: [...sites.keys()] };
  if (sites.size === 0) return { kind: "noSite" };
  if (gpus > 0) return { kind: "gpusNotOffered", gpus };
  const usable = [...sites.values()].filter(({ name }) => site === undefined || name === site);
  if (usable.some((candidate) => isUsable(candidate, description))) return undefined;
  const imitating = usable.filter((candidate) => isLargeEnough(candidate, description));
  if (imitating.length > 0) return { kind: "onlyImitated", sites: imitating.map(({ name }) => name) };
  const had = usable.map(({ name, spec }) => ({
    site: name,
    procs: spec.procs,
    memoryBytes: spec.memoryBytes,
  }));
  return { kind: "widerThanAnySite", procs: cpuNumber, memoryBytes, sites: had };
}

/** Why a job cannot wait for its time as a virtual reservation. */
function whyNotLater(projection: Projection, { description, consumer }: Submission, nowMs: number) {
  const { virtual: slot, site, cpuNumber: procs } = description;
  if (slot === undefined) return undefined;
  assert(site !== undefined, "a virtual reservation is at a site");
  return whyNotVirtualReservation(projection, { slot, procs, consumer, site }, nowMs);
}

/** Why a job cannot run in a reservation. */
function whyNotIn({ reserved }: Projection, id: string, { description, consumer }: Submission) {
  const record = reserved.records.get(id);
  const misfit = record === undefined ? "unknown" : misfitOf(record, description, consumer);
  return misfit === undefined
    ? undefined
    : ({ kind: "notInReservation", reservation: id, why: misfit } as const);
}

function misfitOf(
  record: ReservationRecord,
  { cpuNumber, memoryBytes = 0, site }: JobDescription,
  consumer: string,
): ReservationMisfit | undefined {
  if (record.state === "OFFERED") return "unknown";
  if (!isWithin(consumer, record.consumer)) return "notYours";
  if (site !== undefined && site !== record.site) return "otherSite";
  return cpuNumber > record.procs || memoryBytes > record.memoryBytes ? "tooWide" : undefined;
}

/** Work is refused where no site it may use has an account that covers it. */
function whyNotPayable(
  { sites }: Projection,
  { description, consumer }: Submission,
  nowMs: number,
): Refusal | undefined {
  if (description.reservation !== undefined) return undefined;
  const usable = [...sites.values()].filter((site) => isUsable(site, description));
  let first: Refusal | undefined;
  for (const site of usable) {
    const { spec } = site;
    const durationMs = description.wallTimeMs ?? spec.defaultWallTimeMs;
    // As if it started now: when it will, and what its time then costs, nobody knows yet.
    const slot = { procs: description.cpuNumber, startMs: nowMs, durationMs };
    const needed = baseCharge(slot, siteTariff(site, consumer, "queued"));
    const short = isCounted(needed)
      ? shortRefusal(site, consumer, needed)
      : ({ kind: "priceUncounted", site: site.name, procs: slot.procs, durationMs } as const);
    if (short === undefined) return undefined;
    first ??= short;
  }
  return first;
}

/** What it declares is refused where no site that it may use allows it. */
function whyNotDeclared({ sites, jobs }: Projection, command: Submission): Refusal | undefined {
  const { description } = command;
  const usable = [...sites.values()].filter((site) => isUsable(site, description));
  const refusals = usable.map((site) => whyNotDeclare(jobs, site, command));
  return refusals.includes(undefined) ? undefined : refusals[0];
}

function verb(
  { jobs, sites }: Projection,
  kind: JobVerb,
  id: string,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
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
  const spec = sites.get(job.site ?? "")?.spec;
  const isElsewhere = spec !== undefined && isForeign(spec);
  return accepted([{ kind: eventOf(kind, isElsewhere || hasBegun(job)), job: id, atMs: nowMs }]);
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

/** Whether the site has, or is about to have, a process of this job. */
function hasBegun(job: JobRecord): boolean {
  return job.startDecidedAtMs !== null || job.startedAtMs !== null;
}
