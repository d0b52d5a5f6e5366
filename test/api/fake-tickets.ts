/**
 * The tickets of a broker of plain objects.
 */
import { accepted, type Result, refused } from "../../src/base/index.ts";
import type { PresentedTicket, Refusal, TicketKeyRecord, TicketRecord } from "../../src/model/index.ts";
import type { TicketApi, TicketCheck } from "../../src/runtime/index.ts";

/** What a test puts there. */
export interface FakeTickets {
  ticketRecords: readonly TicketRecord[];
  ticketKeyRecords: readonly TicketKeyRecord[];
  /** What is said of every ticket. */
  ticketCheck: TicketCheck;
  /** What every line is; none where absent. */
  presented: PresentedTicket | undefined;
}

/** A part of a broker API that knows of no ticket. */
export function ticketing(): FakeTickets & TicketApi {
  return {
    ticketRecords: [],
    ticketKeyRecords: [],
    ticketCheck: { ticket: null, why: { kind: "unreadable", detail: "it is none" }, record: null },
    presented: undefined,
    presentTicket(): Result<PresentedTicket, Refusal> {
      if (this.presented !== undefined) return accepted(this.presented);
      const why = { kind: "unreadable", detail: "it is none" } as const;
      return refused({ kind: "ticketRefused", ticket: "", why });
    },
    checkTicket() {
      return this.ticketCheck;
    },
  };
}
