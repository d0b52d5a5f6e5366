/**
 * The logbook port: the append-only, hash-chained record of events, and the views computed from it.
 *
 * An event takes effect when it is appended; a caller that must not respond before it is durable awaits the
 * receipt. Views are rows computed by the projection; they are written in the transaction of the events that
 * changed them, so a restart reads views and not history. The store is independent of the meaning of events.
 * Names and contacts of people are stored beside the log, where they can be corrected and erased.
 */

/** Values of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** A fact to be recorded. `version` is of the kind's schema; kinds are only ever added. */
export interface EventToLog {
  readonly kind: string;
  readonly version: number;
  /** Unix time in ms. */
  readonly atMs: number;
  readonly body: JsonObject;
}

/** A recorded fact. */
export interface LoggedEvent extends EventToLog {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** SHA-256 over the previous event's hash and this event, 64 hexadecimal digits. */
  readonly hash: string;
}

/** A view: a table of records by key, with columns to look them up by. */
export interface ViewSchema {
  readonly name: string;
  /** Indexed columns: text, or integers within 2^53. */
  readonly columns: Readonly<Record<string, "text" | "integer">>;
}

/** A record of a view that is new, changed, or (`record` undefined) gone. */
export interface ViewChange {
  readonly view: string;
  readonly key: string;
  readonly record: JsonObject | undefined;
  readonly columns: Readonly<Record<string, string | number | null>>;
}

/** Events with the changes of views that they make: all of it, or none. At least one event. */
export interface Commit {
  readonly events: readonly EventToLog[];
  readonly changes: readonly ViewChange[];
}

/** Which events to read: a stretch of the log, and a word in what they say. */
export interface EventSearch {
  readonly isNewestFirst: boolean;
  /** Only those behind the event of this number, in the order of reading. */
  readonly after?: number;
  /** Recorded at or after this instant, and before that. Unix ms. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** A whole text in their body, such as an id. */
  readonly names?: string;
  /** 1 … 1000. */
  readonly limit: number;
}

/** Events found, perhaps fewer than asked for, since a search reads a limited part of the log. */
interface EventsFound {
  readonly events: readonly LoggedEvent[];
  /** Number after which the next search continues; undefined at the end of the log. */
  readonly next: number | undefined;
}

/** A stretch of the log that has left the live log, with the file that has its events. */
export interface ArchivedStretch {
  /** Absolute path. */
  readonly file: string;
  /** Event before the first one of the stretch; of the first stretch the head of the empty log. */
  readonly after: Receipt;
  /** Last event of the stretch. */
  readonly through: Receipt;
  /** Instants of its first and last event; Unix ms. */
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly sizeBytes: number;
}

/** Given when a commit is durable. `seq` and `hash` are of its last event. */
export interface Receipt {
  readonly seq: number;
  readonly hash: string;
}

/** Conditions by column, or "key": all of them hold. */
export type ViewConditions = Readonly<Record<string, ViewCondition>>;

/** Which rows of a view: all conditions hold; text conditions may be a prefix of a consumer path. */
export interface ViewQuery {
  readonly where?: ViewConditions;
  /** One of these holds, too. Default: no further condition. */
  readonly eitherOf?: readonly ViewConditions[];
  /** A column, or "key"; ties go by key. Default: by key. Text by code points, null before all else. */
  readonly orderBy?: string;
  /** The whole order the other way round, ties and nulls included. */
  readonly descending?: boolean;
  /** Continue behind the row at which a page ended. */
  readonly after?: string;
  /** At most this many rows; 1 … 1000, default 100. */
  readonly limit?: number;
}

/** A condition on one column. */
export type ViewCondition =
  | { readonly is: string | number | null }
  | { readonly oneOf: readonly (string | number)[] }
  /** The value itself, or anything below it in a path: `cms` holds `cms` and `cms/higgs`, not `cms2`. */
  | { readonly within: string }
  | { readonly atLeast: number; readonly before?: number }
  | { readonly before: number }
  /** Text that begins so; also on "key". */
  | { readonly beginsWith: string }
  /** Text in which each of these occurs. */
  | { readonly contains: readonly string[] };

/** A stored row, as the last change of its key left it. */
export interface ViewRow {
  readonly key: string;
  readonly record: JsonObject;
  readonly columns: Readonly<Record<string, string | number | null>>;
}

/** One page of rows: at most `limit`, fewer when they are large. */
export interface ViewPage {
  readonly rows: readonly ViewRow[];
  /** To continue with; undefined at the end. */
  readonly next: string | undefined;
}

/** Name and contact of a person, by a stable id that appears in events. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly contact: string;
}

/** The record of everything that happened, with its views. */
export interface Logbook {
  /**
   * Checks that events can be recorded, before they take effect: no commit is refused for events that pass,
   * or for unchanged records.
   *
   * @throws Fault notRecordable
   */
  check(events: readonly EventToLog[]): void;
  /**
   * Appends in the order of calls; resolves when durable. A refused commit changes nothing, and the next
   * may be taken; after a failure (the disk) every later one fails too, until the logbook is opened again.
   */
  commit(commit: Commit): Promise<Receipt>;
  /** The last durable event's number and hash; of the empty log 0 and 64 zeros. */
  head(): Promise<Receipt>;
  /**
   * The events from `fromSeq` up to the head of this moment, in order, archived ones included.
   *
   * @throws Fault archiveMissing, archiveDamaged, where an archive that is needed cannot be read
   */
  events(fromSeq: number): AsyncIterable<LoggedEvent>;
  /** The stretches that are archived, in order, without gaps from event 1 on. */
  archives(): Promise<readonly ArchivedStretch[]>;
  /** Events of the live log that fit a search; archived ones are not found. */
  search(search: EventSearch): Promise<EventsFound>;
  /** One record of a view. */
  record(view: string, key: string): Promise<JsonObject | undefined>;
  /** Records of a view. */
  rows(view: string, query: ViewQuery): Promise<ViewPage>;
  /**
   * Replaces all rows of all views (a rebuild from the log), in one transaction. Commits given meanwhile
   * wait for its end, so what `changes` reads of the log is all there is; it must not await a commit.
   */
  replaceViews(changes: AsyncIterable<ViewChange>): Promise<void>;
  putPerson(person: Person): Promise<void>;
  person(id: string): Promise<Person | undefined>;
  /** Forgets a name and a contact; the log, which has only the id, stays as it is. */
  erasePerson(id: string): Promise<void>;
  /** Writes what is pending and closes. */
  close(): Promise<void>;
}
