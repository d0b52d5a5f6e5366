/**
 * Queues that a broker made anew at the beginning of a life, found again in its log, where no event says so.
 *
 * A queue that was made anew can differ from the one that went on: its clock may be earlier, and what was
 * beyond its estimated end has left it. The log shows that by its dates and by who was started.
 */
import { isForeign, type StintEvent } from "../model/index.ts";
import { startsWhenSettled } from "../queue/index.ts";
import { takeUpResources } from "./features/reservations/resource-slots.ts";
import type { Projection } from "./state/projection.ts";
import { createSite, type SiteState } from "./state/site-state.ts";
import { jobsAt, takeOverAll } from "./take-over.ts";

/**
 * Makes the queues of a site anew where they stand later than an event that is to be applied to them, or a
 * reservation's where it would start others than were started.
 */
export function beginAgainBehind(projection: Projection, event: StintEvent): void {
  if (!movesQueues(event)) return;
  for (const site of [...projection.sites.values()]) {
    const isBehind = standsAtMs(projection, site) > event.atMs;
    if (isBehind || startsOthers(projection, site, event)) beginAgain(projection, site, event.atMs);
  }
}

function startsOthers({ reserved }: Projection, { name }: SiteState, event: StintEvent): boolean {
  if (event.kind !== "reservationSettled") return false;
  const { reservation, starts, atMs } = event;
  const room = reserved.rooms.get(reservation);
  if (room === undefined || reserved.records.get(reservation)?.site !== name) return false;
  return startsWhenSettled(room, atMs).join(" ") !== starts.join(" ");
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

/** Makes the queues of a site anew, as after a restart at this instant. */
export function beginAgain(projection: Projection, before: SiteState, nowMs: number): void {
  const { name, spec, order } = before;
  const { queue, resources } = createSite(name, spec, order, nowMs);
  const site = { ...before, queue, resources };
  projection.sites.set(name, site);
  if (!isForeign(spec)) takeOverAll(projection, site, jobsAt(projection, name), nowMs);
  takeUpResources(projection, site, nowMs);
}
