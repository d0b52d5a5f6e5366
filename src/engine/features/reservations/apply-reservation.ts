/** Effects of offer and reservation events on the state (rules EN-33 … EN-38). */
import { assert } from "../../../base/index.ts";
import {
  isForeign,
  isHolding,
  type JobRecord,
  type ReservationRecord,
  type ReservationState,
  type StintEvent,
  ticketName,
} from "../../../model/index.ts";
import { note, settle } from "../../../queue/index.ts";
import type { Applies, EventOf } from "../../feature.ts";
import { devicesFor } from "../../state/gpu-devices.ts";
import {
  createRoom,
  endOf,
  keepRest,
  type ReservationChange,
  type ReservedState,
  type Wasted,
} from "../../state/reserved.ts";
import { needOf, type SiteState } from "../../state/site-state.ts";
import { holdForSlot, holdMore, leaveTicket } from "../../state/ticket-book.ts";
import { asBefore, longer, madeAtSite } from "./more-time.ts";
import { keepResource, releaseResource } from "./resource-slots.ts";

/** An event of an offer or a reservation. */
type ReservationEvent = Extract<StintEvent, { readonly reservation: string }>;

const WEEK_MS = 7 * 24 * 3_600_000;

/** Applies an event to the reservation that it names. */
function onRecord<Event extends ReservationEvent>(
  then: (state: ReservedState, record: ReservationRecord, event: Event) => readonly ReservationChange[],
): (state: ReservedState, event: Event) => readonly ReservationChange[] {
  return (state, event) => {
    const record = state.reserved.records.get(event.reservation);
    assert(record !== undefined, `an event is about a reservation that is not over: ${event.reservation}`);
    return then(state, record, event);
  };
}

/** Handler of an event that ends a reservation or offer; nothing is held for it afterwards. */
function ending<Event extends ReservationEvent>(
  ended: (event: Event) => { readonly state: ReservationState } & Ending,
) {
  return onRecord<Event>((state, record, event) => {
    const { state: after, by = null, why = null, ...more } = ended(event);
    return over(state, stepsFrom(record, event)(after, more, by, why), event.atMs);
  });
}

interface Ending {
  readonly by?: string;
  readonly why?: string;
  readonly penaltyProcMs?: number;
  readonly refundProcMs?: number;
}

export const reservationApplies = {
  slotOffered: (state: ReservedState, event: EventOf<"slotOffered">) => [offered(state, event)],
  offerAccepted: onRecord<EventOf<"offerAccepted">>((state, record, event) =>
    taken(state, stepsFrom(record, event)("ACCEPTED", {}, event.by), event),
  ),
  reservationMade: onRecord<EventOf<"reservationMade">>((state, record, event) => [
    keep(state, madeAtSite(record, event)),
  ]),
  reservationBegan: onRecord<EventOf<"reservationBegan">>((state, record, event) => [
    keep(state, stepsFrom(record, event)("ACTIVE", {})),
  ]),
  reservationSettled: onRecord(settledRoom),
  offerLapsed: ending<EventOf<"offerLapsed">>(() => ({ state: "LAPSED" })),
  offerWithdrawn: ending<EventOf<"offerWithdrawn">>(({ by }) => ({ state: "WITHDRAWN", by })),
  reservationFulfilled: ending<EventOf<"reservationFulfilled">>(() => ({ state: "FULFILLED" })),
  reservationCancelled: ending<EventOf<"reservationCancelled">>(({ penaltyProcMs, refundProcMs, by }) => ({
    ...{ state: "CANCELLED", penaltyProcMs, refundProcMs, by },
  })),
  reservationRelinquished: ending<EventOf<"reservationRelinquished">>(({ refundProcMs, by }) => ({
    ...{ state: "RELINQUISHED", refundProcMs, by },
  })),
  reservationViolated: ending<EventOf<"reservationViolated">>(({ refundProcMs, why }) => ({
    ...{ state: "VIOLATED", refundProcMs, why },
  })),
  reservationDebited: onRecord<EventOf<"reservationDebited">>((state, record, { amountMs }) => {
    const { record: after, left } = offTicket(state, record, amountMs);
    return [keep(state, after), ...left];
  }),
  reservationExtended: onRecord(extended),
  extensionRefused: onRecord<EventOf<"extensionRefused">>((state, record, event) => {
    const { record: after, lessHeldMs } = asBefore(record, event);
    const { ticket } = after;
    const less = ticket && { name: ticketName(ticket.ticket), heldMs: lessHeldMs };
    return [keep(state, after), ...leaveTicket(state.tickets, less ? { ticket: less } : {}, 0)];
  }),
} satisfies Applies;

