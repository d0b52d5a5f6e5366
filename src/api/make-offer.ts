/**
 * Makes offers idempotently: an offer's id is derived from the idempotency key, so that a repeated request
 * finds its offer, and another request under the key is recognised.
 */
import type { OfferRequest, Refusal, ReservationRecord, SlotResource } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { unknownReservation } from "./find-reservation.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, randomJobId } from "./job-ids.ts";
import { type ProblemError, refusalProblem } from "./problem.ts";
import { siteQuoteView } from "./reservation-view.ts";

/** Request for an offer. */
export interface WantedOffer {
  readonly request: Omit<OfferRequest, "reservation">;
  readonly key: string | undefined;
}

/** Offer, and whether it is new. */
export interface MadeOffer {
  readonly record: ReservationRecord;
  readonly isNew: boolean;
}

/** Makes the function that makes offers; requests with one key are serialised. */
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

/** Tolerance: a start that has just gone by is taken as now. */
const JUST_NOW_MS = 60_000;

/**
 * True where an existing offer is of the same request. Start and end may differ: it may have started on
 * arrival, or been extended since.
 */
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
    there.gpus === request.gpus &&
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

/** Request for quotes of the same slot, at any time. */
export type WantedSize = Pick<
  OfferRequest,
  "site" | "procs" | "memoryBytes" | "gpus" | "resource" | "durationMs" | "consumer" | "ticket"
>;

/** A refusal as a problem; where the slot is gone, with current prices. */
export async function withFreshQuotes(
  brokerApi: BrokerApi,
  refusal: Refusal,
  size: WantedSize,
): Promise<ProblemError> {
  if (refusal.kind !== "slotTaken" && refusal.kind !== "offerLapsed") return refusalProblem(refusal);
  const { site, procs, memoryBytes, gpus, resource, ticket, durationMs, consumer } = size;
  const of = { ...(gpus && { gpus }), ...(resource && { resource }), ...(ticket && { ticket }) };
  const question = { procs, memoryBytes, ...of, durationMs, consumer, sites: [site] };
  const quotes = await brokerApi.quote({ ...question, when: { kind: "whenever" } });
  return refusalProblem(refusal, undefined, { quotes: quotes.map(siteQuoteView) });
}
