/** Site reports on requested reservations (rule EN-38). */
import type { ReservationRecord, StintEvent } from "../../../model/index.ts";
import { refund } from "../../state/accounts.ts";
import { aboutOf } from "../../state/reservation-ends.ts";
import { heldAt, type Reserved } from "../../state/reserved.ts";
import type { Survey } from "../../survey.ts";
import { violated } from "./decide-reservations.ts";

/** Report that a reservation was made, under the site's name for it, or will never be. */
export type ReservationReport = { readonly reservation: string } & (
  | { readonly kind: "made"; readonly siteReservation: string; readonly endMs: number }
  | { readonly kind: "failed"; readonly why: string }
);

/** The events that a report makes; none of one that is over, or that was told before. */
export function observeReservation(
  reserved: Pick<Reserved, "records">,
  report: ReservationReport,
  nowMs: number,
): readonly StintEvent[] {
  const { reservation } = report;
  const record = reserved.records.get(reservation);
  if (record === undefined) return [];
  if (report.kind === "failed") {
    return moreRefused(record, report.why, nowMs) ?? violated(reserved, record, report.why, nowMs);
  }
  const { siteReservation, endMs } = report;
  const isNews = record.siteReservation !== siteReservation || record.unextended !== undefined;
  if (!isNews) return [];
  return [{ kind: "reservationMade", reservation, site: record.site, siteReservation, endMs, atMs: nowMs }];
}

/** Restores a reservation where the site refused only more time (rule EN-38). */
function moreRefused(
  record: ReservationRecord,
  why: string,
  nowMs: number,
): readonly StintEvent[] | undefined {
  const { id: reservation, site, siteReservation, unextended, baseProcMs, fixedProcMs } = record;
  if (unextended === undefined || siteReservation === null) return undefined;
  const base = baseProcMs - unextended.baseProcMs;
  const delays = fixedProcMs - unextended.fixedProcMs;
  const lessMs = record.durationMs - unextended.durationMs;
  const about = aboutOf(record, "extension", nowMs);
  return [
    {
      kind: "extensionRefused",
      ...{ reservation, site, lessMs, refundProcMs: base + delays, why, atMs: nowMs },
    },
    ...refund({ ...about, id: `${about.id} refused ${nowMs}` }, { base, delays }),
  ];
}

/**
 * Events of reservations that a survey no longer shows: one that is missing for longer than the site's
 * patience counts as not honoured.
 */
export function observeReservations(
  reserved: Reserved,
  {
    site,
    survey,
    patienceMs,
  }: { readonly site: string; readonly survey: Survey; readonly patienceMs: number },
  nowMs: number,
): readonly StintEvent[] {
  const shown = new Set(survey.reservations.map(({ token }) => token));
  return heldAt(reserved, site).flatMap((record) => {
    const { id, siteReservation, startMs, durationMs } = record;
    const isDue = siteReservation !== null && startMs + durationMs > survey.atMs;
    if (shown.has(id) || !isDue) {
      reserved.missing.delete(id);
      return [];
    }
    const sinceMs = reserved.missing.get(id) ?? survey.atMs;
    reserved.missing.set(id, sinceMs);
    if (survey.atMs - sinceMs < patienceMs) return [];
    return violated(reserved, record, `${site} no longer has its reservation ${siteReservation}`, nowMs);
  });
}
