/**
 * Making offers at several sites at once, all or none; safely repeatable as a single one is
 * (`make-offer.ts`): each part's id is derived from the key and from its place.
 */
import type { OfferWish, Refusal, ReservationRecord } from "../model/index.ts";
import type { Door } from "../runtime/index.ts";
import { unknownReservation } from "./find-reservation.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { derivedId, derivedPartId, randomJobId } from "./job-ids.ts";
import { isSameOffer } from "./make-offer.ts";
import { type ProblemError, refusalProblem } from "./problem.ts";
import { togetherStartView } from "./together-view.ts";

type PartWish = Omit<OfferWish, "reservation">;

/** What somebody wants kept aside. */
export interface WantedTogether {
  readonly owner: string;
  /** With one start, one duration and one consumer. */
  readonly parts: readonly PartWish[];
  readonly key: string | undefined;
}

/** The offers; whether they were not there before. */
export interface MadeTogether {
  readonly together: string;
  readonly records: readonly ReservationRecord[];
  readonly isNew: boolean;
}

/** Makes the function that makes them; requests with one key take turns. */
export function createTogether(door: Door): (wanted: WantedTogether) => Promise<MadeTogether> {
  return async ({ owner, parts, key }) => {
    if (key === undefined) {
      const named = parts.map((part) => ({ ...part, reservation: randomJobId() }));
      return await make(door, randomJobId(), named);
    }
    return await inTurn(door, [owner, `together ${key}`], async () => {
      const together = derivedId("together", owner, key);
      const named = parts.map((part, at) => ({ ...part, reservation: derivedPartId(owner, key, at) }));
      const [there, beyond] = await Promise.all([
        Promise.all(named.map(({ reservation }) => door.reservation(reservation))),
        door.reservation(derivedPartId(owner, key, parts.length)),
      ]);
      const records = there.filter((record) => record !== undefined);
      if (records.length === 0) return await make(door, together, named);
      const isSame = beyond === undefined && named.every((part, at) => isSameOffer(there[at], part));
      if (!isSame) throw keyReused(key, "offer");
      return { together, records, isNew: false };
    });
  };
}

async function make(door: Door, together: string, parts: readonly OfferWish[]): Promise<MadeTogether> {
  const answer = await door.ask({ kind: "offerTogether", together, parts });
  if (!answer.ok) throw await withFreshPrices(door, answer.refusal, parts);
  const records = await Promise.all(
    parts.map(async ({ reservation }) => {
      const record = await door.reservation(reservation);
      if (record === undefined) throw unknownReservation(reservation);
      return record;
    }),
  );
  return { together, records, isNew: true };
}

/** A refusal as a problem; where a slot has gone, with what they cost together now. */
async function withFreshPrices(
  door: Door,
  refusal: Refusal,
  parts: readonly OfferWish[],
): Promise<ProblemError> {
  const [first] = parts;
  if (refusal.kind !== "slotTaken" || first === undefined) return refusalProblem(refusal);
  const { durationMs, consumer } = first;
  const sizes = parts.map(({ site, procs, memoryBytes, resource, ticket }) => ({
    ...{ site, procs, memoryBytes },
    ...(resource === undefined ? {} : { resource }),
    ...(ticket === undefined ? {} : { ticket }),
  }));
  const question = { parts: sizes, durationMs, consumer, when: { kind: "whenever" } } as const;
  const starts = await door.quoteTogether(question);
  return refusalProblem(refusal, undefined, { startsTogether: starts.map(togetherStartView) });
}
