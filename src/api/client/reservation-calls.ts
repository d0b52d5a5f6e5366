/**
 * The client's calls about prices, reservations and accounts.
 */
import { randomUUID } from "node:crypto";
import type {
  CoReservationCalls,
  CoReservationQuoteView,
  CoReservationView,
} from "./co-reservation-types.ts";
import type { Connection } from "./connection.ts";
import { look, queryText } from "./look.ts";
import type {
  AccountsView,
  GrantView,
  PricedStartView,
  QuoteView,
  ReservationCalls,
  ReservationList,
  ReservationView,
} from "./reservation-types.ts";
import type { JobView } from "./types.ts";
import type { VirtualReservationCalls, VirtualReservationQuoteView } from "./virtual-reservation-types.ts";

/** These calls over a connection. */
export function reservationCalls(
  connection: Connection,
): ReservationCalls & CoReservationCalls & VirtualReservationCalls {
  const post = async <Answer>(path: string, body: object, headers: Record<string, string> = {}) => {
    // With a key it is the same however often it is sent; a quote changes nothing.
    const isRepeatable = true;
    return (await connection.json({ method: "POST", path, body, headers, isRepeatable })) as Answer;
  };
  /** What may be done once. */
  const act = async (method: "POST" | "DELETE", path: string, body?: object) =>
    (await connection.json({ method, path, body, isRepeatable: false })) as ReservationView;
  return {
    quote: (request) => post<QuoteView>("/api/v1/quotes", request),
    offer: (request, { idempotencyKey = randomUUID() } = {}) =>
      post<ReservationView>("/api/v1/reservations", request, { "idempotency-key": idempotencyKey }),
    quoteCoReservation: (request) => post<CoReservationQuoteView>("/api/v1/quotes/together", request),
    offerCoReservation: (request, { idempotencyKey = randomUUID() } = {}) =>
      post<CoReservationView>("/api/v1/reservations/together", request, {
        "idempotency-key": idempotencyKey,
      }),
    quoteVirtualReservation: (request) =>
      post<VirtualReservationQuoteView>("/api/v1/quotes/virtual", request),
    reserveVirtually: (request, { idempotencyKey = randomUUID() } = {}) =>
      post<JobView>("/api/v1/reservations/virtual", request, { "idempotency-key": idempotencyKey }),
    accept: (id) => act("POST", `${pathOf(id)}/accept`),
    cancelReservation: (id) => act("DELETE", pathOf(id)),
    relinquish: (id) => act("POST", `${pathOf(id)}/relinquish`),
    quoteExtension: (id, moreSec) =>
      look<PricedStartView>(connection, `${pathOf(id)}/extension${queryText({ moreSec })}`),
    extend: (id, request) => act("POST", `${pathOf(id)}/extend`, request),
    reservation: (id) => look<ReservationView>(connection, pathOf(id)),
    reservations: ({ states, ...same } = {}) =>
      look<ReservationList>(connection, `/api/v1/reservations${queryText({ ...same, state: states })}`),
    account: (of = {}) => look<AccountsView>(connection, `/api/v1/accounts${queryText(of)}`),
    grant: (request, { idempotencyKey = randomUUID() } = {}) =>
      post<GrantView>("/api/v1/grants", request, { "idempotency-key": idempotencyKey }),
  };
}

function pathOf(id: string): string {
  return `/api/v1/reservations/${encodeURIComponent(id)}`;
}
