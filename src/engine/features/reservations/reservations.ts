/**
 * Reservations and offers, and the accounts that they and jobs are paid from.
 */
import type { Feature } from "../../feature.ts";
import { applyPosted, restoreBalance } from "../../state/accounts.ts";
import { siteOf } from "../../state/projection.ts";
import { reservationAnswers } from "./answer-reservation.ts";
import { noteWaste, reservationApplies } from "./apply-reservation.ts";
import { decideReservations, reservationsWakeAtMs } from "./decide-reservations.ts";
import { noteDelays, noteUse } from "./reservation-usage.ts";

export const reservations = {
  name: "reservations",
  answers: reservationAnswers,
  applies: {
    ...reservationApplies,
    posted: (projection, event) => applyPosted(siteOf(projection, event.site).ledger, event),
  },
  before: noteUse,
  after: noteDelays,
  decide: decideReservations,
  wakeAtMs: reservationsWakeAtMs,
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
