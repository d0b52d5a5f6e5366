/**
 * Logs whose clock went back between two lives of the broker, as it could until a life began no earlier
 * than the last event: the life that followed had made its queues anew at its own beginning.
 */
import { isForeign, type StintEvent } from "../model/index.ts";
import { takeUpResources } from "./features/reservations/resource-slots.ts";
import { createSite, type SiteState } from "./site-state.ts";
import type { Projection } from "./state.ts";
import { takeOverAll } from "./take-over.ts";

/** Makes the queues of a site anew where they stand later than an event that is to be applied to them. */
export function beginAgainBehind(projection: Projection, event: StintEvent): void {
  if (!movesQueues(event)) return;
  for (const site of [...projection.sites.values()]) {
    if (standsAtMs(projection, site) > event.atMs) beginAgain(projection, site, event.atMs);
  }
}

/** Only what is dated by the broker's own time does: reports are dated by when it happened. */
function movesQueues({ kind }: StintEvent): boolean {
  switch (kind) {
    case "queueSettled":
    case "reservationSettled":
    case "slotOffered":
    case "reservationExtended":
      return true;
    default:
      return false;
  }
}

function standsAtMs({ reserved }: Projection, { name, queue, resources }: SiteState): number {
  const rooms = [...reserved.rooms].flatMap(([id, room]) =>
    reserved.records.get(id)?.site === name ? room : [],
  );
  const queues = [queue, ...resources.values(), ...rooms];
  return Math.max(...queues.map(({ machine }) => machine.nowMs));
}

function beginAgain(projection: Projection, before: SiteState, nowMs: number): void {
  const { name, spec, order } = before;
  const { queue, resources } = createSite(name, spec, order, nowMs);
  const site = { ...before, queue, resources };
  projection.sites.set(name, site);
  if (!isForeign(spec)) takeOverAll(projection, site, nowMs);
  takeUpResources(projection, site, nowMs);
}
