/** Queries on tickets. */
import type { Result } from "../base/index.ts";
import type { PresentedTicket, Refusal, Ticket, TicketHindrance, TicketRecord } from "../model/index.ts";

/** Verdict on a ticket. */
export interface TicketCheck {
  /** Null where the text is none. */
  readonly ticket: Ticket | null;
  /** Why nothing would be taken under it now; null where something would. */
  readonly why: TicketHindrance | null;
  /** Record of the ticket; null before the first job with it. */
  readonly record: TicketRecord | null;
}

/** The questions. */
export interface TicketApi {
  /** Verdict on a line as a ticket at this instant; nothing is recorded. */
  checkTicket(line: string): TicketCheck;
  /** The ticket that a line is, whose signature was found right: what a slot is wanted under. */
  presentTicket(line: string): Result<PresentedTicket, Refusal>;
}
