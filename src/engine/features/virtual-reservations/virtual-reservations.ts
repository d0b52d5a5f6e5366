/**
 * Virtual reservations: a job is handed to its site so early that it has started by its time.
 */
import type { Feature } from "../../feature.ts";
import { decideVirtualReservation, virtualReservationWakeAtMs } from "./decide-virtual.ts";

export const virtualReservations = {
  name: "virtual-reservations",
  decide: decideVirtualReservation,
  wakeAtMs: virtualReservationWakeAtMs,
  explain: {
    atBroker: (_, { description: { virtual, site = "" } }, nowMs) => {
      if (virtual === undefined || nowMs >= virtual.submitMs) return [];
      return [{ kind: "virtualPlanned", site, submitMs: virtual.submitMs, startMs: virtual.startMs }];
    },
    idle: (_, { site, description: { virtual } }, nowMs) => {
      if (site === null || virtual === undefined || nowMs >= virtual.startMs) return [];
      return [{ kind: "virtualIdle", site, startMs: virtual.startMs }];
    },
  },
} as const satisfies Feature;
