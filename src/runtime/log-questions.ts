/** The log as readers get it: events in today's form. */
import type { StintEvent } from "../model/index.ts";
import type { JsonObject } from "./logbook.ts";

/** A fact of the log. */
export interface RecordedEvent {
  readonly seq: number;
  readonly event: StintEvent;
  /** The event as it was written. */
  readonly facts: JsonObject;
}

/** Events that fit a search; `next` as in `EventsFound`. */
export interface RecordedPage {
  readonly items: readonly RecordedEvent[];
  readonly next: number | undefined;
  /** Number of the last event when the search began. */
  readonly head: number;
}
