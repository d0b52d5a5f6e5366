/**
 * `/quotes/together` and `/reservations/together`: slots at several sites that start and end together, all or
 * none. Accepting or cancelling one of them applies to all.
 */
import {
  type CoReservationPartRequest,
  type CoReservationQuoteView,
  type CoReservationView,
  coReservationOfferRequestSchema,
  coReservationQuoteRequestSchema,
  idempotencyHeaders,
} from "../../contract/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import { chooseCoReservation } from "../choose-start.ts";
import { coReservationStartView } from "../co-reservation-view.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { createCoReservation } from "../make-co-reservation.ts";
import { refusalProblem } from "../problem.ts";
import { procMsOf, reservationView } from "../reservation-view.ts";
import { demandResource, slotSize } from "../slot-size.ts";
import { ticketGiven } from "../ticket-given.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { demandSites, whenOf } from "./quotes.ts";

/** Registers the routes of reservations at several sites. */
export function addCoReservation(api: Api, world: RouteWorld): void {
  addQuote(api, world);
  addOffer(api, world);
}

function addQuote(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("quoteTogether"),
    {
      config: forThoseWhoMay("reserve"),
      schema: {
        summary: "List the prices of slots at several sites that start together",
        description:
          "Every start at which all of the slots are available, with the total price and the price of " +
          "each. The request is as for `/quotes`. Nothing is held or recorded.",
        tags: ["reservations"],
        body: coReservationQuoteRequestSchema,
        response: answers("TogetherQuote", 200),
      },
    },
    async (request): Promise<CoReservationQuoteView> => {
      const { parts, durationSec, alpha, mostSu, ...body } = request.body;
      const { owner, consumer: own } = whoOf(request);
      const consumer = body.consumer ?? own;
      guard.demand(request, "reserve", { consumer, owner });
      demandParts(brokerApi, parts);
      const durationMs = Math.round(1000 * durationSec);
      const question = { parts: sized(brokerApi, parts), durationMs, consumer, when: whenOf(body) };
      const starts = await brokerApi.quoteCoReservation(question);
      const mostProcMs = mostSu === undefined ? Number.POSITIVE_INFINITY : procMsOf(mostSu);
      const chosen = alpha === undefined ? undefined : chooseCoReservation(starts, { alpha, mostProcMs });
      return {
        items: starts.map(coReservationStartView),
        chosen: chosen === undefined ? null : { startAt: isoInstant(chosen.startMs) },
      };
    },
  );
}

function addOffer(api: Api, { brokerApi, guard }: RouteWorld): void {
  const offer = createCoReservation(brokerApi);
  api.post(
    urlOf("offerTogether"),
    {
      config: forThoseWhoMay("reserve"),
      schema: {
        summary: "Make offers of slots at several sites, all or none",
        description:
          "The response has an offer for each slot. Accepting, withdrawing or cancelling one of them " +
          "applies to all. 201 and 200 as for a single offer; 409 if a slot is taken, with the current " +
          "`startsTogether`.",
        tags: ["reservations"],
        headers: idempotencyHeaders,
        body: coReservationOfferRequestSchema,
        response: answers("Together", 200, 201),
      },
    },
    async (request, reply): Promise<CoReservationView> => {
      const { parts, durationSec, startAt, consumer: given } = request.body;
      const consumer = given ?? whoOf(request).consumer;
      const { owner } = guard.demand(request, "reserve", { consumer, owner: whoOf(request).owner });
      demandParts(brokerApi, parts);
      const startMs = instantGiven(startAt, { pointer: "/startAt" });
      const same = { startMs, durationMs: Math.round(1000 * durationSec), consumer, owner };
      const { together, records, isNew } = await offer({
        owner,
        parts: sized(brokerApi, parts).map((part) => ({ ...part, ...same })),
        key: request.headers["idempotency-key"],
      });
      reply.code(isNew ? 201 : 200);
      return { together, items: records.map(reservationView) };
    },
  );
}

function sized(brokerApi: BrokerApi, parts: readonly CoReservationPartRequest[]) {
  return parts.map((part, at) => ({
    site: part.site,
    ...slotSize(part, `/parts/${at}`),
    ...ticketGiven(brokerApi, part),
  }));
}

/** @throws ProblemError `unknownSite`, `unknownResource`, and `partsUnfit` where one is named twice */
function demandParts(brokerApi: BrokerApi, parts: readonly CoReservationPartRequest[]): void {
  demandSites(
    brokerApi,
    parts.map(({ site }) => site),
  );
  for (const { site, resource } of parts) demandResource(brokerApi, site, resource);
  const names = parts.map(({ site, resource }) => `${site}/${resource?.name ?? ""}`);
  if (new Set(names).size < names.length) throw refusalProblem({ kind: "partsUnfit", why: "sameSite" });
}
