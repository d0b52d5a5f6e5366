/**
 * The directory of a logbook, and the lock that excludes a second broker.
 *
 *     logbook.sqlite (-wal, -shm)   the database
 *     logbook.lock                  empty; locked while the logbook is open
 *     logbook.owner                 the owner of the lock, for the message to a second broker
 *
 * The lock is SQLite's own on an empty database: a write transaction that is never ended. The system releases
 * it when the process ends, however that happens, so it is never stale, unlike a file with a process number
 * (numbers are reused). The database itself stays open to readers (backups, a shell).
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { Fault } from "../../base/index.ts";
import { type Database, openDatabase } from "./database.ts";

/** Files of a logbook. */
export interface LogbookFiles {
  readonly directory: string;
  readonly database: string;
  readonly lock: string;
  readonly owner: string;
}

/** Paths of a logbook's files. */
export function logbookFiles(directory: string): LogbookFiles {
  return {
    directory,
    database: join(directory, "logbook.sqlite"),
    lock: join(directory, "logbook.lock"),
    owner: join(directory, "logbook.owner"),
  };
}

/** Makes the directory with mode 0700, as it will contain names and contacts. */
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

/** Takes the lock; `release` releases it. @throws Fault logbookInUse */
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

/** Process that has the logbook in a directory open, as text for people; undefined: none. */
export async function logbookOwner(directory: string): Promise<string | undefined> {
  const files = logbookFiles(directory);
  if (!existsSync(files.lock)) return undefined;
  const lock = await openDatabase(files.lock, { create: false, busyMs: 0 });
  try {
    lock.pragma("journal_mode = MEMORY");
    lock.exec("BEGIN IMMEDIATE");
    return undefined;
  } catch (error) {
    if (isBusy(error)) return ownerOf(files);
    throw error;
  } finally {
    lock.close();
  }
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
    why: `another broker is using it: ${ownerOf(files)}`,
    remedy:
      "stop that broker with `stint down`, or choose another state directory; brokers cannot share a logbook",
    cause,
  });
}

function ownerOf({ owner }: LogbookFiles): string {
  try {
    return readFileSync(owner, "utf8").trim();
  } catch {
    return "an unknown process";
  }
}
