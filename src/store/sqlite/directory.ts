/**
 * The directory of a logbook, and the lock that keeps a second broker out of it.
 *
 *     logbook.sqlite (-wal, -shm)   the database
 *     logbook.lock                  empty; held as long as the logbook is open
 *     logbook.owner                 who holds it, in words, for the message to the second one
 *
 * The lock is SQLite's own on an empty database: a write transaction that is begun and never ended. The
 * system drops it when the process ends, however it ends, so nothing stale is ever left, which a file with
 * a process number cannot promise (numbers are used again). The database itself stays open to readers
 * (backups, a shell) meanwhile.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { Fault } from "../../base/index.ts";
import { type Database, openDatabase } from "./database.ts";

/** The files of a logbook. */
export interface LogbookFiles {
  readonly directory: string;
  readonly database: string;
  readonly lock: string;
  readonly owner: string;
}

/** Where they are. */
export function logbookFiles(directory: string): LogbookFiles {
  return {
    directory,
    database: join(directory, "logbook.sqlite"),
    lock: join(directory, "logbook.lock"),
    owner: join(directory, "logbook.owner"),
  };
}

/** Makes the directory, for its owner only: it will hold names and contacts. */
export function makeDirectory({ directory }: LogbookFiles): void {
  if (mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined) syncDirectory(dirname(directory));
}

/** Forces the names in a directory to the disk. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Takes the lock; `release` gives it back. @throws Fault logbookInUse */
export async function takeLock(files: LogbookFiles): Promise<{ release(): void }> {
  const lock = await openDatabase(files.lock, { create: true, busyMs: 0 });
  try {
    // Nothing is ever written to it; without this a journal file would lie beside it.
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN IMMEDIATE");
  } catch (error) {
    lock.close();
    throw isBusy(error) ? inUse(files, error) : error;
  }
  writeFileSync(files.owner, `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`);
  return { release: () => release(lock, files) };
}

function release(lock: Database, files: LogbookFiles): void {
  rmSync(files.owner, { force: true });
  lock.close();
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_BUSY";
}

function inUse(files: LogbookFiles, cause: unknown): Fault {
  return new Fault({
    kind: "refused",
    code: "logbookInUse",
    what: `cannot open the logbook in ${files.directory}`,
    why: `another broker has it open: ${ownerOf(files)}`,
    remedy: "stop that one first, or name another directory; one broker has one logbook",
    cause,
  });
}

function ownerOf({ owner }: LogbookFiles): string {
  try {
    return readFileSync(owner, "utf8").trim();
  } catch {
    return "it has not said which";
  }
}
