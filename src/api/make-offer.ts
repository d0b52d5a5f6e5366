/**
 * Making offers, safely repeatable: with an idempotency key an offer's id is derived from it, so that the
 * same request finds what it made, and another one under the same key is told apart.
 */
import type { OfferWish, Refusal, ReservationRecord, SlotResource } from "../model/index.ts";
import type { Door } from "../runtime/index.ts";
import { unknownReservation } from "./find-reservation.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, randomJobId } from "./job-ids.ts";
import { type ProblemError, refusalProblem } from "./problem.ts";
import { siteQuoteView } from "./reservation-view.ts";

/** What somebody wants kept aside. */
export interface WantedOffer {
  readonly wish: Omit<OfferWish, "reservation">;
  readonly key: string | undefined;
}

/** The offer; whether it was not there before. */
export interface MadeOffer {
  readonly record: ReservationRecord;
  readonly isNew: boolean;
}

/** Makes the function that makes offers; requests with one key take turns. */
export function createOffers(door: Door): (wanted: WantedOffer) => Promise<MadeOffer> {
  return async ({ wish, key }) => {
    if (key === undefined) return await make(door, { ...wish, reservation: randomJobId() });
    return await inTurn(door, [wish.owner, `offer ${key}`], async () => {
      const reservation = derivedId("reservation", wish.owner, key);
      const there = await door.reservation(reservation);
      if (there === undefined) return await make(door, { ...wish, reservation });
      if (!isSameOffer(there, wish)) throw keyReused(key, "offer");
      return { record: there, isNew: false };
    });
  };
}

async function make(door: Door, wish: OfferWish): Promise<MadeOffer> {
  const answer = await door.ask({ kind: "offerSlot", ...wish });
  if (!answer.ok) throw await withFreshQuotes(door, answer.refusal, wish);
  const record = await door.reservation(wish.reservation);
  if (record === undefined) throw unknownReservation(wish.reservation);
  return { record, isNew: true };
}

/** A start that has just gone by is taken as now. */
const JUST_NOW_MS = 60_000;

/** Compared is what does not change: one that began when it was heard, or was extended since, is the same. */
export function isSameOffer(
  there: ReservationRecord | undefined,
  wish: Omit<OfferWish, "reservation">,
): boolean {
  if (there === undefined) return false;
  const isExtended = there.durationMs > wish.durationMs && there.state !== "OFFERED";
  return (
    there.site === wish.site &&
    there.consumer === wish.consumer &&
    there.procs === wish.procs &&
    there.memoryBytes === wish.memoryBytes &&
    isSameResource(there.resource, wish.resource) &&
    there.ticket?.digest === wish.ticket?.digest &&
    there.startMs >= wish.startMs &&
    there.startMs <= wish.startMs + JUST_NOW_MS &&
    (there.durationMs === wish.durationMs || isExtended)
  );
}

function isSameResource(there: SlotResource | undefined, wanted: SlotResource | undefined): boolean {
  return there?.kind === wanted?.kind && there?.name === wanted?.name && there?.amount === wanted?.amount;
}

/** What is wanted of a slot, whenever. */
export type WantedSize = Pick<
  OfferWish,
  "site" | "procs" | "memoryBytes" | "resource" | "durationMs" | "consumer" | "ticket"
>;

/** A refusal as a problem; where the slot has gone, with what such a slot costs now. */
export async function withFreshQuotes(door: Door, refusal: Refusal, size: WantedSize): Promise<ProblemError> {
  if (refusal.kind !== "slotTaken" && refusal.kind !== "offerLapsed") return refusalProblem(refusal);
  const { site, procs, memoryBytes, resource, ticket, durationMs, consumer } = size;
  const of = { ...(resource && { resource }), ...(ticket && { ticket }) };
  const question = { procs, memoryBytes, ...of, durationMs, consumer, sites: [site] };
  const quotes = await door.quote({ ...question, when: { kind: "whenever" } });
  return refusalProblem(refusal, undefined, { quotes: quotes.map(siteQuoteView) });
}
