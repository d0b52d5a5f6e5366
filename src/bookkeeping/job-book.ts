/**
 * The events of one job in the order of their sequence codes, each once, whatever the order in which they
 * arrived (rules BK-1, BK-6).
 *
 * Cost: one binary search and one copy of at most `MOST_BOOKED` references an event.
 */
import { type Component, compareCodes, type SequenceCode } from "./sequence-code.ts";

/** An event as a component logged it. */
export interface BookedEvent {
  readonly source: Component;
  readonly code: SequenceCode;
  /** Such as `EnQueued`; kinds that mean nothing to the state are kept and change nothing. */
  readonly kind: string;
  readonly atMs: number;
  /** Names in capital letters. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Events of one job, first by code first. */
export interface JobBook {
  readonly events: readonly BookedEvent[];
}

/** Number of events that are kept of a job. */
export const MOST_BOOKED = 1000;

/** A book without events. */
export const emptyBook: JobBook = { events: [] };

/** The book with an event; the same book where it has the event, or has no room for one so old. */
export function addEvent(book: JobBook, event: BookedEvent): JobBook {
  const { events } = book;
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = events[middle];
    if (there !== undefined && compareEvents(there, event) < 0) low = middle + 1;
    else high = middle;
  }
  const next = events[low];
  if (next !== undefined && compareEvents(next, event) === 0) return book;
  if (low === 0 && events.length === MOST_BOOKED) return book;
  const added = [...events.slice(0, low), event, ...events.slice(low)];
  return { events: added.slice(-MOST_BOOKED) };
}

/** By code; what has one code is ordered by what it says, so that every order of arrival gives one order. */
function compareEvents(a: BookedEvent, b: BookedEvent): number {
  return compareCodes(a.code, b.code) || compareTexts(textOf(a), textOf(b));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** When an event was logged counts before what it says, since two of one code may come from a restart. */
function textOf({ source, kind, atMs, facts }: BookedEvent): string {
  const sorted = Object.entries(facts).sort(([a], [b]) => compareTexts(a, b));
  return `${String(atMs).padStart(16, "0")} ${source} ${kind} ${JSON.stringify(sorted)}`;
}
