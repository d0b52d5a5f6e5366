/**
 * Takes a commit in: checks all of it and writes it as text, before anything is promised or touched.
 *
 * After this a commit can only fail by the disk. It is a copy: whoever changes an object after handing it
 * in changes nothing here. Text is what is hashed, stored and passed between threads, so each body is
 * serialised once.
 */
import { type Fault, isWholeText } from "../base/index.ts";
import type { Commit, EventToLog, Json, Person, ViewChange } from "../runtime/index.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { EventText } from "./hash-chain.ts";
import { commitRefused, notRecordable } from "./store-fault.ts";
import type { ColumnType, ColumnValue, View, ViewCatalog } from "./view-catalog.ts";

/** A change of a view, its record as text and its columns in the view's order. */
export interface RowChange {
  readonly view: string;
  readonly key: string;
  /** Undefined: the row goes. */
  readonly record: string | undefined;
  readonly values: readonly ColumnValue[];
}

/** A commit that was checked and written as text. */
export interface PreparedCommit {
  readonly events: readonly EventText[];
  readonly changes: readonly RowChange[];
}

/** Far above anything that belongs into an event. */
const longestText = 16 * 1024 * 1024;
/**
 * Records say what several events said, in words and in more levels than these: so they may be longer and
 * deeper, and what was accepted as an event is never refused as a record. Far below what SQLite can hold.
 */
const longestRecord = 16 * longestText;
const levelsOfRecords = 20;

/**
 * Whether events can be recorded, asked before they take effect: a commit refuses none that this let pass.
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

/** @throws Fault commitRefused, when the logbook cannot hold it. */
export function prepareCommit(catalog: ViewCatalog, { events, changes }: Commit): PreparedCommit {
  if (events.length === 0) throw commitRefused("it has no event, and views change by events only");
  return { events: events.map(prepareEvent), changes: prepareChanges(catalog, changes) };
}

/** The changes of views, as text. @throws Fault commitRefused */
export function prepareChanges(catalog: ViewCatalog, changes: readonly ViewChange[]): RowChange[] {
  return changes.map((change) => prepareChange(catalog, change));
}

/** @throws Fault commitRefused, when a text of it cannot be written. */
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

/** Whether a value can stand in a column of that type. */
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