/** Makes the record as it is after an event. */
function stepsFrom(record: ReservationRecord, { atMs }: ReservationEvent) {
  return (
    state: ReservationState,
    more: Partial<ReservationRecord>,
    by: string | null = null,
    why: string | null = null,
  ): ReservationRecord => ({
    ...record,
    ...more,
    state,
    history: [...record.history, { state, atMs, by, why }],
  });
}

function keep({ reserved }: ReservedState, record: ReservationRecord): ReservationChange {
  reserved.records.set(record.id, record);
  return { kind: "reservation", record };
}

/**
 * Applies a new offer. The site's queue was settled at the same instant, so the delays that the offer states
 * are those that now come about.
 */
function offered(state: ReservedState, event: EventOf<"slotOffered">): ReservationChange {
  const { kind: _, reservation: id, atMs, ticket, ...rest } = event;
  const site = siteFor(state, event.site);
  const record: ReservationRecord = {
    ...rest,
    id,
    state: "OFFERED",
    order: ++state.reserved.offered,
    siteReservation: null,
    isUsed: false,
    penaltyProcMs: 0,
    refundProcMs: 0,
    ...(ticket === undefined ? {} : { ticket: { ...ticket, heldMs: 0 } }),
    history: [{ state: "OFFERED", atMs, by: event.owner, why: null }],
  };
  takeRoom(state, site, record, atMs);
  return keep(state, record);
}

/** Applies an acceptance under a ticket: the reservation holds its amount of the ticket from now on. */
function taken(
  state: ReservedState,
  record: ReservationRecord,
  { ticketHeldMs = 0, atMs }: EventOf<"offerAccepted">,
): ReservationChange[] {
  const { ticket } = record;
  if (ticket === undefined) return [keep(state, record)];
  const { heldMs: _, ...presented } = ticket;
  return [
    keep(state, { ...record, ticket: { ...ticket, heldMs: ticketHeldMs } }),
    holdForSlot(state.tickets, presented, ticketHeldMs, atMs),
  ];
}

/** Releases a reservation's hold on its ticket and debits the used part. */
function offTicket({ tickets }: ReservedState, record: ReservationRecord, usedMs: number) {
  const { ticket } = record;
  if (ticket === undefined) return { record, left: [] };
  const { heldMs } = ticket;
  return {
    record: { ...record, ticket: { ...ticket, heldMs: 0 } },
    left: leaveTicket(tickets, { ticket: { name: ticketName(ticket.ticket), heldMs } }, usedMs),
  };
}

/** Keeps a reservation's capacity free at its site; `decide` reports one that does not fit (rule EN-37). */
export function takeRoom(
  state: ReservedState,
  site: SiteState,
  record: ReservationRecord,
  nowMs: number,
): void {
  if (record.resource !== undefined) {
    const why = keepResource(site, record, nowMs);
    if (why !== undefined) state.reserved.broken.set(record.id, why);
    return;
  }
  if (isForeign(site.spec)) return;
  const why = keepRest(site.queue, { spec: site.spec, record }, nowMs);
  if (why !== undefined) state.reserved.broken.set(record.id, why);
  state.reserved.rooms.set(record.id, createRoom(record, site, nowMs));
  state.unsettled.add(site.name);
}

function extended(
  state: ReservedState,
  record: ReservationRecord,
  event: EventOf<"reservationExtended">,
): ReservationChange[] {
  const { moreMs, ticketHeldMs = 0, atMs } = event;
  const site = siteFor(state, record.site);
  const tail = { ...record, startMs: endOf(record), durationMs: moreMs };
  if (record.resource !== undefined) {
    const why = keepResource(site, tail, atMs);
    assert(why === undefined, "an extension was tried on this store or link");
  } else if (!isForeign(site.spec)) {
    const why = keepRest(site.queue, { spec: site.spec, record: tail }, atMs);
    assert(why === undefined, "an extension was tried on this queue");
    state.unsettled.add(site.name);
  }
  const { ticket } = record;
  const change = keep(state, longer(record, site, event));
  if (ticket === undefined) return [change];
  return [change, holdMore(state.tickets, ticketName(ticket.ticket), ticketHeldMs)];
}

function settledRoom(
  state: ReservedState,
  record: ReservationRecord,
  { starts, atMs }: EventOf<"reservationSettled">,
): ReservationChange[] {
  const { rooms, unsettledRooms } = state.reserved;
  const room = rooms.get(record.id);
  assert(room !== undefined, "only reservations with a room are settled");
  const started = settle(room, atMs);
  assert(
    started.length === starts.length && started.every((job, at) => job === starts[at]),
    `the room of ${record.id} starts what the decision named`,
  );
  unsettledRooms.delete(record.id);
  const site = siteFor(state, record.site);
  const jobs = started.map((id): ReservationChange => {
    const job = state.jobs.get(id);
    assert(job !== undefined, "what starts is not over");
    const devices = job.startedAtMs === null ? devicesFor(state, site, job) : undefined;
    const after: JobRecord = {
      ...job,
      ...(devices === undefined ? {} : { gpuDevices: devices }),
      state: job.startedAtMs === null ? job.state : "RUNNING",
      startDecidedAtMs: atMs,
    };
    state.jobs.set(id, after);
    return { kind: "job", record: after };
  });
  return started.length > 0 && !record.isUsed ? [...jobs, keep(state, { ...record, isUsed: true })] : jobs;
}

