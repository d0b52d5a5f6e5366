/**
 * Reservations and offers, and the accounts that they and jobs are paid from.
 */
import type { JobRecord, WaitCause } from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import { applyPosted, restoreBalance } from "../../state/accounts.ts";
import { ofReservationOver } from "../../state/outdated.ts";
import { type Projection, siteOf } from "../../state/projection.ts";
import { endOf, heldAt } from "../../state/reserved.ts";
import { reservationAnswers } from "./answer-reservation.ts";
import { noteWaste, reservationApplies } from "./apply-reservation.ts";
import { decideReservations, reservationsWakeAtMs } from "./decide-reservations.ts";
import { noteDelays, noteUse } from "./reservation-usage.ts";
import { awaitedParts } from "./resource-slots.ts";

export const reservations = {
  name: "reservations",
  answers: reservationAnswers,
  applies: {
    ...reservationApplies,
    posted: (projection, event) => applyPosted(siteOf(projection, event.site).ledger, event),
  },
  outdates: {
    offerLapsed: ofReservationOver,
    reservationMade: ofReservationOver,
    reservationBegan: ofReservationOver,
    reservationSettled: ofReservationOver,
    reservationFulfilled: ofReservationOver,
    reservationViolated: ofReservationOver,
    reservationDebited: ofReservationOver,
    extensionRefused: ofReservationOver,
  },
  before: noteUse,
  after: noteDelays,
  decide: decideReservations,
  wakeAtMs: reservationsWakeAtMs,
  explain: { ownPlace: waitsForReservation, keptFree: reservedNow },
  views: [
    {
      name: "reservations",
      columns: {
        ...{ state: "text", owner: "text", consumer: "text", site: "text" },
        ...{ changedAtMs: "integer", ord: "integer" },
      },
    },
    { name: "postings", columns: { site: "text", consumer: "text", atMs: "integer" } },
    { name: "balances", columns: { site: "text" }, isReadWhole: true },
  ],
  rows: {
    reservation: ({ record }) => {
      const { id: key, state, owner, consumer, site, order: ord, history } = record;
      const changedAtMs = history.at(-1)?.atMs ?? 0;
      const columns = { state, owner, consumer, site, changedAtMs, ord };
      return { view: "reservations", key, record, columns };
    },
    posting: ({ record }) => {
      const { id: key, site, consumer, atMs } = record;
      return { view: "postings", key, record, columns: { site, consumer, atMs } };
    },
    balance: ({ record }) => ({
      ...{ view: "balances", key: record.key, record, columns: { site: record.site } },
    }),
    balanceGone: ({ key }) => ({ view: "balances", key, record: undefined, columns: {} }),
  },
  restore: ({ reserved, sites }, stored) => {
    reserved.offered = stored.offered;
    for (const record of stored.reservations) reserved.records.set(record.id, record);
    for (const record of stored.pastReservations) {
      noteWaste({ reserved }, record, record.history.at(-1)?.atMs ?? record.startMs);
    }
    for (const balance of stored.balances ?? []) {
      const ledger = sites.get(balance.site)?.ledger;
      if (ledger !== undefined) restoreBalance(ledger, balance);
    }
  },
} as const satisfies Feature;

/** The reservation of a job has not begun, or not all sites have made their part of it yet. */
function waitsForReservation(
  projection: Projection,
  { site, description }: JobRecord,
  nowMs: number,
): readonly WaitCause[] {
  const record = projection.reserved.records.get(description.reservation ?? "");
  if (record === undefined || site === null) return [];
  const { id: reservation, startMs } = record;
  const awaited = awaitedParts(projection, record).map((part) => part.site);
  if (startMs <= nowMs && awaited.length === 0) return [];
  return [{ kind: "reservationTurn", site, reservation, startMs, awaited }];
}

/** Wait causes from resources reserved at this instant. */
function reservedNow({ reserved }: Projection, { site }: JobRecord, nowMs: number): readonly WaitCause[] {
  if (site === null) return [];
  const procs = heldAt(reserved, site)
    .filter((it) => it.startMs <= nowMs && nowMs < endOf(it))
    .reduce((sum, it) => sum + it.procs, 0);
  return procs === 0 ? [] : [{ kind: "procsReserved", site, procs }];
}
