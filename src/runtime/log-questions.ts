/** The log as readers get it: events in today's form. */
import type { StintEvent } from "../model/index.ts";
import type { ArchivedStretch, JsonObject } from "./logbook.ts";

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
  /** Archives, oldest first, with events of the time that was asked for; these are not among the items. */
  readonly archives: readonly ArchivedStretch[];
}

/** Archiving of old events while a broker runs. */
export interface LogArchiving {
  /** Archives events that are older, after a run that is under way; gives the new archives. @throws Fault */
  archive(olderThanMs: number): Promise<readonly ArchivedStretch[]>;
  /** Runs that failed since the start. */
  failures(): number;
}
