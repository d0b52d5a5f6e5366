/**
 * Searches a stretch of the log, for all implementations of the logbook.
 *
 * There is no index of what events say: the log is only ever appended to, and an index would cost every
 * commit what few questions need. A search reads at most so many events, and says where the next one goes
 * on. Instants are found by bisection, since the log is in the order of time; where an older broker's clock
 * went back, the stretch is that of the first event that fits.
 */
import type { EventSearch, Receipt } from "../runtime/index.ts";
import type { EventText } from "./hash-chain.ts";

/** An event as stored. */
export type StoredEvent = EventText & Receipt;

/** Number of events that one search reads. */
export const MOST_SEARCHED = 50_000;

/** A log that can be searched. */
export interface SearchedLog {
  /** Number of the first event that has not been archived. */
  readonly firstSeq: number;
  /** Number of the last event. */
  readonly headSeq: number;
  readonly atMsOf: (seq: number) => number;
  /** Events from `from` through `to` that have this text in their body, at most `limit`. */
  readonly select: (wanted: WantedEvents) => readonly StoredEvent[];
}

/** A stretch of the log, both ends included. */
export interface WantedEvents {
  readonly from: number;
  readonly to: number;
  /** Text of the body; absent: any. */
  readonly text: string | undefined;
  readonly isNewestFirst: boolean;
  readonly limit: number;
}

/** Events as stored, and where the next search goes on. */
export interface StoredEventsFound {
  readonly events: readonly StoredEvent[];
  readonly next: number | undefined;
}

/** Searches the log. */
export function searchEvents(log: SearchedLog, search: EventSearch): StoredEventsFound {
  const { isNewestFirst, after, sinceMs, untilMs, names, limit } = search;
  const first = sinceMs === undefined ? log.firstSeq : firstFrom(log, sinceMs);
  const last = untilMs === undefined ? log.headSeq : firstFrom(log, untilMs) - 1;
  const low = isNewestFirst ? first : Math.max(first, (after ?? 0) + 1);
  const high = isNewestFirst ? Math.min(last, (after ?? log.headSeq + 1) - 1) : last;
  const from = isNewestFirst ? Math.max(low, high - MOST_SEARCHED + 1) : low;
  const to = isNewestFirst ? high : Math.min(high, low + MOST_SEARCHED - 1);
  if (from > to) return { events: [], next: undefined };
  const text = names === undefined ? undefined : JSON.stringify(names);
  const found = log.select({ from, to, text, isNewestFirst, limit: limit + 1 });
  const events = found.slice(0, limit);
  if (found.length > limit) return { events, next: events.at(-1)?.seq };
  const [reached, end] = isNewestFirst ? [from, low] : [to, high];
  return { events, next: reached === end ? undefined : reached };
}

/** Number of the first event at or after an instant; behind the last one where there is none. */
function firstFrom({ firstSeq, headSeq, atMsOf }: SearchedLog, atMs: number): number {
  let [low, high] = [firstSeq, headSeq + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (atMsOf(middle) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
