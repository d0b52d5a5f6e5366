/** `/reservations`: makes, accepts, lists, extends and ends offers and reservations. */

import type { Static } from "@fastify/type-provider-typebox";
import {
  extensionQuery,
  extensionRequestSchema,
  idempotencyHeaders,
  offerRequestSchema,
  type ReservationView,
  reservationParameters,
  reservationQuery,
} from "../../contract/index.ts";
import { jobsWithin, RESERVATION_ALLOWED_IN } from "../../engine/index.ts";
import { type Command, isHolding, type LivePrice, type ReservationRecord } from "../../model/index.ts";
import type { BrokerApi, ReservationQuery } from "../../runtime/index.ts";
import { findReservation, unknownReservation } from "../find-reservation.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { createOffers, withFreshQuotes } from "../make-offer.ts";
import { PREFIX } from "../operations.ts";
import { refusalProblem } from "../problem.ts";
import { pricedStartView, procMsOf, reservationView } from "../reservation-view.ts";
import { slotSize } from "../slot-size.ts";
import { ticketGiven } from "../ticket-given.ts";
import { seenOf } from "../within-sight.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { demandSites } from "./quotes.ts";

/** Registers the routes of reservations. */
export function addReservations(api: Api, world: RouteWorld): void {
  addOffer(api, world);
  addLooks(api, world);
  addActs(api, world);
  addExtension(api, world);
}

function addOffer(api: Api, { brokerApi, guard }: RouteWorld): void {
  const offer = createOffers(brokerApi);
  api.post(
    urlOf("offerSlot"),
    {
      config: forThoseWhoMay("reserve"),
      schema: {
        summary: "Make an offer of a slot at its current price",
        description:
          "The response is an offer, valid until `expiresAt` unless it is accepted. 201 when it was " +
          "created; 200 with its current state for a repeated request with the same Idempotency-Key. 409 " +
          "if the slot is taken, with the current `quotes`.",
        tags: ["reservations"],
        headers: idempotencyHeaders,
        body: offerRequestSchema,
        response: answers("Reservation", 200, 201),
      },
    },
    async (request, reply) => {
      const { site, durationSec, startAt, consumer: given } = request.body;
      const consumer = given ?? whoOf(request).consumer;
      const { owner } = guard.demand(request, "reserve", { consumer, owner: whoOf(request).owner });
      demandSites(brokerApi, [site]);
      const under = ticketGiven(brokerApi, request.body);
      const startMs = instantGiven(startAt, { pointer: "/startAt" });
      const durationMs = Math.round(1000 * durationSec);
      const { record, isNew } = await offer({
        request: { site, ...slotSize(request.body), ...under, startMs, durationMs, consumer, owner },
        key: request.headers["idempotency-key"],
      });
      reply.code(isNew ? 201 : 200).header("location", `${PREFIX}/reservations/${record.id}`);
      return reservationView(record);
    },
  );
}

function addLooks(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listReservations"),
    {
      config: forThoseWhoMay("seeReservation"),
      schema: {
        summary: "List offers and reservations, newest first",
        tags: ["reservations"],
        querystring: reservationQuery,
        response: answers("ReservationList", 200),
      },
    },
    async (request) => {
      const query = seenOf(listQuery(request.query), jobsWithin(whoOf(request), "seeReservation"));
      if (query === undefined) return { items: [], next: null };
      const { items, next } = await brokerApi.reservations(query);
      return { items: items.map(reservationView), next: next ?? null };
    },
  );
  api.get(
    urlOf("getReservation"),
    {
      config: forThoseWhoMay("seeReservation"),
      schema: {
        summary: "Get an offer or reservation with its history",
        tags: ["reservations"],
        params: reservationParameters,
        response: answers("Reservation", 200),
      },
    },
    async (request) =>
      reservationView(
        await findReservation({ brokerApi, guard, request }, request.params.id, "seeReservation"),
      ),
  );
}

function listQuery({ state, cursor, ...same }: Static<typeof reservationQuery>): ReservationQuery {
  return {
    ...same,
    ...(state !== undefined && { states: state }),
    ...(cursor !== undefined && { after: cursor }),
  };
}

