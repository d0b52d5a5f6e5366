/**
 * The tickets of a broker of plain objects.
 */
import type { TicketKeyRecord, TicketRecord } from "../../src/model/index.ts";
import type { TicketCheck, TicketDoor } from "../../src/runtime/index.ts";

/** What a test puts there. */
export interface FakeTickets {
  ticketRecords: readonly TicketRecord[];
  ticketKeyRecords: readonly TicketKeyRecord[];
  /** What is said of every ticket. */
  ticketCheck: TicketCheck;
}

/** A part of a door that knows of no ticket. */
export function ticketing(): FakeTickets & TicketDoor {
  return {
    ticketRecords: [],
    ticketKeyRecords: [],
    ticketCheck: { ticket: null, why: { kind: "unreadable", detail: "it is none" }, record: null },
    tickets() {
      return this.ticketRecords;
    },
    ticketKeys() {
      return this.ticketKeyRecords;
    },
    checkTicket() {
      return this.ticketCheck;
    },
  };
}
