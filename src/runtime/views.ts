/**
 * The views that the broker keeps: what is written in the transaction of the events, and read back.
 *
 * Rows are taken at their word when they are read back: only `rowOf` writes them, a change of their shape
 * raises `VIEWS_VERSION`, upon which they are computed again from the log, and `stint doctor` compares the
 * two. Checking each of 100,000 records at every start would cost more than reading them.
 */
import {
  rowOf as engineRow,
  type PolicyVersion,
  type RecordChange,
  type Row,
  type StoredState,
  VIEWS as views,
} from "../engine/index.ts";
import type {
  ArrayRecord,
  DagNodeRecord,
  DagRecord,
  EnforcementRecord,
  JobRecord,
  PostingRecord,
  ReservationRecord,
  StoredFiles,
} from "../model/index.ts";
import type { Json, JsonObject, ViewChange, ViewSchema } from "./logbook.ts";

/** To be raised whenever the content of a record changes; the views are then computed again. */
export const VIEWS_VERSION = 16;

/** All views, for opening a logbook. */
export const VIEWS: readonly ViewSchema[] = views.map(({ name, columns }) => ({ name, columns }));

/** A changed record as a row. */
export function rowOf(change: RecordChange): ViewChange {
  return storedRow(engineRow(change));
}

/** The last row of each record that was changed: it is written once per commit. */
export function rowsOf(changes: readonly RecordChange[]): readonly ViewChange[] {
  const byKey = new Map<string, Row>();
  for (const row of changes.map(engineRow)) byKey.set(`${row.view} ${row.key}`, row);
  return [...byKey.values()].map(storedRow);
}

function storedRow({ record, ...row }: Row): ViewChange {
  return { ...row, record: record && asJson(record) };
}

/** The views of which a restart reads all rows. */
export const READ_WHOLE: readonly string[] = views.flatMap((view) => (view.isReadWhole ? view.name : []));

/** All rows of such views, by the name of the view. */
export function recordsOf(rows: Readonly<Record<string, readonly JsonObject[]>>): Partial<StoredState> {
  return rows as unknown as Partial<StoredState>;
}

/** A row of the view of reservations, read back. */
export function reservationOf(row: JsonObject): ReservationRecord {
  return row as unknown as ReservationRecord;
}

/** A row of the view of postings, read back. */
export function postingOf(row: JsonObject): PostingRecord {
  return row as unknown as PostingRecord;
}

/** A row of the view of policies, read back. */
export function policiesOf(row: JsonObject): PolicyVersion {
  return row as unknown as PolicyVersion;
}

/** A row of the view of what enforcers did, read back. */
export function actionOf(row: JsonObject): EnforcementRecord {
  return row as unknown as EnforcementRecord;
}

/** Reads a row of the view of files at sites. */
export function filesOf(row: JsonObject): StoredFiles {
  return row as unknown as StoredFiles;
}

/** A row of the view of jobs, read back. */
export function jobOf(row: JsonObject): JobRecord {
  return row as unknown as JobRecord;
}

/** A row of the view of arrays, read back. */
export function arrayOf(row: JsonObject): ArrayRecord {
  return row as unknown as ArrayRecord;
}

/** A row of the view of DAGs, read back. */
export function dagOf(row: JsonObject): DagRecord {
  return row as unknown as DagRecord;
}

/** A row of the view of nodes of DAGs, read back. */
export function dagNodeOf(row: JsonObject): DagNodeRecord {
  return row as unknown as DagNodeRecord;
}

/** A record as JSON: what is undefined is left out. */
export function asJson(record: object): JsonObject {
  return JSON.parse(JSON.stringify(record)) as { [key: string]: Json };
}
