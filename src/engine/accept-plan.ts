/**
 * Acceptance of all offers of a plan in one answer: all of them become reservations, or none does.
 */
import { accepted, assert, refused } from "../base/index.ts";
import type { PlacedPlan, ReservationRecord, StintEvent } from "../model/index.ts";
import type { Answer } from "./feature.ts";
import { reservationAnswers } from "./features/reservations/answer-reservation.ts";
import { shortRefusal } from "./state/accounts.ts";
import type { Projection } from "./state/projection.ts";

/** Accepts the offers of a plan. @param by the owner of the offers */
export function acceptPlan(
  projection: Projection,
  { pilots, mostProcMs }: PlacedPlan,
  by: string,
  nowMs: number,
): Answer {
  const records: ReservationRecord[] = [];
  for (const { reservation } of pilots) {
    const record = projection.reserved.records.get(reservation);
    if (record === undefined || record.owner !== by) {
      return refused({ kind: "unknownReservation", reservation });
    }
    records.push(record);
  }
  const procMs = records.reduce((sum, it) => sum + it.baseProcMs + it.fixedProcMs, 0);
  if (mostProcMs !== null && procMs > mostProcMs)
    return refused({ kind: "planDearer", neededProcMs: procMs, mostProcMs });
  const events: StintEvent[] = [];
  for (const [site, own] of bySite(records)) {
    const state = projection.sites.get(site);
    assert(state !== undefined, "a site with offers is not removed");
    const [{ consumer }] = own;
    const short = shortRefusal(
      state,
      consumer,
      own.reduce((sum, it) => sum + it.baseProcMs + it.fixedProcMs, 0),
    );
    if (short !== undefined) return refused(short);
  }
  for (const { id: reservation } of records) {
    const answer = reservationAnswers.acceptOffer(
      projection,
      { kind: "acceptOffer", reservation, by },
      nowMs,
    );
    if (!answer.ok) return answer;
    events.push(...answer.value);
  }
  return accepted(events);
}

function bySite(records: readonly ReservationRecord[]): ReadonlyMap<string, readonly ReservationRecord[]> {
  const sites = new Map<string, ReservationRecord[]>();
  for (const record of records) sites.set(record.site, [...(sites.get(record.site) ?? []), record]);
  return sites;
}
