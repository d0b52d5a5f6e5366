/**
 * Makes offers at several sites, all or none; idempotent as for a single one (`make-offer.ts`): each part's
 * id is derived from the key and from its place.
 */
import type { OfferRequest, Refusal, ReservationRecord } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { coReservationStartView } from "./co-reservation-view.ts";
import { unknownReservation } from "./find-reservation.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, derivedPartId, randomJobId } from "./job-ids.ts";
import { isSameOffer } from "./make-offer.ts";
import { type ProblemError, refusalProblem } from "./problem.ts";

type PartRequest = Omit<OfferRequest, "reservation">;

/** Request for a co-reservation. */
export interface WantedCoReservation {
  readonly owner: string;
  /** Parts with one start, one duration and one consumer. */
  readonly parts: readonly PartRequest[];
  readonly key: string | undefined;
}

/** Offers, and whether they are new. */
export interface MadeCoReservation {
  readonly together: string;
  readonly records: readonly ReservationRecord[];
  readonly isNew: boolean;
}

/** Makes the function that makes co-reservations; requests with one key are serialised. */
export function createCoReservation(
  brokerApi: BrokerApi,
): (wanted: WantedCoReservation) => Promise<MadeCoReservation> {
  return async ({ owner, parts, key }) => {
    if (key === undefined) {
      const named = parts.map((part) => ({ ...part, reservation: randomJobId() }));
      return await make(brokerApi, randomJobId(), named);
    }
    return await inTurn(brokerApi, [owner, `together ${key}`], async () => {
      const together = derivedId("together", owner, key);
      const named = parts.map((part, at) => ({ ...part, reservation: derivedPartId(owner, key, at) }));
      const [there, beyond] = await Promise.all([
        Promise.all(named.map(({ reservation }) => brokerApi.reservation(reservation))),
        brokerApi.reservation(derivedPartId(owner, key, parts.length)),
      ]);
      const records = there.filter((record) => record !== undefined);
      if (records.length === 0) return await make(brokerApi, together, named);
      const isSame = beyond === undefined && named.every((part, at) => isSameOffer(there[at], part));
      if (!isSame) throw keyReused(key, "offer");
      return { together, records, isNew: false };
    });
  };
}

async function make(
  brokerApi: BrokerApi,
  together: string,
  parts: readonly OfferRequest[],
): Promise<MadeCoReservation> {
  const answer = await brokerApi.ask({ kind: "offerTogether", together, parts });
  if (!answer.ok) throw await withFreshPrices(brokerApi, answer.refusal, parts);
  const records = await Promise.all(
    parts.map(async ({ reservation }) => {
      const record = await brokerApi.reservation(reservation);
      if (record === undefined) throw unknownReservation(reservation);
      return record;
    }),
  );
  return { together, records, isNew: true };
}

/** A refusal as a problem; where a slot is gone, with current prices. */
async function withFreshPrices(
  brokerApi: BrokerApi,
  refusal: Refusal,
  parts: readonly OfferRequest[],
): Promise<ProblemError> {
  const [first] = parts;
  if (refusal.kind !== "slotTaken" || first === undefined) return refusalProblem(refusal);
  const { durationMs, consumer } = first;
  const sizes = parts.map(({ site, procs, memoryBytes, gpus, resource, ticket }) => ({
    ...{ site, procs, memoryBytes },
    ...(gpus === undefined ? {} : { gpus }),
    ...(resource === undefined ? {} : { resource }),
    ...(ticket === undefined ? {} : { ticket }),
  }));
  const question = { parts: sizes, durationMs, consumer, when: { kind: "whenever" } } as const;
  const starts = await brokerApi.quoteCoReservation(question);
  return refusalProblem(refusal, undefined, { startsTogether: starts.map(coReservationStartView) });
}
