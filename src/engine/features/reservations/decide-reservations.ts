/** Time-driven events of offers and reservations (rules EN-34 … EN-38). */
import type { ReservationRecord, StintEvent } from "../../../model/index.ts";
import { nextInstant, startsWhenSettled } from "../../../queue/index.ts";
import { refund } from "../../state/accounts.ts";
import { aboutOf } from "../../state/reservation-ends.ts";
import { endedWith, endOf, partsOf, type Reserved, type ReservedState } from "../../state/reserved.ts";
import { slotDebit } from "../../state/slot-ticket.ts";
import { awaitedParts, isThere } from "./resource-slots.ts";

/** Offer and reservation events due at this instant. */
export function decideReservations(state: ReservedState, nowMs: number): StintEvent[] {
  const { records, broken } = state.reserved;
  // One at a time: what is violated takes others with it.
  for (const record of records.values()) {
    const why = broken.get(record.id);
    const turn = why === undefined ? turnOf(state, record, nowMs) : notTakenUp(state, record, why, nowMs);
    if (turn.length > 0) return turn;
  }
  return settledRooms(state, nowMs);
}

/** Ends jobs running in a reservation that its site could not restore: no book of the site counts them. */
function notTakenUp(
  state: ReservedState,
  record: ReservationRecord,
  why: string,
  nowMs: number,
): StintEvent[] {
  return [...endedWith(state, record.id, nowMs), ...violated(state.reserved, record, why, nowMs)];
}

/**
 * Events of a reservation that its site did not honour: its price is refunded, and the other parts of its
 * co-reservation that have not begun are given up without a penalty.
 */
export function violated(
  reserved: Pick<Reserved, "records">,
  record: ReservationRecord,
  why: string,
  nowMs: number,
): StintEvent[] {
  const others = partsOf(reserved, record.id).filter(
    ({ id, state }) => id !== record.id && state !== "ACTIVE",
  );
  const reason = `${record.site} did not honour ${record.id}`;
  return [...broken(record, why, nowMs), ...others.flatMap((other) => givenUp(other, reason, nowMs))];
}

function broken(record: ReservationRecord, why: string, atMs: number): StintEvent[] {
  const { id: reservation, site, baseProcMs, fixedProcMs, state } = record;
  if (state === "OFFERED") return [{ kind: "offerWithdrawn", reservation, site, by: site, atMs }];
  const refundProcMs = baseProcMs + fixedProcMs;
  return [
    { kind: "reservationViolated", reservation, site, why, refundProcMs, atMs },
    ...refund(aboutOf(record, "violated", atMs), { base: baseProcMs, delays: fixedProcMs }),
  ];
}

function givenUp(record: ReservationRecord, by: string, atMs: number): StintEvent[] {
  const { id: reservation, site, baseProcMs, fixedProcMs, state } = record;
  if (state === "OFFERED") return [{ kind: "offerWithdrawn", reservation, site, by, atMs }];
  const refundProcMs = baseProcMs + fixedProcMs;
  return [
    { kind: "reservationCancelled", reservation, site, by, penaltyProcMs: 0, refundProcMs, atMs },
    ...refund(aboutOf(record, "cancellation", atMs), { base: baseProcMs, delays: fixedProcMs }),
  ];
}

function turnOf(state: ReservedState, record: ReservationRecord, nowMs: number): StintEvent[] {
  const { id: reservation, startMs, expiresAtMs, site } = record;
  if (record.state === "OFFERED") {
    return nowMs >= expiresAtMs ? [{ kind: "offerLapsed", reservation, site, atMs: nowMs }] : [];
  }
  if (nowMs >= endOf(record)) {
    const never = neverBegan(state, record);
    if (never !== undefined) return violated(state.reserved, never, "the site never made it", nowMs);
    return [
      ...endedWith(state, record.id, nowMs),
      ...slotDebit(record, nowMs, "ended"),
      { kind: "reservationFulfilled", reservation, site, atMs: nowMs },
    ];
  }
  if (record.state === "ACCEPTED" && nowMs >= startMs && awaitedParts(state, record).length === 0) {
    return [{ kind: "reservationBegan", reservation, site, atMs: nowMs }];
  }
  return [];
}

/**
 * The reservation at its end, or a part of its co-reservation, that its site never made; undefined where all
 * were made.
 */
function neverBegan(state: ReservedState, record: ReservationRecord): ReservationRecord | undefined {
  if (!isThere(state, record)) return record;
  return record.state === "ACCEPTED" ? awaitedParts(state, record)[0] : undefined;
}

function settledRooms({ reserved }: ReservedState, nowMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const [reservation, room] of reserved.rooms) {
    const record = reserved.records.get(reservation);
    if (record?.state !== "ACTIVE") continue;
    if (!reserved.unsettledRooms.has(reservation) && nextInstant(room) > nowMs) continue;
    const starts = startsWhenSettled(room, nowMs);
    events.push({ kind: "reservationSettled", reservation, site: record.site, starts, atMs: nowMs });
  }
  return events;
}

/** The first instant at which something follows from time alone. */
export function reservationsWakeAtMs(state: ReservedState): number {
  const { reserved } = state;
  let firstMs = Number.POSITIVE_INFINITY;
  for (const record of reserved.records.values()) {
    const isAwaited = awaitedParts(state, record).length > 0;
    firstMs = Math.min(firstMs, nextTurnMs(record, isAwaited));
    const room = reserved.rooms.get(record.id);
    if (room !== undefined && record.state === "ACTIVE") firstMs = Math.min(firstMs, nextInstant(room));
  }
  return firstMs;
}

/** @param isAwaited a site has not made it, or what is had together with it, yet: it cannot begin */
function nextTurnMs(record: ReservationRecord, isAwaited: boolean): number {
  if (record.state === "OFFERED") return record.expiresAtMs;
  return record.state === "ACCEPTED" && !isAwaited ? record.startMs : endOf(record);
}
