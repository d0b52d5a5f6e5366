/**
 * Time-driven and start-driven events of virtual reservations (rules EN-61, EN-63).
 *
 * At a foreign site only a look of the start or later says whether a job had started by then.
 */
import { cancellationPenalty } from "../../../market/index.ts";
import {
  isForeign,
  type JobRecord,
  type ReservationRecord,
  type StintEvent,
  type VirtualReservationSlot,
} from "../../../model/index.ts";
import { combinedChoice } from "../../../plan/index.ts";
import { cancelled, relinquished } from "../../state/reservation-ends.ts";
import type { ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";

/** The state that virtual reservations live in. */
export interface VirtualReservationState extends ReservedState {
  /** The jobs of those that are not over. */
  readonly virtual: ReadonlySet<string>;
}

/**
 * Time before the start within which a job is no longer told to give up its place: the order might reach it
 * only after its program has begun.
 */
const TOO_LATE_MS = 30_000;

/** Events of one virtual reservation that are due at this instant. */
export function decideVirtualReservation(state: VirtualReservationState, nowMs: number): StintEvent[] {
  for (const id of state.virtual) {
    const job = state.jobs.get(id);
    const slot = job?.description.virtual;
    if (job === undefined || slot === undefined || isLeaving(job)) continue;
    const events = turnOf(state, job, slot, nowMs);
    if (events.length > 0) return events;
  }
  return [];
}

/** The first instant after this one at which something follows from time alone; after that, from a look. */
export function virtualReservationWakeAtMs(
  { virtual, jobs }: VirtualReservationState,
  nowMs: number,
): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const id of virtual) {
    const { submitMs, startMs } = jobs.get(id)?.description.virtual ?? NEVER;
    for (const atMs of [submitMs, startMs]) if (atMs > nowMs) firstMs = Math.min(firstMs, atMs);
  }
  return firstMs;
}

const NEVER = { submitMs: Number.POSITIVE_INFINITY, startMs: Number.POSITIVE_INFINITY };

/** True if it is too early to place the job at a site. */
export function isPlanned({ description }: JobRecord, nowMs: number): boolean {
  return description.virtual !== undefined && nowMs < description.virtual.submitMs;
}

/** True if a job started after the begin of its program, which was therefore not started. */
export function hasStartedLate({ description, startedAtMs }: JobRecord): boolean {
  const { virtual } = description;
  return virtual !== undefined && startedAtMs !== null && startedAtMs > virtual.startMs;
}

/** The priced reservation that a virtual one stands beside, as long as it holds. */
export function pricedBeside(
  { reserved }: Pick<ReservedState, "reserved">,
  slot: VirtualReservationSlot,
): ReservationRecord | undefined {
  return slot.besides === undefined ? undefined : reserved.records.get(slot.besides);
}

function isLeaving({ isCancelRequested, isRecalled = false }: JobRecord): boolean {
  return isCancelRequested || isRecalled;
}

function turnOf(
  state: VirtualReservationState,
  job: JobRecord,
  slot: VirtualReservationSlot,
  nowMs: number,
): StintEvent[] {
  const site = state.sites.get(job.site ?? "");
  const startedMs = startOf(job, site);
  const priced = pricedBeside(state, slot);
  if (startedMs !== null && startedMs <= slot.startMs) {
    return priced === undefined ? [] : chosen({ job, slot, startedMs }, priced, nowMs);
  }
  if (startedMs === null && (nowMs < slot.startMs || !isSeen(site, slot.startMs))) return [];
  return priced === undefined ? missed(job, site, nowMs) : givenUp(job, priced, nowMs);
}

/** At a managed site a job has its processors when that is decided; its program may take a moment. */
function startOf({ startDecidedAtMs, startedAtMs }: JobRecord, site: SiteState | undefined): number | null {
  return site === undefined || isForeign(site.spec) ? startedAtMs : (startDecidedAtMs ?? startedAtMs);
}

/** True if a start at the site by that instant would be known by now. */
function isSeen(site: SiteState | undefined, atMs: number): boolean {
  return site === undefined || !isForeign(site.spec) || (site.observation.seenAtMs ?? 0) >= atMs;
}

interface Started {
  readonly job: JobRecord;
  readonly slot: VirtualReservationSlot;
  readonly startedMs: number;
}

/**
 * Events where the virtual and the priced reservation have both come about: the one not needed is given up.
 */
function chosen({ job, slot, startedMs }: Started, priced: ReservationRecord, nowMs: number): StintEvent[] {
  const { owner } = job;
  // Its program runs, or is about to; what else runs in the priced one stays there.
  if (priced.state === "ACTIVE") return priced.isUsed ? [] : [...relinquished(priced, owner, nowMs)];
  const kept = combinedChoice({
    procs: job.description.procs,
    startMs: slot.startMs,
    startedMs,
    fixedProcMs: priced.fixedProcMs,
    penaltyProcMs: cancellationPenalty(priced, priced),
  });
  const isTooLate = nowMs > slot.startMs - TOO_LATE_MS;
  if (kept === "priced" && !isTooLate) return givenUp(job, priced, nowMs);
  return [...cancelled(priced, owner, nowMs)];
}

function givenUp(job: JobRecord, priced: ReservationRecord, atMs: number): StintEvent[] {
  return [{ kind: "virtualGivenUp", job: job.id, instead: priced.id, atMs }];
}

/** Event that ends a job which missed its start; a job that its site knows ends when the site reports it. */
function missed(
  { id, startDecidedAtMs }: JobRecord,
  site: SiteState | undefined,
  atMs: number,
): StintEvent[] {
  const isElsewhere = site !== undefined && isForeign(site.spec);
  const kind = isElsewhere || startDecidedAtMs !== null ? "cancelRequested" : "jobCancelled";
  return [{ kind, job: id, cause: "startMissed", atMs }];
}
