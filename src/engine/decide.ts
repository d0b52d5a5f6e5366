/**
 * Answers what follows from the state at an instant (rules EN-3, EN-5).
 *
 * First placements: a job without a site goes into a queue (`place`). Once those are applied, settlements:
 * the queue of each managed site is looked at on a copy, and what starts is named.
 */
import { isForeign, type StintEvent } from "../model/index.ts";
import { nextInstant, startsWhenSettled } from "../queue/index.ts";
import { turnsWakeAtMs } from "./features/organisations/decide-vo.ts";
import { decideEnforcement, enforcementWakeAtMs } from "./features/policies/decide-enforcement.ts";
import { decideReservations, reservationsWakeAtMs } from "./features/reservations/decide-reservations.ts";
import { filesWakeAtMs } from "./features/storage/store-limits.ts";
import { decideTickets, ticketsWakeAtMs } from "./features/tickets/decide-tickets.ts";
import {
  decideVirtualReservation,
  virtualReservationWakeAtMs,
} from "./features/virtual-reservations/decide-virtual.ts";
import { placeAll } from "./place.ts";
import type { Projection } from "./state.ts";

/** What is to be recorded, and when to ask again though nothing happened. */
export interface Decision {
  readonly events: readonly StintEvent[];
  readonly wakeAtMs: number;
}

/** The next decisions; apply them and ask again until there are none. */
export function decide(projection: Projection, nowMs: number): Decision {
  const placements = placeAll(projection, nowMs);
  const events = placements.length > 0 ? placements : afterPlacing(projection, nowMs);
  const turnsAtMs = Math.min(
    reservationsWakeAtMs(projection),
    virtualReservationWakeAtMs(projection, nowMs),
    ticketsWakeAtMs(projection),
  );
  const enforcedAtMs = events.length > 0 ? nowMs : enforcementWakeAtMs(projection, nowMs);
  const letGoAtMs = turnsWakeAtMs(projection, nowMs);
  const roomAtMs = filesWakeAtMs(projection, nowMs);
  return { events, wakeAtMs: Math.min(wakeAtMs(projection), turnsAtMs, enforcedAtMs, letGoAtMs, roomAtMs) };
}

/** What time has brought about is recorded before anybody starts who is concerned by it. */
function afterPlacing(projection: Projection, nowMs: number): StintEvent[] {
  const virtual = decideVirtualReservation(projection, nowMs);
  const turns = virtual.length > 0 ? virtual : decideReservations(projection, nowMs);
  if (turns.length > 0) return turns;
  const left = decideTickets(projection, nowMs);
  if (left.length > 0) return left;
  const enforced = decideEnforcement(projection, nowMs);
  return enforced.length > 0 ? enforced : settleAll(projection, nowMs);
}

function settleAll(projection: Projection, nowMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const { name, spec, queue } of projection.sites.values()) {
    if (isForeign(spec)) continue;
    if (!projection.unsettled.has(name) && nextInstant(queue) > nowMs) continue;
    const starts = startsWhenSettled(queue, nowMs);
    events.push({ kind: "queueSettled", site: name, starts, atMs: nowMs });
  }
  return events;
}

function wakeAtMs({ sites }: Projection): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { spec, queue } of sites.values()) {
    if (!isForeign(spec)) firstMs = Math.min(firstMs, nextInstant(queue));
  }
  return firstMs;
}
