/** Acceptance of submitted jobs (rules EN-1, EN-7, EN-8, EN-14). */
import { accepted, assert, refused } from "../base/index.ts";
import { baseCharge, isCounted } from "../market/index.ts";
import { problemOfDescription, uselessRetry } from "../match/index.ts";
import {
  dependencyOf,
  isWithin,
  isWithinSite,
  type JobDescription,
  type Refusal,
  type ReservationMisfit,
  type ReservationRecord,
} from "../model/index.ts";
import type { Answer, CommandOf } from "./feature.ts";
import { whyDenied } from "./features/policies/policy-denials.ts";
import { whyNotDeclare } from "./features/reservations/declared-costs.ts";
import { exceedsQuota } from "./features/storage/store-limits.ts";
import { holdOf, whyNotUnder } from "./features/tickets/answer-ticket.ts";
import { whyNotVirtualReservation } from "./features/virtual-reservations/answer-virtual.ts";
import { shortRefusal } from "./state/accounts.ts";
import { siteTariff } from "./state/price-terms.ts";
import type { Projection } from "./state/projection.ts";
import { shownShortages } from "./state/queue-fit.ts";
import { isLargeEnough, isUsable } from "./state/site-state.ts";

type Submission = CommandOf<"submit">;

/** Takes a job, or says why it could never run, or not be paid for. */
export function submit(projection: Projection, command: Submission, nowMs: number): Answer {
  const refusal = whyNotTaken(projection, command, nowMs);
  if (refusal !== undefined) return refused(refusal);
  const { ticket: _, ...request } = command;
  return accepted([{ ...request, ...holdOf(projection, command), kind: "jobAccepted", atMs: nowMs }]);
}

/** Why a job, or each job of an array, is not taken. */
export function whyNotTaken(projection: Projection, command: Submission, nowMs: number): Refusal | undefined {
  const { job } = command;
  if (projection.jobs.has(job) || projection.arrays.has(job) || projection.dags.open.has(job))
    return { kind: "idInUse", id: job };
  return (
    whyNotAfter(projection, command) ??
    uselessRetry(command.description) ??
    uselessReplicas(command.description) ??
    whyNotPossible(projection, command, nowMs)
  );
}

/** Why a job could never run as it is described, or is not admitted so. */
export function whyNotPossible(
  projection: Projection,
  command: Submission,
  nowMs: number,
): Refusal | undefined {
  return (
    problemOfDescription(command) ??
    whyExpired(command, nowMs) ??
    whyNowhere(projection, command) ??
    whyNotPayable(projection, command, nowMs) ??
    whyNotDeclared(projection, command) ??
    whyNotTheBid(projection, command, nowMs) ??
    exceedsQuota(projection, command, nowMs) ??
    whyNotUnder(projection, command, nowMs) ??
    whyDenied(projection, command, nowMs) ??
    whyNotLater(projection, command, nowMs)
  );
}

/** Why a job cannot take the bid that it names (rule EN-330). */
function whyNotTheBid(
  { books }: Projection,
  { job, description, consumer, owner }: Submission,
  nowMs: number,
): Refusal | undefined {
  const { bid: id, site, procs, memoryBytes = 0, gpus = 0, wallTimeMs } = description;
  if (id === undefined) return undefined;
  const bid = books.bids.get(id);
  // Of a job that is edited, or gets more in a further attempt, the bid was taken before.
  if (bid?.job === job) return undefined;
  const isOpen = bid !== undefined && bid.job === undefined && bid.owner === owner;
  if (!isOpen || bid.validUntilMs <= nowMs) return { kind: "bidOver", bid: id };
  const same = [
    ["site", site === bid.site],
    ["consumer", consumer === bid.consumer],
    ["number of processors", procs === bid.procs],
    ["memory", memoryBytes === bid.memoryBytes],
    ["number of GPUs", gpus === bid.gpus],
    ["time limit", wallTimeMs === undefined || wallTimeMs === bid.limitMs],
  ] as const;
  const differs = same.find(([, isSame]) => !isSame)?.[0];
  return differs === undefined ? undefined : { kind: "bidForOther", bid: id, differs };
}

