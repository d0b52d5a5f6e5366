/**
 * `/quotes/together` and `/reservations/together`: slots at several sites that begin and end together,
 * and are had all or none. What is accepted or cancelled of them afterwards is so of all.
 */
import type { Door } from "../../runtime/index.ts";
import { chooseTogether } from "../choose-start.ts";
import type { TogetherPartWish, TogetherQuoteView, TogetherView } from "../client/together-types.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { createTogether } from "../make-together.ts";
import { refusalProblem } from "../problem.ts";
import { procMsOf, reservationView } from "../reservation-view.ts";
import { idempotencyHeaders } from "../schemas/parameters.ts";
import { togetherOfferWishSchema, togetherQuoteWishSchema } from "../schemas/together.ts";
import { demandResource, slotSize } from "../slot-size.ts";
import { ticketGiven } from "../ticket-given.ts";
import { togetherStartView } from "../together-view.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld } from "./api.ts";
import { demandSites, whenOf } from "./quotes.ts";

/** Adds the routes. */
export function addTogether(api: Api, world: RouteWorld): void {
  addQuote(api, world);
  addOffer(api, world);
}

function addQuote(api: Api, { door, guard }: RouteWorld): void {
  api.post(
    `${PREFIX}/quotes/together`,
    {
      config: forThoseWhoMay("reserve"),
      schema: {
        operationId: "quoteTogether",
        summary: "What slots at several sites cost that are had at the same time",
        description:
          "Every start at which all of them can be had, with the price of all and of each. Asked as " +
          "`/quotes` is. Nothing is kept aside, and nothing recorded.",
        tags: ["reservations"],
        body: togetherQuoteWishSchema,
        response: answers("TogetherQuote", 200),
      },
    },
    async (request): Promise<TogetherQuoteView> => {
      const { parts, durationSec, alpha, mostSu, ...wish } = request.body;
      const { owner, consumer: own } = whoOf(request);
      const consumer = wish.consumer ?? own;
      guard.demand(request, "reserve", { consumer, owner });
      demandParts(door, parts);
      const durationMs = Math.round(1000 * durationSec);
      const question = { parts: sized(door, parts), durationMs, consumer, when: whenOf(wish) };
      const starts = await door.quoteTogether(question);
      const mostProcMs = mostSu === undefined ? Number.POSITIVE_INFINITY : procMsOf(mostSu);
      const chosen = alpha === undefined ? undefined : chooseTogether(starts, { alpha, mostProcMs });
      return {
        items: starts.map(togetherStartView),
        chosen: chosen === undefined ? null : { startAt: isoInstant(chosen.startMs) },
      };
    },
  );
}

function addOffer(api: Api, { door, guard }: RouteWorld): void {
  const offer = createTogether(door);
  api.post(
    `${PREFIX}/reservations/together`,
    {
      config: forThoseWhoMay("reserve"),
      schema: {
        operationId: "offerTogether",
        summary: "Keep slots at several sites aside for a moment, all or none",
        description:
          "Answers an offer a slot. Accepting one of them accepts all, withdrawing or cancelling one does " +
          "so with all. 201 and 200 as for a single offer; a slot that is taken is 409, with " +
          "`startsTogether` of now.",
        tags: ["reservations"],
        headers: idempotencyHeaders,
        body: togetherOfferWishSchema,
        response: answers("Together", 200, 201),
      },
    },
    async (request, reply): Promise<TogetherView> => {
      const { parts, durationSec, startAt, consumer: given } = request.body;
      const consumer = given ?? whoOf(request).consumer;
      const { owner } = guard.demand(request, "reserve", { consumer, owner: whoOf(request).owner });
      demandParts(door, parts);
      const startMs = instantGiven(startAt, { pointer: "/startAt" });
      const same = { startMs, durationMs: Math.round(1000 * durationSec), consumer, owner };
      const { together, records, isNew } = await offer({
        owner,
        parts: sized(door, parts).map((part) => ({ ...part, ...same })),
        key: request.headers["idempotency-key"],
      });
      reply.code(isNew ? 201 : 200);
      return { together, items: records.map(reservationView) };
    },
  );
}

function sized(door: Door, parts: readonly TogetherPartWish[]) {
  return parts.map((part, at) => ({
    site: part.site,
    ...slotSize(part, `/parts/${at}`),
    ...ticketGiven(door, part),
  }));
}

/** @throws ProblemError `unknownSite`, `unknownResource`, and `partsUnfit` where one is named twice */
function demandParts(door: Door, parts: readonly TogetherPartWish[]): void {
  demandSites(
    door,
    parts.map(({ site }) => site),
  );
  for (const { site, resource } of parts) demandResource(door, site, resource);
  const names = parts.map(({ site, resource }) => `${site}/${resource?.name ?? ""}`);
  if (new Set(names).size < names.length) throw refusalProblem({ kind: "partsUnfit", why: "sameSite" });
}
