/**
 * The open database of a logbook, in the thread that owns it: answers every kind of question.
 *
 * One connection serves reads and writes. It is synchronous, so no read sees half a transaction, and both
 * share SQLite's page cache; the worker handles waiting commits before waiting reads.
 */
import type { Fault } from "../../base/index.ts";
import type { Person } from "../../runtime/index.ts";
import type { PreparedCommit, RowChange } from "../prepare-commit.ts";
import { type SearchedLog, type StoredEvent, searchEvents } from "../search-events.ts";
import type { View } from "../view-catalog.ts";
import { type Appender, createAppender, type Outcome, readHead } from "./append.ts";
import { archivedThrough, readArchives, removeArchived, removeLeft } from "./archives.ts";
import { type Database, transaction } from "./database.ts";
import { logbookFiles, makeDirectory, takeLock } from "./directory.ts";
import type { Opened, OpenOrder, Question } from "./protocol.ts";
import { openLogbookFile } from "./schema.ts";
import { selectRecord, selectRows } from "./select-rows.ts";
import { storeFault } from "./sqlite-fault.ts";
import {
  columnsSql,
  ensureViewTables,
  markStale,
  rowWriter,
  stagingTableOf,
  tableOf,
} from "./view-tables.ts";

/** A question other than a commit. */
export type OtherQuestion = Exclude<Question, { kind: "commit" | "close" }>;

/** An open store. */
export interface Store {
  readonly opened: Opened;
  append(commits: readonly PreparedCommit[]): Outcome[];
  /** @throws Fault */
  answer(question: OtherQuestion): unknown;
  close(): void;
}

/** Size in characters of a page of events after which it ends. */
const longestPage = 4 * 1024 * 1024;
const mostEvents = 1000;

/** Opens the logbook; makes it if absent. @throws Fault */
export async function openStore({ directory, views, projection }: OpenOrder): Promise<Store> {
  const what = `cannot open the logbook in ${directory}`;
  const undo: (() => void)[] = [];
  try {
    const files = logbookFiles(directory);
    makeDirectory(files);
    const lock = await takeLock(files);
    undo.push(() => lock.release());
    const database = await openLogbookFile(files);
    undo.push(() => database.close());
    const viewsAreStale = ensureViewTables(database, views, projection);
    removeLeft(database);
    const appender = createAppender(database, views);
    return {
      ...storeOn(database, appender, createStaging(database, views)),
      opened: { head: appender.head, viewsAreStale },
      close() {
        for (const step of undo.reverse()) step();
      },
    };
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw storeFault(error, what);
  }
}

/** Answers on an open database. */
function storeOn(database: Database, appender: Appender, staging: Staging): Pick<Store, "append" | "answer"> {
  return {
    append: (commits) => appender.append(commits),
    answer(question) {
      try {
        return answerOn(database, staging, question);
      } catch (error) {
        throw failedAt(question, error);
      }
    },
  };
}

function answerOn(database: Database, staging: Staging, question: OtherQuestion): unknown {
  const { kind, asks } = question;
  switch (kind) {
    case "events":
      return selectEvents(database, asks.fromSeq, asks.throughSeq);
    case "archives":
      return readArchives(database);
    case "removeArchived":
      return removeArchived(database, asks);
    case "search":
      return searchEvents(searchedLog(database), asks);
    case "record":
      return selectRecord(database, asks.view, asks.key);
    case "rows":
      return selectRows(database, asks);
    case "beginStaging":
      return staging.begin();
    case "stage":
      return staging.stage(asks);
    case "replaceViews":
      return staging.replace();
    case "dropStaging":
      return staging.drop();
    case "putPerson":
      return putPerson(database, asks);
    case "person":
      return readPerson(database, asks);
    case "erasePerson":
      return erasePerson(database, asks);
  }
}

function failedAt({ kind }: OtherQuestion, error: unknown): Fault {
  const isReading =
    kind === "events" ||
    kind === "archives" ||
    kind === "search" ||
    kind === "record" ||
    kind === "rows" ||
    kind === "person";
  return storeFault(error, `the logbook could not ${isReading ? "be read" : "write"} (${kind})`);
}

