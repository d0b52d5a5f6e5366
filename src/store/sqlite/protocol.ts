/**
 * What passes between the broker's thread and the thread that owns the database.
 *
 * Only plain data, and bodies and records as text, which costs least to pass. Each question has a number;
 * answers come in batches, all those of one group commit together.
 */
import type { FaultFacts } from "../../base/index.ts";
import type { Person, Receipt } from "../../runtime/index.ts";
import type { EventText } from "../hash-chain.ts";
import type { PreparedCommit, RowChange } from "../prepare-commit.ts";
import type { View } from "../view-catalog.ts";
import type { PlannedQuery } from "../view-query.ts";
import type { SelectedRows } from "./select-rows.ts";

/** What the worker is started with. */
export interface OpenOrder {
  readonly directory: string;
  readonly views: readonly View[];
  readonly projection: number;
}

/** What it says when the logbook is open. */
export interface Opened {
  readonly head: Receipt;
  readonly viewsAreStale: boolean;
}

/** An event as it is stored. */
export type StoredEvent = EventText & Receipt;

/** Each kind of question with what it carries and what answers it. */
export interface Questions {
  commit: { readonly asks: PreparedCommit; readonly answer: Receipt };
  events: {
    readonly asks: { readonly fromSeq: number; readonly throughSeq: number };
    readonly answer: readonly StoredEvent[];
  };
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

/** The answer to the question of that number. Number 0 is the opening. */
export type Answered =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly fault: FaultFacts };

/** A fault as plain data; of its cause only the text. */
export function factsOf({ kind, code, what, why, remedy, cause }: FaultFacts): FaultFacts {
  const said = cause instanceof Error ? (cause.stack ?? cause.message) : cause;
  return { kind, code, what, why, remedy, cause: said === undefined ? undefined : String(said) };
}