/** Releases the capacity of an ended reservation; its jobs that have not started wait in the site's queue. */
function over(state: ReservedState, ended: ReservationRecord, atMs: number): ReservationChange[] {
  assert(!isHolding(ended.state), "what is over holds nothing");
  const { reserved } = state;
  const { record, left: tickets } = offTicket(state, ended, 0);
  const site = siteFor(state, record.site);
  reserved.records.delete(record.id);
  reserved.missing.delete(record.id);
  reserved.broken.delete(record.id);
  noteWaste(state, record, atMs);
  const change: ReservationChange = { kind: "reservation", record };
  if (record.resource !== undefined) {
    releaseResource(site, record);
    return [change, ...tickets];
  }
  note(site.queue, { kind: "letGo", job: record.id });
  if (isForeign(site.spec)) return [change, ...tickets, ...recalled(state, site, record.id)];
  state.unsettled.add(site.name);
  return [change, ...tickets, ...leaveRoom(state, site, record.id)];
}

/** Job record without its reservation; what the job uses from then on is charged. */
export function withoutReservation(job: JobRecord): JobRecord {
  const { reservation: _, ...description } = job.description;
  return { ...job, description };
}

/** Recalls jobs that wait at a foreign site for an ended reservation. */
function recalled({ jobs }: ReservedState, { own }: SiteState, id: string): ReservationChange[] {
  return [...own].flatMap((name): ReservationChange[] => {
    const job = jobs.get(name);
    const isInIt = job !== undefined && job.description.reservation === id;
    // A job still on its way there is recalled when it has arrived (`attemptQueued`).
    if (!isInIt || job.siteJob === null || job.startedAtMs !== null) return [];
    const record: JobRecord = { ...job, isRecalled: true };
    jobs.set(name, record);
    return [{ kind: "job", record }];
  });
}

/** Moves jobs of an ended reservation that have not started to the site's queue. */
function leaveRoom({ jobs, reserved }: ReservedState, site: SiteState, id: string): ReservationChange[] {
  const room = reserved.rooms.get(id);
  reserved.rooms.delete(id);
  reserved.unsettledRooms.delete(id);
  if (room === undefined) return [];
  const there = [...jobs.values()].filter(
    (job) => job.site === site.name && job.description.reservation === id && !room.running.has(job.id),
  );
  return there
    .sort((a, b) => a.order - b.order)
    .flatMap((job): ReservationChange[] => {
      if (job.startedAtMs !== null) return [];
      note(site.queue, { kind: "arrive", job: job.id, ...needOf(job.description, site.spec) });
      if (job.state === "HELD") note(site.queue, { kind: "hold", job: job.id });
      const record = withoutReservation(job);
      jobs.set(job.id, record);
      return [{ kind: "job", record }];
    });
}

/** True if a reservation of processors ended unused; no job runs in a store or a link. */
function isIdle({ state, isUsed, resource }: ReservationRecord): boolean {
  return state === "FULFILLED" && !isUsed && resource === undefined;
}

/** Remembers, for a week, an unpriced reservation that was cancelled or that nobody used. */
export function noteWaste(
  { reserved }: Pick<ReservedState, "reserved">,
  record: ReservationRecord,
  atMs: number,
): void {
  const isWasted = record.state === "CANCELLED" || isIdle(record);
  const { wasted } = reserved;
  while (wasted.length > 0 && wasted[0].atMs <= atMs - WEEK_MS) wasted.shift();
  if (isWasted && record.fixedProcMs === 0) {
    wasted.push({ site: record.site, consumer: record.consumer, atMs });
  }
}

/** Number of reservations that a consumer wasted at a site in the week before an instant. */
export function wastedBy(
  { reserved }: Pick<ReservedState, "reserved">,
  whose: Pick<Wasted, "site" | "consumer">,
  nowMs: number,
): number {
  return reserved.wasted.filter(
    ({ site, consumer, atMs }) =>
      site === whose.site && consumer === whose.consumer && atMs > nowMs - WEEK_MS,
  ).length;
}

function siteFor({ sites }: Pick<ReservedState, "sites">, name: string): SiteState {
  const site = sites.get(name);
  assert(site !== undefined, `a reservation is at a site that is known: ${name}`);
  return site;
}
