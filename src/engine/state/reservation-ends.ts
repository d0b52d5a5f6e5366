/** Costs and refunds of a reservation that ends before its time. */
import { cancellationPenalty, relinquishedPrice } from "../../market/index.ts";
import type { ReservationRecord, StintEvent } from "../../model/index.ts";
import { charge, refund } from "./accounts.ts";
import { ownTariff, pricedSize } from "./price-terms.ts";
import { slotDebit } from "./slot-ticket.ts";

/** Events of withdrawing an offer, or of cancelling a reservation that has not begun. */
export function cancelled(record: ReservationRecord, by: string, nowMs: number): readonly StintEvent[] {
  const { id, site, state, baseProcMs, fixedProcMs } = record;
  if (state === "OFFERED") return [{ kind: "offerWithdrawn", reservation: id, site, by, atMs: nowMs }];
  const penaltyProcMs = cancellationPenalty(record, record);
  const refundProcMs = baseProcMs + fixedProcMs - penaltyProcMs;
  return [
    { kind: "reservationCancelled", reservation: id, site, by, penaltyProcMs, refundProcMs, atMs: nowMs },
    ...refund(aboutOf(record, "cancellation", nowMs), { base: baseProcMs, delays: fixedProcMs }),
    ...charge(aboutOf(record, "penalty", nowMs), { penalties: penaltyProcMs }),
  ];
}

/** Events of giving up the rest of an active reservation. */
export function relinquished(record: ReservationRecord, by: string, nowMs: number): readonly StintEvent[] {
  const { leftProcMs, penaltyProcMs } = relinquishedPrice(
    { ...record, ...pricedSize(record) },
    nowMs,
    record.priceBook && ownTariff(record),
  );
  return [
    ...slotDebit(record, nowMs, "relinquished"),
    {
      kind: "reservationRelinquished",
      reservation: record.id,
      site: record.site,
      by,
      refundProcMs: leftProcMs - penaltyProcMs,
      atMs: nowMs,
    },
    ...refund(aboutOf(record, "relinquished", nowMs), { base: leftProcMs }),
    ...charge(aboutOf(record, "penalty", nowMs), { penalties: penaltyProcMs }),
  ];
}

/** Subject of a posting for a reservation. */
export function aboutOf(
  { id, site, consumer }: ReservationRecord,
  what: "reservation" | "extension" | "penalty" | "cancellation" | "relinquished" | "violated",
  atMs: number,
) {
  return { id: `${id} ${what}`, site, consumer, about: id, what, atMs };
}
