/**
 * Virtual reservations: a job is handed to its site so early that it has started by its time.
 */
import type { Feature } from "../../feature.ts";
import { decideVirtualReservation, virtualReservationWakeAtMs } from "./decide-virtual.ts";

export const virtualReservations = {
  name: "virtual-reservations",
  decide: decideVirtualReservation,
  wakeAtMs: virtualReservationWakeAtMs,
} as const satisfies Feature;
