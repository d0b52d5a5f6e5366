/**
 * Ticket state: trusted keys, and the remaining amount of each ticket presented. All records stay in memory,
 * so that an altered copy of a ticket is recognised even long after the original ended.
 */
import { assert } from "../../base/index.ts";
import {
  isFinal,
  type JobRecord,
  type PresentedTicket,
  type StintEvent,
  type TicketKeyRecord,
  type TicketRecord,
  ticketName,
} from "../../model/index.ts";
import { withDebit, withHold, withMoreHeld, withSlotHold } from "../../policy/index.ts";

/** The part of the state that is about tickets. */
export interface TicketBook {
  /** By id. */
  readonly keys: Map<string, TicketKeyRecord>;
  /** By name. */
  readonly records: Map<string, TicketRecord>;
  /** Names of the tickets of which something is held. */
  readonly held: Set<string>;
}

/** A record of a ticket or of a key that an event has changed. */
export type TicketChange =
  | { readonly kind: "ticket"; readonly record: TicketRecord }
  | { readonly kind: "ticketKey"; readonly record: TicketKeyRecord };

/** No ticket was ever presented. */
export function noTickets(): TicketBook {
  return { keys: new Map(), records: new Map(), held: new Set() };
}

/** Puts stored records back. */
export function restoreTickets(
  book: TicketBook,
  {
    tickets,
    ticketKeys,
  }: { readonly tickets: readonly TicketRecord[]; readonly ticketKeys: readonly TicketKeyRecord[] },
): void {
  for (const record of tickets) keep(book, record);
  for (const record of ticketKeys) book.keys.set(record.id, record);
}

/** A key is trusted, or no more. */
export function applyTicketKey(
  { keys }: TicketBook,
  event: Extract<StintEvent, { kind: "ticketKeyTrusted" | "ticketKeyRevoked" }>,
): TicketChange {
  const record =
    event.kind === "ticketKeyTrusted" ? trusted(event) : revoked(keys.get(event.key), event.atMs);
  keys.set(record.id, record);
  return { kind: "ticketKey", record };
}

/** A job was taken under a ticket, and holds so much of it. */
export function holdTicket(
  book: TicketBook,
  { heldMs, ...presented }: PresentedTicket & { readonly heldMs: number },
  atMs: number,
): TicketChange {
  const known = book.records.get(ticketName(presented.ticket));
  return keep(book, withHold(presented, known, heldMs, atMs));
}

/** Jobs that are over without having used anything give back what they still hold. */
export function noteTicketEnds(book: TicketBook, jobs: readonly JobRecord[]): readonly TicketChange[] {
  return jobs.flatMap((job) => (isFinal(job.state) ? leaveTicket(book, job, 0) : []));
}

/** A reservation was accepted under a ticket, and holds so much of it. */
export function holdForSlot(
  book: TicketBook,
  presented: PresentedTicket,
  heldMs: number,
  atMs: number,
): TicketChange {
  return keep(book, withSlotHold(presented, book.records.get(ticketName(presented.ticket)), heldMs, atMs));
}

/** Increases the hold of a job or slot on its ticket. */
export function holdMore(book: TicketBook, name: string, heldMs: number): TicketChange {
  const known = book.records.get(name);
  assert(known !== undefined, "what holds something of a ticket came with it");
  return keep(book, withMoreHeld(known, heldMs));
}

/** A job or a reservation leaves its ticket, of which it has used so much. */
export function leaveTicket(
  book: TicketBook,
  { ticket }: { readonly ticket?: { readonly name: string; readonly heldMs: number } },
  usedMs: number,
): readonly TicketChange[] {
  if (ticket === undefined || ticket.heldMs === 0) return [];
  const known = book.records.get(ticket.name);
  assert(known !== undefined, "what something is held of was presented");
  return [keep(book, withDebit(known, { heldMs: ticket.heldMs, usedMs }))];
}

function keep({ records, held }: TicketBook, record: TicketRecord): TicketChange {
  records.set(record.name, record);
  if (record.heldMs > 0) held.add(record.name);
  else held.delete(record.name);
  return { kind: "ticket", record };
}

function trusted(event: Extract<StintEvent, { kind: "ticketKeyTrusted" }>): TicketKeyRecord {
  const { key: id, vo, publicKey, label, by, atMs } = event;
  return { id, vo, publicKey, label, trustedBy: by, trustedAtMs: atMs, revokedAtMs: null };
}

function revoked(key: TicketKeyRecord | undefined, atMs: number): TicketKeyRecord {
  assert(key !== undefined, "what is revoked was trusted");
  return { ...key, revokedAtMs: atMs };
}
