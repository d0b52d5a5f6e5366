/**
 * The client's calls about tickets.
 */
import type { Connection } from "./connection.ts";
import { type Items, look } from "./look.ts";
import type { TicketCalls, TicketCheckView, TicketKeyView, TicketView } from "./ticket-types.ts";

/** These calls over a connection. */
export function ticketCalls(connection: Connection): TicketCalls {
  const keys = "/api/v1/ticket-keys";
  return {
    tickets: async () => (await look<Items<TicketView>>(connection, "/api/v1/tickets")).items,
    checkTicket: async (ticket) =>
      (await connection.json({
        method: "POST",
        path: "/api/v1/tickets/check",
        body: { ticket },
        isRepeatable: true,
      })) as TicketCheckView,
    ticketKeys: async () => (await look<Items<TicketKeyView>>(connection, keys)).items,
    trustTicketKey: async (body) =>
      (await connection.json({ method: "POST", path: keys, body, isRepeatable: false })) as TicketKeyView,
    revokeTicketKey: async (id) =>
      (await connection.json({
        method: "DELETE",
        path: `${keys}/${encodeURIComponent(id)}`,
        isRepeatable: false,
      })) as TicketKeyView,
  };
}
