/**
 * Whether a VO's tickets are within what it was given (rule PO-45).
 *
 * Equivalent to looking for a course of use that gives each ticket its amount in its window at no more than
 * the VO's share: by the processor demand criterion of Baruah, Rosier & Howell 1990 there is one exactly
 * where no stretch of time is asked for more than it has. Only stretches around the new ticket's window can
 * have come to be asked for too much.
 * Cost: O(n² log n) in the tickets of the VO at the site, once for each ticket.
 */
import { type Ticket, type TicketExcess, WHOLE_SHARE } from "../model/index.ts";

/** What of a ticket counts here. */
export type TicketSpan = Pick<Ticket, "amountMs" | "fromMs" | "untilMs">;

/** What a VO was given of a site's resource. */
export interface TicketEntitlement {
  /** The epoch share, in parts of `WHOLE_SHARE`. */
  readonly share: number;
  readonly capacity: number;
}

/** The first stretch over which a ticket beside others is more than the VO has; undefined where none is. */
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
 * From where on windows join each other up to the ticket's own. What lies before a gap between windows was
 * within the share when it was taken, and asks for nothing of what comes after: a long past costs nothing.
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
