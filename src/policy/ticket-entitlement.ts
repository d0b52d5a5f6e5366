/**
 * Total of a VO's tickets against its entitlement.
 *
 * For every stretch of time around the window of a new ticket, the amounts of the VO's tickets whose windows
 * lie in the stretch may sum to no more than its epoch share over the stretch, rounded down. Equivalent to a
 * use over time that gives each ticket its amount in its window within the share: by the processor demand
 * criterion of Baruah, Rosier & Howell 1990 one exists exactly then. Only stretches around the new ticket's
 * window can have become over-subscribed.
 * Cost: O(n² log n) in the tickets of the VO at the site, once for each ticket.
 */
import { type Ticket, type TicketExcess, WHOLE_SHARE } from "../model/index.ts";

/** Amount and window of a ticket. */
export type TicketSpan = Pick<Ticket, "amountMs" | "fromMs" | "untilMs">;

/** Entitlement of a VO to a site's resource. */
export interface TicketEntitlement {
  /** The epoch share, in parts of `WHOLE_SHARE`. */
  readonly share: number;
  readonly capacity: number;
}

/** The first stretch in which a ticket beside others exceeds the VO's entitlement; undefined where none. */
export function beyondEntitlement(
  ticket: Pick<Ticket, "vo" | "resource"> & TicketSpan,
  others: readonly TicketSpan[],
  given: TicketEntitlement,
): TicketExcess | undefined {
  const { vo, resource, amountMs, fromMs, untilMs } = ticket;
  for (const beginMs of beginsUpTo(fromMs, others)) {
    const within = others
      .filter((other) => other.fromMs >= beginMs)
      .sort((one, other) => one.untilMs - other.untilMs);
    const ends = new Set([untilMs, ...within.map((other) => other.untilMs).filter((end) => end > untilMs)]);
    let promisedMs = 0;
    let at = 0;
    for (const endMs of ends) {
      while (at < within.length && within[at].untilMs <= endMs) promisedMs += within[at++].amountMs;
      const entitledMs = entitledOver(given, endMs - beginMs);
      if (promisedMs + amountMs <= entitledMs) continue;
      return { vo, resource, fromMs: beginMs, untilMs: endMs, entitledMs, promisedMs, amountMs };
    }
  }
  return undefined;
}

/** A share of a capacity over a length of time, rounded down: exact, for its factors pass 2^53. */
function entitledOver({ share, capacity }: TicketEntitlement, lengthMs: number): number {
  const exact = (BigInt(share) * BigInt(capacity) * BigInt(lengthMs)) / BigInt(WHOLE_SHARE);
  return Math.min(Number(exact), Number.MAX_SAFE_INTEGER);
}

/**
 * The begin of the run of overlapping windows up to the ticket's own. Tickets before a gap between windows
 * were within the share when they were taken, and do not affect later ones, so a long past costs nothing.
 */
function firstJoined(fromMs: number, others: readonly TicketSpan[]): number {
  let firstMs = fromMs;
  for (const other of [...others].sort((one, two) => two.untilMs - one.untilMs)) {
    if (other.untilMs <= firstMs) break;
    firstMs = Math.min(firstMs, other.fromMs);
  }
  return firstMs;
}

/** The instants up to the ticket's own at which a stretch may begin, its own first. */
function beginsUpTo(fromMs: number, others: readonly TicketSpan[]): readonly number[] {
  const firstMs = firstJoined(fromMs, others);
  const begins = others.map((other) => other.fromMs).filter((begin) => begin >= firstMs && begin < fromMs);
  return [fromMs, ...new Set(begins.sort((one, other) => other - one))];
}
