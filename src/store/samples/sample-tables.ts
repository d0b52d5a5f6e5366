/**
 * Tables of the samples' file, and the check of an existing file.
 *
 * A file that is no database, is damaged or is not a file of samples is moved aside and a new one begun:
 * samples are not worth stopping a broker for. A file of a newer Stint is refused and stays as it is.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../../base/index.ts";
import { type Database, openDatabase, transaction } from "../sqlite/database.ts";

/** "StSm". */
const applicationId = 0x5374536d;
const schemaVersion = 1;
/** Longest wait for a lock of another connection, in ms. */
const busyMs = 5_000;

const tables = `
CREATE TABLE series (
  id INTEGER PRIMARY KEY,
  place TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (place, name)
) STRICT;
CREATE TABLE buckets (
  length_ms INTEGER NOT NULL,
  series INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  slots INTEGER NOT NULL,
  sum TEXT NOT NULL,
  min INTEGER NOT NULL,
  max INTEGER NOT NULL,
  PRIMARY KEY (length_ms, series, at_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE standing (
  series INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  value INTEGER,
  PRIMARY KEY (series, at_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE sources (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE notes (place TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${schemaVersion};
`;

/** An open file, and the new name of an unusable one. */
export interface OpenedFile {
  readonly database: Database;
  readonly putAside: string | null;
}

/** Opens the file; makes it if there is no usable one. @throws Fault samplesTooNew */
export async function openSampleFile(file: string): Promise<OpenedFile> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) return { database: await createFile(file), putAside: null };
  const found = await openDatabase(file, { create: false, busyMs });
  try {
    if (isOurs(found, file)) {
      beQuick(found);
      return { database: found, putAside: null };
    }
  } catch (error) {
    found.close();
    if (!isUnusable(error)) throw error;
    return { putAside: putAside(file), database: await createFile(file) };
  }
  found.close();
  return { putAside: putAside(file), database: await createFile(file) };
}

function isOurs(database: Database, file: string): boolean {
  if (database.pragma("application_id") !== applicationId) return false;
  const version = Number(database.pragma("user_version"));
  if (version > schemaVersion) throw tooNew(file, version);
  return database.pragma("quick_check(1)") === "ok";
}

function isUnusable(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^SQLITE_(NOTADB|CORRUPT)/.test(String(error.code));
}

/** Renames a file to the first free name. */
function putAside(file: string): string {
  let number = 1;
  while (existsSync(`${file}.unusable-${number}`)) number += 1;
  const name = `${file}.unusable-${number}`;
  renameSync(file, name);
  for (const beside of ["-wal", "-shm"]) rmSync(`${file}${beside}`, { force: true });
  return name;
}

async function createFile(file: string): Promise<Database> {
  const unborn = `${file}.new`;
  for (const left of [unborn, `${unborn}-journal`]) rmSync(left, { force: true });
  const database = await openDatabase(unborn, { create: true, busyMs });
  try {
    transaction(database, () => database.exec(tables));
  } finally {
    database.close();
  }
  renameSync(unborn, file);
  const opened = await openDatabase(file, { create: false, busyMs });
  beQuick(opened);
  return opened;
}

/** Disables the sync of each commit: a lost last minute is a gap and no damage. */
function beQuick(database: Database): void {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA trusted_schema = OFF;
    PRAGMA cache_size = -4000;
    PRAGMA journal_size_limit = 16777216;
  `);
}

function tooNew(file: string, version: number): Fault {
  return new Fault({
    kind: "refused",
    code: "samplesTooNew",
    what: `the usage samples in ${file} cannot be used`,
    why:
      `they were written by a newer Stint: table version ${version}; this version supports up to ` +
      `${schemaVersion}`,
    remedy: "install that version of Stint or a newer one; the file was not changed",
  });
}