/** A page of events. */
export function selectEvents(database: Database, fromSeq: number, throughSeq: number): StoredEvent[] {
  const sql = "SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq LIMIT ?";
  const events: StoredEvent[] = [];
  let characters = 0;
  for (const row of database.prepare(sql).iterate(fromSeq, throughSeq, mostEvents)) {
    const event = storedEvent(row);
    events.push(event);
    characters += event.body.length;
    if (characters > longestPage) break;
  }
  return events;
}

/** The log for searches. */
function searchedLog(database: Database): SearchedLog {
  const instants = database.prepare("SELECT at_ms FROM events WHERE seq = ?");
  return {
    firstSeq: archivedThrough(database).seq + 1,
    headSeq: readHead(database).seq,
    atMsOf: (seq) => Number(instants.get(seq)?.at_ms),
    select({ from, to, text = "", isNewestFirst, limit }) {
      const order = isNewestFirst ? "DESC" : "ASC";
      const sql = `SELECT * FROM events WHERE seq BETWEEN ? AND ? AND instr(body, ?) > 0
        ORDER BY seq ${order} LIMIT ?`;
      const rows = database.prepare(sql).iterate(from, to, text, limit);
      return Array.from(rows, storedEvent);
    },
  };
}

function storedEvent(row: Readonly<Record<string, unknown>>): StoredEvent {
  const { seq, at_ms: atMs, kind, version, body, hash } = row;
  return {
    seq: Number(seq),
    atMs: Number(atMs),
    kind: String(kind),
    version: Number(version),
    body: String(body),
    hash: String(hash),
  };
}

/** Views of a catalogue, sorted by name. */
export function sortedViews(views: Iterable<View>): View[] {
  return [...views].sort((a, b) => (a.name < b.name ? -1 : 1));
}

// Names and contacts beside the log, which can be corrected and erased. Erasure includes the file: freed
// bytes are overwritten, and the write-ahead log, which holds old pages, is emptied, or by the next
// checkpoint if a reader prevents it. Backups are the operator's.

/** Inserts or corrects a person. */
function putPerson(database: Database, { id, name, contact }: Person): void {
  writeSecurely(database, () => {
    const sql = "INSERT OR REPLACE INTO people (id, name, contact) VALUES (?, ?, ?)";
    database.prepare(sql).run(id, name, contact);
  });
}

/** Person with this id, or undefined. */
function readPerson(database: Database, id: string): Person | undefined {
  const row = database.prepare("SELECT name, contact FROM people WHERE id = ?").get(id);
  return row && { id, name: String(row.name), contact: String(row.contact) };
}

/** Erases a person. */
function erasePerson(database: Database, id: string): void {
  writeSecurely(database, () => database.prepare("DELETE FROM people WHERE id = ?").run(id));
  database.pragma("wal_checkpoint(TRUNCATE)");
}

/**
 * Runs `write` so that freed bytes are overwritten; only here, since it would slow down the other tables.
 */
function writeSecurely(database: Database, write: () => void): void {
  database.pragma("secure_delete = ON");
  try {
    transaction(database, write);
  } finally {
    database.pragma("secure_delete = OFF");
  }
}

// Replaces all rows of all views in one transaction, although they arrive in parts. The parts are
// collected in temporary tables, which readers never see and no crash leaves behind; then one
// transaction exchanges everything.

/** A replacement of the views. */
interface Staging {
  /** Empties the temporary tables. */
  begin(): void;
  /** Applies changes to the temporary tables. */
  stage(changes: readonly RowChange[]): void;
  /** Replaces all rows by the collected ones. */
  replace(): void;
  /** Discards the collected rows. */
  drop(): void;
}

/** Staging of one database. */
function createStaging(database: Database, views: readonly View[]): Staging {
  const writeRow = rowWriter(database, views, stagingTableOf);

  function drop(): void {
    for (const { name } of views) database.exec(`DROP TABLE IF EXISTS ${stagingTableOf(name)}`);
  }
  return {
    begin() {
      drop();
      for (const view of views) {
        database.exec(`CREATE TABLE ${stagingTableOf(view.name)} ${columnsSql(view)}`);
      }
    },
    stage(changes) {
      transaction(database, () => {
        for (const change of changes) writeRow(change);
      });
    },
    replace() {
      transaction(database, () => {
        for (const { name } of views) {
          database.exec(`DELETE FROM ${tableOf(name)}`);
          database.exec(`INSERT INTO ${tableOf(name)} SELECT * FROM ${stagingTableOf(name)}`);
        }
        markStale(database, false);
      });
      drop();
    },
    drop,
  };
}