/** Replicas of a job that has no choice of a site. */
function uselessReplicas(description: JobDescription): Refusal | undefined {
  if ((description.replicas ?? 1) < 2) return undefined;
  const obstacles = ["reservation", "virtual", "ticket", "site"] as const;
  const found = obstacles.find((name) => description[name] !== undefined);
  return found === undefined ? undefined : { kind: "uselessReplicas", with: found };
}

/** The first dependency on a job that never was. */
function whyNotAfter(
  { jobs, arrays }: Projection,
  { description, ends = {} }: Submission,
): Refusal | undefined {
  const ids = (description.after ?? []).map((text) => dependencyOf(text).job);
  const unknown = ids.find((id) => !jobs.has(id) && !arrays.has(id) && !Object.hasOwn(ends, id));
  return unknown === undefined ? undefined : { kind: "unknownJob", job: unknown };
}

function whyExpired({ description }: Submission, nowMs: number): Refusal | undefined {
  const { expiryTimeMs } = description;
  return expiryTimeMs === undefined || expiryTimeMs > nowMs
    ? undefined
    : { kind: "expired", expiredAtMs: expiryTimeMs };
}

/** Why a job could not run at any site it may use, even if nothing else ran there. */
function whyNowhere(projection: Projection, command: Submission): Refusal | undefined {
  const { sites } = projection;
  const { description } = command;
  const { site, procs, memoryBytes = 0, gpus = 0, reservation } = description;
  if (reservation !== undefined) return whyNotIn(projection, reservation, command);
  if (site !== undefined && !sites.has(site)) return { kind: "unknownSite", site, known: [...sites.keys()] };
  if (sites.size === 0) return { kind: "noSite" };
  const usable = [...sites.values()].filter(({ name }) => site === undefined || name === site);
  if (usable.some((candidate) => isUsable(candidate, description))) return undefined;
  const imitating = usable.filter((candidate) => isLargeEnough(candidate, description));
  if (imitating.length > 0) return { kind: "onlyImitated", sites: imitating.map(({ name }) => name) };
  const queues = usable
    .filter(({ spec }) => isWithinSite(spec, description))
    .map((candidate) => ({ site: candidate.name, queues: shownShortages(candidate, description) }));
  if (queues.length > 0) return { kind: "fitsNoQueue", sites: queues };
  if (gpus > 0 && usable.every(({ spec }) => (spec.gpus ?? 0) === 0)) return { kind: "gpusNotOffered", gpus };
  const had = usable.map(({ name, spec }) => ({
    site: name,
    procs: spec.procs,
    memoryBytes: spec.memoryBytes,
    ...(gpus === 0 ? {} : { gpus: spec.gpus ?? 0 }),
  }));
  return { kind: "widerThanAnySite", procs, memoryBytes, ...(gpus === 0 ? {} : { gpus }), sites: had };
}

/** Why a job cannot wait for its time as a virtual reservation. */
function whyNotLater(projection: Projection, { description, consumer }: Submission, nowMs: number) {
  const { virtual: slot, site, procs } = description;
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
  { procs, memoryBytes = 0, gpus = 0, site }: JobDescription,
  consumer: string,
): ReservationMisfit | undefined {
  if (record.state === "OFFERED") return "unknown";
  if (!isWithin(consumer, record.consumer)) return "notYours";
  if (site !== undefined && site !== record.site) return "otherSite";
  const { gpus: reservedGpus = 0 } = record;
  if (gpus > 0 && reservedGpus === 0) return "gpusNotReserved";
  const isWithinSlot = procs <= record.procs && memoryBytes <= record.memoryBytes && gpus <= reservedGpus;
  return isWithinSlot ? undefined : "tooWide";
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
    const slot = { procs: description.procs, startMs: nowMs, durationMs };
    const needed = baseCharge(slot, siteTariff(site, consumer, "queued"));
    const short = isCounted(needed)
      ? shortRefusal(site, consumer, needed)
      : ({ kind: "priceUncounted", site: site.name, procs: slot.procs, durationMs } as const);
    if (short === undefined) return undefined;
    first ??= short;
  }
  return first;
}

/** Refusal of a declared delay cost that no usable site allows. */
function whyNotDeclared({ sites, jobs }: Projection, command: Submission): Refusal | undefined {
  const { description } = command;
  const usable = [...sites.values()].filter((site) => isUsable(site, description));
  const refusals = usable.map((site) => whyNotDeclare(jobs, site, command));
  return refusals.includes(undefined) ? undefined : refusals[0];
}
