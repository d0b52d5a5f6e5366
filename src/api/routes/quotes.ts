/** `/quotes`: prices of slots. Holds and records nothing. */
import { type QuoteRequest, type QuoteView, quoteRequestSchema } from "../../contract/index.ts";
import type { WantedWhen } from "../../model/index.ts";
import type { BrokerApi, QuoteQuestion } from "../../runtime/index.ts";
import { chooseAmongSites } from "../choose-start.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { createLongQuestions } from "../long-questions.ts";
import { refusalProblem } from "../problem.ts";
import { procMsOf, siteQuoteView } from "../reservation-view.ts";
import { demandResource, slotSize } from "../slot-size.ts";
import { ticketGiven } from "../ticket-given.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Adds the route. */
export function addQuotes(api: Api, { brokerApi, guard }: RouteWorld): void {
  const questions = createLongQuestions();
  api.post(
    urlOf("quoteSlot"),
    {
      config: forThoseWhoMay("quote"),
      schema: {
        summary: "List the prices of a slot at every possible start, by site",
        description:
          "For a start at exactly `startAt`, for all starts from `fromAt` on, or for all possible starts. " +
          "With `alpha`, the response says which of them is chosen. Nothing is held or recorded.",
        tags: ["reservations"],
        body: quoteRequestSchema,
        response: answers("Quote", 200),
      },
    },
    async (request): Promise<QuoteView> => {
      const { body } = request;
      const { owner, consumer: own } = whoOf(request);
      const consumer = body.consumer ?? own;
      guard.demand(request, "quote", { consumer, owner });
      demandSites(brokerApi, body.sites ?? []);
      for (const site of body.sites ?? []) demandResource(brokerApi, site, body.resource);
      const question = questionOf(brokerApi, body, consumer);
      const quotes = await questions.answered(owner, () => brokerApi.quote(question));
      const { alpha, mostSu } = body;
      const mostProcMs = mostSu === undefined ? Number.POSITIVE_INFINITY : procMsOf(mostSu);
      const chosen = alpha === undefined ? undefined : chooseAmongSites(quotes, { alpha, mostProcMs });
      return {
        items: quotes.map(siteQuoteView),
        chosen: chosen === undefined ? null : { site: chosen.site, startAt: isoInstant(chosen.startMs) },
      };
    },
  );
}

function questionOf(brokerApi: BrokerApi, request: QuoteRequest, consumer: string): QuoteQuestion {
  const under = ticketGiven(brokerApi, request);
  const { durationSec, sites = siteOf(under) } = request;
  return {
    ...{ ...slotSize(request), durationMs: Math.round(1000 * durationSec), consumer, ...under },
    when: whenOf(request),
    ...(sites === undefined ? {} : { sites }),
  };
}

/** Site of the ticket, where there is one: a ticket is for one site. */
function siteOf({ ticket }: Pick<QuoteQuestion, "ticket">): readonly string[] | undefined {
  return ticket && [ticket.ticket.site];
}

/** Start of the request. @throws ProblemError where both forms are given, or an instant is invalid */
export function whenOf({ startAt, fromAt }: Pick<QuoteRequest, "startAt" | "fromAt">): WantedWhen {
  if (startAt !== undefined && fromAt !== undefined) {
    throw invalid([{ pointer: "/fromAt", detail: "startAt and fromAt exclude each other" }]);
  }
  if (startAt !== undefined) return { kind: "at", startMs: instantGiven(startAt, { pointer: "/startAt" }) };
  if (fromAt === undefined) return { kind: "whenever" };
  return { kind: "from", fromMs: instantGiven(fromAt, { pointer: "/fromAt" }) };
}

/** @throws ProblemError `unknownSite` for the first that does not exist */
export function demandSites(brokerApi: BrokerApi, sites: readonly string[]): void {
  const known = brokerApi.sites().map(({ name }) => name);
  const site = sites.find((name) => !known.includes(name));
  if (site !== undefined) throw refusalProblem({ kind: "unknownSite", site, known });
}
