/**
 * The table of archives, and the removal of events that are in one.
 *
 * The table is made with the first archive, and the file's version is raised then: a log without archives
 * stays as an older Stint knows it. The database itself holds that an archive continues the one before, ends
 * with the event that the log has, and that no other event is deleted.
 */
import type { ArchivedStretch, Receipt } from "../../runtime/index.ts";
import { archivePath, storedPath } from "../archive/archived-log.ts";
import { emptyHead } from "../hash-chain.ts";
import { type Database, type SqlRow, transaction } from "./database.ts";
import { schemaVersion } from "./schema.ts";

/** An archive as stored: its path may be relative to the log's directory. */
export type ArchiveRow = ArchivedStretch;

/** Events removed in one transaction, between which commits are written. */
const AT_ONCE = 2_000;

const tables = `
CREATE TABLE archives (
  from_seq INTEGER PRIMARY KEY,
  through_seq INTEGER NOT NULL CHECK (through_seq >= from_seq),
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  first_at_ms INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  file TEXT NOT NULL
) STRICT;
CREATE TRIGGER archives_in_order BEFORE INSERT ON archives
  WHEN NEW.from_seq <> (SELECT coalesce(max(through_seq), 0) + 1 FROM archives)
    OR NEW.through_seq >= (SELECT max(seq) FROM events)
    OR NEW.hash IS NOT (SELECT hash FROM events WHERE seq = NEW.through_seq)
  BEGIN SELECT RAISE(ABORT, 'an archive continues the one before and ends as the log has it'); END;
CREATE TRIGGER archives_unchanged BEFORE UPDATE ON archives
  BEGIN SELECT RAISE(ABORT, 'archives are never changed'); END;
CREATE TRIGGER archives_kept BEFORE DELETE ON archives
  BEGIN SELECT RAISE(ABORT, 'archives are never forgotten'); END;
DROP TRIGGER events_kept;
CREATE TRIGGER events_kept BEFORE DELETE ON events
  WHEN OLD.seq > (SELECT coalesce(max(through_seq), 0) FROM archives)
  BEGIN SELECT RAISE(ABORT, 'events are deleted only when they are archived'); END;
PRAGMA user_version = ${schemaVersion};
`;

/** The archives in order. */
export function readArchives(database: Database): ArchiveRow[] {
  if (!hasArchives(database)) return [];
  return [...database.prepare("SELECT * FROM archives ORDER BY from_seq").iterate()].map(archiveOf);
}

/** Last archived event; where there is none, the head of the empty log. */
export function archivedThrough(database: Database): Receipt {
  return readArchives(database).at(-1)?.through ?? emptyHead;
}

/**
 * Records an archive, unless it is recorded, and removes a part of its events.
 *
 * @returns true if some are left
 */
export function removeArchived(database: Database, row: ArchiveRow): boolean {
  return transaction(database, () => {
    if (!hasArchives(database)) database.exec(tables);
    if (archivedThrough(database).seq !== row.through.seq) insertArchive(database, row);
    return removeSome(database);
  });
}

/** Removes events whose removal was interrupted. */
export function removeLeft(database: Database): void {
  while (hasArchives(database) && transaction(database, () => removeSome(database)));
}

function hasArchives(database: Database): boolean {
  return Number(database.pragma("user_version")) >= 2;
}

/** The archives with the paths of their files, below the log's directory where they are relative. */
export function archivesIn(directory: string, rows: readonly ArchiveRow[]): readonly ArchivedStretch[] {
  return rows.map((row) => ({ ...row, file: archivePath(directory, row.file) }));
}

/** An archive as it is stored. */
export function rowOfArchive(directory: string, stretch: ArchivedStretch): ArchiveRow {
  return { ...stretch, file: storedPath(directory, stretch.file) };
}

function removeSome(database: Database): boolean {
  const { seq } = archivedThrough(database);
  const first = database.prepare("SELECT min(seq) AS first FROM events").get()?.first;
  if (first === null || first === undefined || Number(first) > seq) return false;
  const last = Math.min(seq, Number(first) + AT_ONCE - 1);
  database.prepare("DELETE FROM events WHERE seq <= ?").run(last);
  return last < seq;
}

function insertArchive(database: Database, row: ArchiveRow): void {
  const sql = `INSERT INTO archives
    (from_seq, through_seq, previous_hash, hash, first_at_ms, last_at_ms, size_bytes, file)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
  const { file, after, through, firstAtMs, lastAtMs, sizeBytes } = row;
  const ends = [after.seq + 1, through.seq, after.hash, through.hash];
  database.prepare(sql).run(...ends, firstAtMs, lastAtMs, sizeBytes, file);
}

function archiveOf(row: SqlRow): ArchiveRow {
  return {
    file: String(row.file),
    after: { seq: Number(row.from_seq) - 1, hash: String(row.previous_hash) },
    through: { seq: Number(row.through_seq), hash: String(row.hash) },
    firstAtMs: Number(row.first_at_ms),
    lastAtMs: Number(row.last_at_ms),
    sizeBytes: Number(row.size_bytes),
  };
}
