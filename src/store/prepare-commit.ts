/**
 * Validates a commit and writes it as text, before any of it is stored.
 *
 * Afterwards a commit can fail only because of the disk. The text is a copy, so later changes of the
 * caller's objects have no effect. Text is what is hashed, stored and passed between threads, so each body
 * is serialised once.
 */
import { type Fault, isWholeText } from "../base/index.ts";
import type { Commit, EventToLog, Json, Person, ViewChange } from "../runtime/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { EventText } from "./hash-chain.ts";
import { commitRefused, notRecordable } from "./store-fault.ts";
import type { ColumnType, ColumnValue, View, ViewCatalog } from "./view-catalog.ts";

/** A changed row, with its record as text and its columns in the view's order. */
export interface RowChange {
  readonly view: string;
  readonly key: string;
  /** Record as text; undefined: the row is deleted. */
  readonly record: string | undefined;
  readonly values: readonly ColumnValue[];
}

/** A validated commit as text. */
export interface PreparedCommit {
  readonly events: readonly EventText[];
  readonly changes: readonly RowChange[];
}

/** Longest body of an event, in characters: far above any real one. */
const longestText = 16 * 1024 * 1024;
/**
 * Longest record, in characters. Records combine several events and may be longer and deeper, so that an
 * accepted event is never refused as a record. Far below SQLite's limit.
 */
const longestRecord = 16 * longestText;
const levelsOfRecords = 20;

/**
 * Checks that events can be recorded, before they take effect: a commit does not refuse events that passed.
 *
 * @throws Fault notRecordable
 */
export function checkEvents(events: readonly EventToLog[]): void {
  for (const event of events) {
    const refuse = (why: string): Fault => notRecordable(why);
    checkEnvelope(event, refuse);
    const text = canonicalJson(event.body, refuse, levelsOfRecords);
    if (text.length > longestText) throw refuse(`it is longer than ${longestText} characters`);
  }
}

/** @throws Fault commitRefused, if the logbook cannot store the commit */
export function prepareCommit(catalog: ViewCatalog, { events, changes }: Commit): PreparedCommit {
  if (events.length === 0) throw commitRefused("it has no event, and views change by events only");
  return { events: events.map(prepareEvent), changes: prepareChanges(catalog, changes) };
}

/** Changed rows as text. @throws Fault commitRefused */
export function prepareChanges(catalog: ViewCatalog, changes: readonly ViewChange[]): RowChange[] {
  return changes.map((change) => prepareChange(catalog, change));
}

/** @throws Fault commitRefused, if one of its texts cannot be written */
export function preparePerson({ id, name, contact }: Person): Person {
  checkText("a person's id", id);
  checkText("a person's name", name);
  checkText("a person's contact", contact);
  return { id, name, contact };
}

function prepareEvent(event: EventToLog): EventText {
  checkEnvelope(event, commitRefused);
  const { kind, version, atMs, body } = event;
  return { kind, version, atMs, body: writeObject(`the body of ${kind}`, body, longestText) };
}

function checkEnvelope({ kind, version, atMs }: EventToLog, refuse: (why: string) => Fault): void {
  checkText("the kind of an event", kind);
  if (kind === "") throw refuse("an event has no kind");
  if (!Number.isSafeInteger(version) || version < 1) {
    throw refuse(`the version of ${kind} is ${version}, not a whole number from 1`);
  }
  if (!Number.isSafeInteger(atMs)) throw refuse(`the instant of ${kind} is ${atMs}, not whole ms`);
}

function prepareChange(catalog: ViewCatalog, { view: name, key, record, columns }: ViewChange): RowChange {
  const view = catalog.get(name);
  if (view === undefined) throw commitRefused(`there is no view ${name}`);
  checkText(`a key of view ${name}`, key);
  if (record === undefined) return { view: name, key, record: undefined, values: [] };
  return {
    view: name,
    key,
    record: writeObject(`record ${key} of view ${name}`, record, longestRecord),
    values: columnValues(view, columns),
  };
}

function columnValues(view: View, columns: Readonly<Record<string, ColumnValue>>): ColumnValue[] {
  const unknown = Object.keys(columns).find((name) => !view.columns.some((column) => column.name === name));
  if (unknown !== undefined) throw commitRefused(`view ${view.name} has no column ${unknown}`);
  return view.columns.map(({ name, type }) => {
    const value: ColumnValue | undefined = columns[name];
    if (value === undefined || (value !== null && !isOfType(type, value))) {
      throw commitRefused(`column ${name} of view ${view.name} is ${typeof value}, not ${type} or null`);
    }
    return value;
  });
}

/** True if a value has the type of a column. */
export function isOfType(type: ColumnType, value: string | number): boolean {
  return type === "text" ? typeof value === "string" && isWholeText(value) : Number.isSafeInteger(value);
}

function writeObject(what: string, value: Json, longest: number): string {
  const text = canonicalJson(value, (why) => commitRefused(`${what}: ${why}`));
  if (!text.startsWith("{")) throw commitRefused(`${what} is not an object`);
  if (text.length > longest) throw commitRefused(`${what} is longer than ${longest} characters`);
  return text;
}

function checkText(what: string, text: string): void {
  if (typeof text !== "string" || !isWholeText(text)) throw commitRefused(`${what} is not a text`);
  if (text.length > longestText) throw commitRefused(`${what} is too long`);
}
