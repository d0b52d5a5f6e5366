/**
 * Making offers, safely repeatable: with an idempotency key an offer's id is derived from it, so that the
 * same request finds what it made, and another one under the same key is told apart.
 */
import type { OfferRequest, Refusal, ReservationRecord, SlotResource } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { unknownReservation } from "./find-reservation.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, randomJobId } from "./job-ids.ts";
import { type ProblemError, refusalProblem } from "./problem.ts";
import { siteQuoteView } from "./reservation-view.ts";

/** What somebody wants kept aside. */
export interface WantedOffer {
  readonly request: Omit<OfferRequest, "reservation">;
  readonly key: string | undefined;
}

/** The offer; whether it was not there before. */
export interface MadeOffer {
  readonly record: ReservationRecord;
  readonly isNew: boolean;
}

/** Makes the function that makes offers; requests with one key take turns. */
export function createOffers(brokerApi: BrokerApi): (wanted: WantedOffer) => Promise<MadeOffer> {
  return async ({ request, key }) => {
    if (key === undefined) return await make(brokerApi, { ...request, reservation: randomJobId() });
    return await inTurn(brokerApi, [request.owner, `offer ${key}`], async () => {
      const reservation = derivedId("reservation", request.owner, key);
      const there = await brokerApi.reservation(reservation);
      if (there === undefined) return await make(brokerApi, { ...request, reservation });
      if (!isSameOffer(there, request)) throw keyReused(key, "offer");
      return { record: there, isNew: false };
    });
  };
}

async function make(brokerApi: BrokerApi, request: OfferRequest): Promise<MadeOffer> {
  const answer = await brokerApi.ask({ kind: "offerSlot", ...request });
  if (!answer.ok) throw await withFreshQuotes(brokerApi, answer.refusal, request);
  const record = await brokerApi.reservation(request.reservation);
  if (record === undefined) throw unknownReservation(request.reservation);
  return { record, isNew: true };
}

/** A start that has just gone by is taken as now. */
const JUST_NOW_MS = 60_000;

/** Compared is what does not change: one that began when it was heard, or was extended since, is the same. */
export function isSameOffer(
  there: ReservationRecord | undefined,
  request: Omit<OfferRequest, "reservation">,
): boolean {
  if (there === undefined) return false;
  const isExtended = there.durationMs > request.durationMs && there.state !== "OFFERED";
  return (
    there.site === request.site &&
    there.consumer === request.consumer &&
    there.procs === request.procs &&
    there.memoryBytes === request.memoryBytes &&
    isSameResource(there.resource, request.resource) &&
    there.ticket?.digest === request.ticket?.digest &&
    there.startMs >= request.startMs &&
    there.startMs <= request.startMs + JUST_NOW_MS &&
    (there.durationMs === request.durationMs || isExtended)
  );
}

function isSameResource(there: SlotResource | undefined, wanted: SlotResource | undefined): boolean {
  return there?.kind === wanted?.kind && there?.name === wanted?.name && there?.amount === wanted?.amount;
}

/** What is wanted of a slot, whenever. */
export type WantedSize = Pick<
  OfferRequest,
  "site" | "procs" | "memoryBytes" | "resource" | "durationMs" | "consumer" | "ticket"
>;

/** A refusal as a problem; where the slot has gone, with what such a slot costs now. */
export async function withFreshQuotes(
  brokerApi: BrokerApi,
  refusal: Refusal,
  size: WantedSize,
): Promise<ProblemError> {
  if (refusal.kind !== "slotTaken" && refusal.kind !== "offerLapsed") return refusalProblem(refusal);
  const { site, procs, memoryBytes, resource, ticket, durationMs, consumer } = size;
  const of = { ...(resource && { resource }), ...(ticket && { ticket }) };
  const question = { procs, memoryBytes, ...of, durationMs, consumer, sites: [site] };
  const quotes = await brokerApi.quote({ ...question, when: { kind: "whenever" } });
  return refusalProblem(refusal, undefined, { quotes: quotes.map(siteQuoteView) });
}
