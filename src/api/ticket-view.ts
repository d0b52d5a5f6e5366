/**
 * Tickets and their keys as the API writes them.
 */
import type { TicketCheckView, TicketFacts, TicketKeyView, TicketView } from "../contract/index.ts";
import {
  type Ticket,
  type TicketKeyRecord,
  type TicketRecord,
  ticketHindranceText,
  ticketLeftMs,
  ticketName,
} from "../model/index.ts";
import type { TicketCheck } from "../runtime/index.ts";
import { factsView } from "./facts-view.ts";
import { isoInstant } from "./iso-instant.ts";

/** State of a ticket at the broker. */
export function ticketView(record: TicketRecord): TicketView {
  const { ticket, key, presentedAtMs, jobs, reservations = 0, heldMs, debitedMs } = record;
  return {
    ...factsOf(ticket),
    ...{ key, presentedAt: isoInstant(presentedAtMs), jobs, reservations },
    ...{ heldSec: heldMs / 1000, debitedSec: debitedMs / 1000, leftSec: ticketLeftMs(record) / 1000 },
  };
}

/** Content of a ticket; of an unused one the whole amount remains. */
export function ticketCheckView({ ticket, why, record }: TicketCheck): TicketCheckView {
  const leftMs = record === null ? ticket?.amountMs : ticketLeftMs(record);
  return {
    isTaken: why === null,
    why: why === null ? null : { ...factsView(why), ...wordsOf(why) },
    ticket: ticket === null ? null : factsOf(ticket),
    leftSec: leftMs === undefined ? null : leftMs / 1000,
  };
}

/** A key. */
export function ticketKeyView(record: TicketKeyRecord): TicketKeyView {
  const { id, vo, publicKey, label, trustedBy, trustedAtMs, revokedAtMs } = record;
  const revokedAt = revokedAtMs === null ? null : isoInstant(revokedAtMs);
  return { id, vo, publicKey, label, trustedBy, trustedAt: isoInstant(trustedAtMs), revokedAt };
}

function wordsOf(why: NonNullable<TicketCheck["why"]>): { readonly text: string; readonly remedy: string } {
  const { why: text, remedy } = ticketHindranceText(why);
  return { text, remedy };
}

function factsOf(ticket: Ticket): TicketFacts {
  const { vo, site, consumer, resource, amountMs, fromMs, untilMs, issuedAtMs, expiresAtMs } = ticket;
  return {
    ...{ name: ticketName(ticket), vo, site, consumer, resource, amountSec: amountMs / 1000 },
    window: { from: isoInstant(fromMs), until: isoInstant(untilMs) },
    ...{ issuedAt: isoInstant(issuedAtMs), expiresAt: isoInstant(expiresAtMs) },
  };
}
