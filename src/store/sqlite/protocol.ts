/**
 * Messages between the broker's thread and the thread that owns the database.
 *
 * Plain data, with bodies and records as text, which is cheapest to pass. Each question has a number; the
 * answers of one group commit come in one message.
 */
import type { FaultFacts } from "../../base/index.ts";
import type { EventSearch, Person, Receipt } from "../../runtime/index.ts";
import type { PreparedCommit, RowChange } from "../prepare-commit.ts";
import type { StoredEvent, StoredEventsFound } from "../search-events.ts";
import type { View } from "../view-catalog.ts";
import type { PlannedQuery } from "../view-query.ts";
import type { ArchiveRow } from "./archives.ts";
import type { SelectedRows } from "./select-rows.ts";

/** Start parameters of the worker. */
export interface OpenOrder {
  readonly directory: string;
  readonly views: readonly View[];
  readonly projection: number;
}

/** Message of the worker when the logbook is open. */
export interface Opened {
  readonly head: Receipt;
  readonly viewsAreStale: boolean;
}

/** Content and answer of each kind of question. */
export interface Questions {
  commit: { readonly asks: PreparedCommit; readonly answer: Receipt };
  events: {
    readonly asks: { readonly fromSeq: number; readonly throughSeq: number };
    readonly answer: readonly StoredEvent[];
  };
  archives: { readonly asks: undefined; readonly answer: readonly ArchiveRow[] };
  removeArchived: { readonly asks: ArchiveRow; readonly answer: boolean };
  search: { readonly asks: EventSearch; readonly answer: StoredEventsFound };
  record: {
    readonly asks: { readonly view: string; readonly key: string };
    readonly answer: string | undefined;
  };
  rows: { readonly asks: PlannedQuery; readonly answer: SelectedRows };
  beginStaging: { readonly asks: undefined; readonly answer: undefined };
  stage: { readonly asks: readonly RowChange[]; readonly answer: undefined };
  replaceViews: { readonly asks: undefined; readonly answer: undefined };
  dropStaging: { readonly asks: undefined; readonly answer: undefined };
  putPerson: { readonly asks: Person; readonly answer: undefined };
  person: { readonly asks: string; readonly answer: Person | undefined };
  erasePerson: { readonly asks: string; readonly answer: undefined };
  close: { readonly asks: undefined; readonly answer: undefined };
}

/** A question of one of the kinds. */
export type Question = {
  [Kind in keyof Questions]: { readonly kind: Kind; readonly asks: Questions[Kind]["asks"] };
}[keyof Questions];

/** A question with its number. */
export interface Asked {
  readonly id: number;
  readonly question: Question;
}

/** Response to the request with this number; 0 is the opening of the store. */
export type Answered =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly fault: FaultFacts };

/** Fault as plain data, with its cause as text. */
export function factsOf({ kind, code, what, why, remedy, cause }: FaultFacts): FaultFacts {
  const said = cause instanceof Error ? (cause.stack ?? cause.message) : cause;
  return { kind, code, what, why, remedy, cause: said === undefined ? undefined : String(said) };
}
