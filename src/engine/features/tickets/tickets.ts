/**
 * Tickets that somebody else has signed, and the keys that are trusted to sign them.
 */
import { assert } from "../../../base/index.ts";
import type { TicketKeyRecord, TicketRecord } from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import { jobOf, keepJob } from "../../keep-job.ts";
import { ofJobOver } from "../../state/outdated.ts";
import type { Projection } from "../../state/projection.ts";
import {
  applyTicketKey,
  holdTicket,
  leaveTicket,
  noteTicketEnds,
  restoreTickets,
} from "../../state/ticket-book.ts";
import { revokeTicketKey, trustTicketKey } from "./answer-ticket.ts";
import { decideTickets, ticketsWakeAtMs } from "./decide-tickets.ts";

export const tickets = {
  name: "tickets",
  answers: { trustTicketKey, revokeTicketKey },
  applies: {
    ticketKeyTrusted: (projection, event) => [applyTicketKey(projection.tickets, event)],
    ticketKeyRevoked: (projection, event) => [applyTicketKey(projection.tickets, event)],
    // What the job holds is free again, but for what it has used.
    ticketDebited: (projection, { job: id, amountMs }) => {
      const job = jobOf(projection, id);
      const { ticket } = job;
      assert(ticket !== undefined, "what is debited was taken under a ticket");
      const left = keepJob(projection, { ...job, ticket: { ...ticket, heldMs: 0 } });
      return [left, ...leaveTicket(projection.tickets, job, amountMs)];
    },
  },
  after: (projection, event, jobs) => {
    const isUnderOne = event.kind === "jobAccepted" && event.ticket !== undefined;
    const held = isUnderOne ? [holdTicket(projection.tickets, event.ticket, event.atMs)] : [];
    return [...held, ...noteTicketEnds(projection.tickets, jobs)];
  },
  outdates: { ticketDebited: ofJobOver },
  decide: decideTickets,
  wakeAtMs: ticketsWakeAtMs,
  queries: {
    /** Every ticket under which anything was taken, in order of the first. */
    tickets: ({ tickets: { records } }: Projection): readonly TicketRecord[] =>
      [...records.values()].sort((a, b) => a.presentedAtMs - b.presentedAtMs || (a.name < b.name ? -1 : 1)),
    /** All keys that were ever trusted, in order of that. */
    ticketKeys: ({ tickets: { keys } }: Projection): readonly TicketKeyRecord[] =>
      [...keys.values()].sort((a, b) => a.trustedAtMs - b.trustedAtMs || (a.id < b.id ? -1 : 1)),
  },
  views: [
    { name: "tickets", columns: {}, isReadWhole: true },
    { name: "ticketKeys", columns: {}, isReadWhole: true },
  ],
  rows: {
    ticket: ({ record }) => ({ view: "tickets", key: record.name, record, columns: {} }),
    ticketKey: ({ record }) => ({ view: "ticketKeys", key: record.id, record, columns: {} }),
  },
  restore: (projection, { tickets = [], ticketKeys = [] }) =>
    restoreTickets(projection.tickets, { tickets, ticketKeys }),
} as const satisfies Feature;
