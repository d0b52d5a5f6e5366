/**
 * Reservations and offers, and the accounts that they and jobs are paid from.
 */
import type { Feature } from "../../feature.ts";
import { siteOf } from "../../state.ts";
import { applyPosted } from "./accounts.ts";
import { reservationAnswers } from "./answer-reservation.ts";
import { reservationApplies } from "./apply-reservation.ts";
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
} as const satisfies Feature;
