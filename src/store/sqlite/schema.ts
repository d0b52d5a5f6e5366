/**
 * Tables of a logbook's database, and the check of an existing file.
 *
 * A new database is completed under another name and then renamed, so an empty logbook.sqlite is damage.
 * `application_id` marks the file as a logbook, `user_version` is the version of this schema.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { Fault } from "../../base/index.ts";
import { logDamaged } from "../store-fault.ts";
import { type Database, openDatabase, transaction } from "./database.ts";
import { type LogbookFiles, syncDirectory } from "./directory.ts";

/** "Stnt". */
const applicationId = 0x53746e74;
/** Version of the tables of a log without archives; an older Stint opens it. */
const plainVersion = 1;
/** Version since the first archive: a Stint that does not know archives must not open the log. */
export const schemaVersion = 2;
/** Longest wait for a lock of another connection, in ms. */
export const busyMs = 5_000;

const tables = `
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at_ms INTEGER NOT NULL,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER events_in_order BEFORE INSERT ON events
  WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM events)
  BEGIN SELECT RAISE(ABORT, 'events are numbered without gaps'); END;
CREATE TRIGGER events_unchanged BEFORE UPDATE ON events
  BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER events_kept BEFORE DELETE ON events
  BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT NOT NULL, contact TEXT NOT NULL) STRICT;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO meta VALUES ('hashChain', 'SHA-256 over RFC 8785 text, see src/store/hash-chain.ts');
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${plainVersion};
`;

/** Opens the database; makes it if absent. @throws Fault, if the file is not a known logbook */
export async function openLogbookFile(files: LogbookFiles): Promise<Database> {
  if (!existsSync(files.database)) await createLogbookFile(files);
  const database = await openDatabase(files.database, { create: false, busyMs });
  try {
    assertOurs(database, files);
    beDurable(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A stored setting of the database, or undefined. */
export function readMeta(database: Database, name: string): string | undefined {
  const value = database.prepare("SELECT value FROM meta WHERE name = ?").get(name)?.value;
  return typeof value === "string" ? value : undefined;
}

/** Stores a setting. */
export function writeMeta(database: Database, name: string, value: string): void {
  database.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)").run(name, value);
}

async function createLogbookFile({ database: file, directory }: LogbookFiles): Promise<void> {
  if (existsSync(`${file}-wal`)) throw logDamaged(`${file} is gone, and only its journal is left`);
  const unborn = `${file}.new`;
  for (const left of [unborn, `${unborn}-journal`]) rmSync(left, { force: true });
  const database = await openDatabase(unborn, { create: true, busyMs });
  try {
    database.pragma("synchronous = FULL");
    transaction(database, () => database.exec(tables));
  } finally {
    database.close();
  }
  renameSync(unborn, file);
  syncDirectory(directory);
}

/** Checks a file before anything is written to it. @throws Fault, if it is not a known logbook */
export function assertOurs(database: Database, { directory, database: file }: LogbookFiles): void {
  const pages = database.pragma("page_count");
  if (pages === 0) throw logDamaged(`${file} is empty`);
  const what = `cannot open the logbook in ${directory}`;
  if (database.pragma("application_id") !== applicationId) {
    throw new Fault({
      kind: "badInput",
      code: "logbookNotOurs",
      what,
      why: "its logbook.sqlite is a database of another program",
      remedy: "choose another directory",
    });
  }
  const version = Number(database.pragma("user_version"));
  if (version > schemaVersion) {
    throw new Fault({
      kind: "refused",
      code: "logbookTooNew",
      what,
      why:
        `it was written by a newer Stint: table version ${version}; this version supports up to ` +
        `${schemaVersion}`,
      remedy: "install that version of Stint or a newer one; the logbook was not changed",
    });
  }
  if (version < 1) throw logDamaged(`${file} does not state the version of its tables`);
}

/** Configures the database so that COMMIT returns when the data is on the disk. */
function beDurable(database: Database): void {
  const mode = database.pragma("journal_mode = WAL");
  if (mode !== "wal") {
    throw new Fault({
      kind: "failed",
      code: "logbookNoWal",
      what: "the logbook cannot be opened safely",
      why: `its file system does not support SQLite's write-ahead log (journal mode ${mode})`,
      remedy: "move the directory to a local disk",
    });
  }
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cache_size = -16000;
    PRAGMA journal_size_limit = 67108864;
  `);
}
