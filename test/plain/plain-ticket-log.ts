/**
 * What is held and debited of tickets, added up anew from a log: whoever was taken under one, for how much,
 * and what became of him (rule PO-44). Of processors alone.
 */
import type { StintEvent } from "../../src/model/index.ts";

/** What of a ticket is gone. */
export interface PlainTicketSum {
  readonly heldMs: number;
  readonly debitedMs: number;
}

/** One that was taken: a job, or a reservation with what it takes. */
interface Holder {
  readonly ticket: string;
  readonly procs: number;
  /** So long it may last. */
  mostMs: number;
  readonly startMs: number | null;
}

/** The sums by the ticket's name, after all of this. */
export function plainTicketSums(log: readonly StintEvent[]): Map<string, PlainTicketSum> {
  const offers = new Map<string, Holder>();
  const holders = new Map<string, Holder>();
  const sums = new Map<string, { heldMs: number; debitedMs: number }>();
  const leave = (who: string, debitedMs: (holder: Holder) => number): void => {
    const holder = holders.get(who);
    if (holder === undefined) return;
    holders.delete(who);
    const sum = sums.get(holder.ticket) ?? { heldMs: 0, debitedMs: 0 };
    sums.set(holder.ticket, { ...sum, debitedMs: sum.debitedMs + debitedMs(holder) });
  };
  for (const event of log) {
    switch (event.kind) {
      case "jobAccepted": {
        if (event.ticket === undefined) break;
        const { procs, wallTimeMs: mostMs = 0 } = event.description;
        const ticket = nameOf(event.ticket.ticket);
        holders.set(`job ${event.job}`, { ticket, procs, mostMs, startMs: null });
        break;
      }
      case "slotOffered": {
        if (event.ticket === undefined) break;
        const { procs, durationMs: mostMs, startMs } = event;
        offers.set(event.reservation, { ticket: nameOf(event.ticket.ticket), procs, mostMs, startMs });
        break;
      }
      case "offerAccepted": {
        const offer = offers.get(event.reservation);
        if (offer !== undefined) holders.set(`slot ${event.reservation}`, offer);
        break;
      }
      case "reservationExtended": {
        const holder = holders.get(`slot ${event.reservation}`);
        if (holder !== undefined) holder.mostMs += event.moreMs;
        break;
      }
      case "extensionRefused": {
        const holder = holders.get(`slot ${event.reservation}`);
        if (holder !== undefined) holder.mostMs -= event.lessMs;
        break;
      }
      // What a job used is the site's word; it may be no more than it held.
      case "ticketDebited":
        leave(`job ${event.job}`, ({ procs, mostMs }) => Math.min(event.amountMs, procs * mostMs));
        break;
      case "reservationFulfilled":
        leave(`slot ${event.reservation}`, ({ procs, mostMs }) => procs * mostMs);
        break;
      case "reservationRelinquished":
        leave(`slot ${event.reservation}`, ({ procs, startMs }) => procs * (event.atMs - (startMs ?? 0)));
        break;
      case "reservationCancelled":
      case "reservationViolated":
        leave(`slot ${event.reservation}`, () => 0);
        break;
      case "jobCancelled":
      case "attemptEnded":
        leave(`job ${event.job}`, () => 0);
        break;
      default:
        break;
    }
  }
  for (const { ticket, procs, mostMs } of holders.values()) {
    const sum = sums.get(ticket) ?? { heldMs: 0, debitedMs: 0 };
    sums.set(ticket, { ...sum, heldMs: sum.heldMs + procs * mostMs });
  }
  return sums;
}

function nameOf({ vo, id }: { readonly vo: string; readonly id: string }): string {
  return `${vo}/${id}`;
}
