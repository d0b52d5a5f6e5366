/**
 * What the rest of the house may ask of a broker about tickets.
 */
import type { Result } from "../base/index.ts";
import type { PresentedTicket, Refusal, Ticket, TicketHindrance, TicketRecord } from "../model/index.ts";

/** What is to be said of a ticket. */
export interface TicketCheck {
  /** Null where the text is none. */
  readonly ticket: Ticket | null;
  /** Why nothing would be taken under it now; null where something would. */
  readonly why: TicketHindrance | null;
  /** What was kept of it; null where no job came with it yet. */
  readonly record: TicketRecord | null;
}

/** The questions. */
export interface TicketApi {
  /** Whether the ticket that a line is would be taken now; nothing is recorded. */
  checkTicket(line: string): TicketCheck;
  /** The ticket that a line is, whose signature was found right: what a slot is wanted under. */
  presentTicket(line: string): Result<PresentedTicket, Refusal>;
}
