/**
 * Effect of more time on the record of a reservation, and its reversal where the site refuses (rules EN-36,
 * EN-38).
 */
import { formatDuration } from "../../../base/index.ts";
import {
  isForeign,
  type ReservationRecord,
  type StintEvent,
  type UnextendedTerms,
} from "../../../model/index.ts";
import { usesOfBoth } from "../../state/price-terms.ts";
import { endOf } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";

type EventOf<Kind> = Extract<StintEvent, { kind: Kind }>;

/** The record of a longer one. */
export function longer(
  record: ReservationRecord,
  { spec }: Pick<SiteState, "spec">,
  event: EventOf<"reservationExtended">,
): ReservationRecord {
  const { moreMs, rules = [], ticketHeldMs = 0, atMs, by } = event;
  const { ticket, state } = record;
  const isAsked = record.resource === undefined && isForeign(spec);
  return {
    ...record,
    ...(isAsked ? { unextended: record.unextended ?? termsOf(record) } : {}),
    ...(ticket === undefined ? {} : { ticket: { ...ticket, heldMs: ticket.heldMs + ticketHeldMs } }),
    durationMs: record.durationMs + moreMs,
    ...(record.rules === undefined ? {} : { rules: usesOfBoth(record.rules, rules) }),
    baseProcMs: record.baseProcMs + event.baseProcMs,
    fixedProcMs: record.fixedProcMs + event.fixedProcMs,
    delaysJobs: record.delaysJobs + event.delaysJobs,
    delayProcMs: record.delayProcMs + event.delayProcMs,
    history: [...record.history, { state, atMs, by, why: `extended by ${formatDuration(moreMs)}` }],
  };
}

/** The record of one that its site has made, until an instant. */
export function madeAtSite(
  record: ReservationRecord,
  { siteReservation, endMs }: EventOf<"reservationMade">,
): ReservationRecord {
  const { unextended, ...rest } = record;
  // More may have been asked for since: then the answer to that counts.
  const isWhole = unextended === undefined || (endMs !== undefined && endMs >= endOf(record));
  return { ...(isWhole ? rest : record), siteReservation };
}

/** The record of one whose site has refused it more time, and how much less of its ticket it holds. */
export function asBefore(
  { unextended, ...record }: ReservationRecord,
  { lessMs, why, atMs }: EventOf<"extensionRefused">,
): { readonly record: ReservationRecord; readonly lessHeldMs: number } {
  const { state, ticket, history } = record;
  const step = { state, atMs, by: null, why: `not extended by ${formatDuration(lessMs)}: ${why}` };
  return {
    record: { ...record, ...unextended, history: [...history, step] },
    lessHeldMs: (ticket?.heldMs ?? 0) - (unextended?.ticket?.heldMs ?? ticket?.heldMs ?? 0),
  };
}

function termsOf(record: ReservationRecord): UnextendedTerms {
  const { durationMs, baseProcMs, fixedProcMs, delaysJobs, delayProcMs, rules, ticket } = record;
  return {
    ...{ durationMs, baseProcMs, fixedProcMs, delaysJobs, delayProcMs },
    ...(rules === undefined ? {} : { rules }),
    ...(ticket === undefined ? {} : { ticket }),
  };
}