const acts = [
  {
    method: "POST",
    kind: "acceptOffer",
    id: "acceptOffer",
    summary: "Accept an offer and pay its price",
  },
  {
    method: "DELETE",
    kind: "cancelReservation",
    id: "cancelReservation",
    summary: "Withdraw an offer, or cancel a future reservation for its penalty",
  },
  {
    method: "POST",
    kind: "relinquish",
    id: "relinquishReservation",
    summary: "End an active reservation, and refund the rest less the penalty",
  },
] as const;

function addActs(api: Api, { brokerApi, guard }: RouteWorld): void {
  for (const { method, kind, id, summary } of acts) {
    api.route({
      method,
      url: urlOf(id),
      config: forThoseWhoMay("actOnReservation"),
      schema: {
        summary,
        tags: ["reservations"],
        params: reservationParameters,
        response: answers("Reservation", 200),
      },
      handler: async (request) => {
        const named = request.params as Static<typeof reservationParameters>;
        const record = await findReservation({ brokerApi, guard, request }, named.id, "actOnReservation");
        return await done(brokerApi, { kind, reservation: record.id, by: whoOf(request).owner }, record);
      },
    });
  }
}

function addExtension(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("quoteExtension"),
    {
      config: forThoseWhoMay("seeReservation"),
      schema: {
        summary: "Show the price of an extension",
        tags: ["reservations"],
        params: reservationParameters,
        querystring: extensionQuery,
        response: answers("PricedStart", 200),
      },
    },
    async (request) => {
      const record = await findReservation(
        { brokerApi, guard, request },
        request.params.id,
        "seeReservation",
      );
      const price = await brokerApi.quoteExtension(record.id, Math.round(1000 * request.query.moreSec));
      return pricedStartView(price ?? notToBeHad(record));
    },
  );
  api.post(
    urlOf("extendReservation"),
    {
      config: forThoseWhoMay("actOnReservation"),
      schema: {
        summary: "Extend a reservation that has not ended, at the current price",
        description: "Nothing is changed if the fixed price is higher than `mostFixedSu`.",
        tags: ["reservations"],
        params: reservationParameters,
        body: extensionRequestSchema,
        response: answers("Reservation", 200),
      },
    },
    async (request) => {
      const record = await findReservation(
        { brokerApi, guard, request },
        request.params.id,
        "actOnReservation",
      );
      const { moreSec, mostFixedSu } = request.body;
      const extension = { moreMs: Math.round(1000 * moreSec), mostFixedProcMs: procMsOf(mostFixedSu) };
      const by = whoOf(request).owner;
      return await done(
        brokerApi,
        { kind: "extendReservation", reservation: record.id, by, ...extension },
        record,
      );
    },
  );
}

/** Problem for an extension without a price: the reservation has ended, or something is in the way. */
function notToBeHad({ id, site, state }: ReservationRecord): LivePrice {
  if (isHolding(state)) throw refusalProblem({ kind: "slotTaken", site, earliestMs: null });
  throw refusalProblem({
    kind: "wrongReservationState",
    reservation: id,
    verb: "extend",
    state,
    allowedIn: RESERVATION_ALLOWED_IN.extend,
  });
}

type ActOnReservation = Extract<
  Command,
  { readonly kind: "acceptOffer" | "cancelReservation" | "relinquish" | "extendReservation" }
>;

/** Sends the command. @returns the reservation afterwards */
async function done(
  brokerApi: BrokerApi,
  command: ActOnReservation,
  record: ReservationRecord,
): Promise<ReservationView> {
  const answer = await brokerApi.ask(command);
  if (!answer.ok) {
    const { refusal } = answer;
    // What one of several costs alone is no help to whoever wants all of them.
    throw record.together === null
      ? await withFreshQuotes(brokerApi, refusal, record)
      : refusalProblem(refusal);
  }
  const changed = await brokerApi.reservation(record.id);
  if (changed === undefined) throw unknownReservation(record.id);
  return reservationView(changed);
}
