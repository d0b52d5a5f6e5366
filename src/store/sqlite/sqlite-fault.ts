/**
 * Errors of SQLite or the file system as faults with advice for the operator.
 *
 * The library's errors have SQLite's extended result code as text (SQLITE_IOERR_FSYNC); the table matches
 * its beginning.
 */
import { Fault, type FaultKind } from "../../base/index.ts";

interface Words {
  readonly kind: FaultKind;
  readonly code: string;
  readonly why: string;
  readonly remedy: string;
}

const notAllowed: Words = {
  kind: "notAllowed",
  code: "logbookNotAllowed",
  why: "this user may not read or write there",
  remedy:
    "make the user that runs Stint the owner of the directory and its files, or choose another directory",
};
const diskFull: Words = {
  kind: "failed",
  code: "diskFull",
  why: "its disk is full, or the quota is used up; no incomplete data was kept",
  remedy: "free some space and restart the broker; no acknowledged request is lost",
};
const noDirectory: Words = {
  kind: "badInput",
  code: "logbookNoDirectory",
  why: "a part of its path is not a directory",
  remedy: "choose another directory, or remove the file that has its name",
};
const busy: Words = {
  kind: "failed",
  code: "logbookBusy",
  why: "another program has locked the database for too long",
  remedy: "end the program that locks it (a sqlite3 shell, a backup), then restart the broker",
};
const notOurs: Words = {
  kind: "badInput",
  code: "logbookNotOurs",
  why: "its logbook.sqlite is not an SQLite database, or its first page is damaged",
  remedy: "choose another directory; if this was a logbook, restore it from the last backup",
};
const damaged: Words = {
  kind: "failed",
  code: "logbookDamaged",
  why: "the database is damaged",
  remedy: "stop the broker, copy the directory for later analysis, and restore the last backup",
};

const words: readonly (readonly [RegExp, Words])[] = [
  [/^SQLITE_FULL|^ENOSPC$|^EDQUOT$|^EFBIG$/, diskFull],
  [/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|^EACCES$|^EPERM$|^EROFS$/, notAllowed],
  [/^SQLITE_(BUSY|LOCKED|PROTOCOL)/, busy],
  [/^SQLITE_NOTADB/, notOurs],
  [/^SQLITE_CORRUPT/, damaged],
  [/^ENOTDIR$|^EEXIST$/, noDirectory],
];

/** Fault of a failed operation; a Fault passes through unchanged. */
export function storeFault(error: unknown, what: string): Fault {
  if (error instanceof Fault) return error;
  const code = codeOf(error);
  const known = words.find(([pattern]) => pattern.test(code))?.[1] ?? {
    kind: "failed" as const,
    code: "logbookFailed",
    why: `${error instanceof Error ? error.message : error}${code === "" ? "" : ` (${code})`}`,
    remedy: "check the disk and the system log, then restart the broker",
  };
  return new Fault({ ...known, what, cause: error });
}

/**
 * True if SQLite refused one statement for its content (a constraint, a text too long), so that others may
 * continue; other errors concern the file or the disk.
 */
export function isStatementRefused(error: unknown): boolean {
  return /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
