/**
 * Slots under tickets: acceptance (rule EN-92), and what they hold and are debited (rule EN-93).
 */
import { exactProduct } from "../../base/index.ts";
import {
  type PresentedTicket,
  type ReservationRecord,
  type StintEvent,
  type TicketHindrance,
  ticketName,
  ticketNeed,
  type WantedSlot,
} from "../../model/index.ts";
import { heldBy, type TicketUse, whyNotTaken, whySpent, withSlotHold } from "../../policy/index.ts";
import { slotAmountOf } from "./admit-slot.ts";
import { type TicketState, whyNotEntitled, whyNotTrusted } from "./ticket-grounds.ts";

/** A slot that is wanted under a ticket. */
export interface SlotUnder extends WantedSlot {
  readonly site: string;
  readonly consumer: string;
  readonly ticket: PresentedTicket;
}

/** The hindrance of a slot that its ticket does not cover, by its name. */
export interface TicketRefused {
  readonly kind: "ticketRefused";
  readonly ticket: string;
  readonly why: TicketHindrance;
}

/** Why a slot may not be under its ticket; undefined where it may. */
export function whyNotUnderIt(state: TicketState, slot: SlotUnder, nowMs: number): TicketRefused | undefined {
  const { ticket: presented } = slot;
  const { ticket } = presented;
  const name = ticketName(ticket);
  const known = state.tickets.records.get(name);
  const use = useOf(slot);
  const why =
    whyNotTrusted(state, presented) ??
    whyNotTaken(presented, known, use, nowMs) ??
    whyNotEntitled(state, ticket, nowMs) ??
    whySpent(presented, known, use);
  return why === undefined ? undefined : { kind: "ticketRefused", ticket: name, why };
}

/** Amount of its ticket that an admitted slot holds, in amount·ms. */
export function slotHoldMs(slot: SlotUnder): number {
  return heldBy(useOf(slot));
}

/** Copy of the state with its own tickets, on which several slots are tried in sequence. */
export function triedOn<State extends Pick<TicketState, "tickets">>(state: State): State {
  return { ...state, tickets: { ...state.tickets, records: new Map(state.tickets.records) } };
}

/**
 * Notes on a state of `triedOn` what a slot will hold of its ticket, so that the next slots are tested
 * against the rest.
 */
export function noteTried({ tickets: { records } }: TicketState, slot: SlotUnder, nowMs: number): void {
  const name = ticketName(slot.ticket.ticket);
  records.set(name, withSlotHold(slot.ticket, records.get(name), slotHoldMs(slot), nowMs));
}

/** The event of what a reservation takes of its ticket at its end; none where it holds none. */
export function slotDebit(
  record: ReservationRecord,
  nowMs: number,
  why: "ended" | "relinquished",
): readonly StintEvent[] {
  const { id: reservation, site, startMs, ticket: under } = record;
  if (under === undefined || under.heldMs === 0) return [];
  const { ticket, heldMs } = under;
  const need = ticketNeed(ticket.resource, slotAmountOf(record, ticket.resource));
  const thereMs = Math.min(Math.max(0, nowMs - startMs), record.durationMs);
  const amountMs = Math.min(exactProduct(need, thereMs), heldMs);
  const name = ticketName(ticket);
  return [{ kind: "reservationDebited", reservation, site, ticket: name, amountMs, why, atMs: nowMs }];
}

function useOf({ consumer, site, ticket, startMs, durationMs, ...size }: SlotUnder): TicketUse {
  const { resource } = ticket.ticket;
  const need = ticketNeed(resource, slotAmountOf(size, resource));
  return { consumer, site, need, limitMs: durationMs, fromMs: startMs };
}
