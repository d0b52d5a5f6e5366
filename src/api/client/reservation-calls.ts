/**
 * The client's calls about prices, reservations and accounts.
 */
import { randomUUID } from "node:crypto";
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
import type { TogetherCalls, TogetherQuoteView, TogetherView } from "./together-types.ts";
import type { JobView } from "./types.ts";
import type { VirtualCalls, VirtualQuoteView } from "./virtual-types.ts";

/** These calls over a connection. */
export function reservationCalls(connection: Connection): ReservationCalls & TogetherCalls & VirtualCalls {
  const post = async <Answer>(path: string, body: object, headers: Record<string, string> = {}) => {
    // With a key it is the same however often it is sent; a quote changes nothing.
    const isRepeatable = true;
    return (await connection.json({ method: "POST", path, body, headers, isRepeatable })) as Answer;
  };
  /** What may be done once. */
  const act = async (method: "POST" | "DELETE", path: string, body?: object) =>
    (await connection.json({ method, path, body, isRepeatable: false })) as ReservationView;
  return {
    quote: (wish) => post<QuoteView>("/api/v1/quotes", wish),
    offer: (wish, { idempotencyKey = randomUUID() } = {}) =>
      post<ReservationView>("/api/v1/reservations", wish, { "idempotency-key": idempotencyKey }),
    quoteTogether: (wish) => post<TogetherQuoteView>("/api/v1/quotes/together", wish),
    offerTogether: (wish, { idempotencyKey = randomUUID() } = {}) =>
      post<TogetherView>("/api/v1/reservations/together", wish, { "idempotency-key": idempotencyKey }),
    quoteVirtual: (wish) => post<VirtualQuoteView>("/api/v1/quotes/virtual", wish),
    reserveVirtual: (wish, { idempotencyKey = randomUUID() } = {}) =>
      post<JobView>("/api/v1/reservations/virtual", wish, { "idempotency-key": idempotencyKey }),
    accept: (id) => act("POST", `${pathOf(id)}/accept`),
    cancelReservation: (id) => act("DELETE", pathOf(id)),
    relinquish: (id) => act("POST", `${pathOf(id)}/relinquish`),
    quoteExtension: (id, moreSec) =>
      look<PricedStartView>(connection, `${pathOf(id)}/extension${queryText({ moreSec })}`),
    extend: (id, wish) => act("POST", `${pathOf(id)}/extend`, wish),
    reservation: (id) => look<ReservationView>(connection, pathOf(id)),
    reservations: ({ states, ...same } = {}) =>
      look<ReservationList>(connection, `/api/v1/reservations${queryText({ ...same, state: states })}`),
    account: (of = {}) => look<AccountsView>(connection, `/api/v1/accounts${queryText(of)}`),
    grant: (wish, { idempotencyKey = randomUUID() } = {}) =>
      post<GrantView>("/api/v1/grants", wish, { "idempotency-key": idempotencyKey }),
  };
}

function pathOf(id: string): string {
  return `/api/v1/reservations/${encodeURIComponent(id)}`;
}
