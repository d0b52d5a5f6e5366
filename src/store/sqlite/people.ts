/**
 * Names and contacts beside the log, which can be corrected and erased.
 *
 * Erasure includes the file: freed bytes are overwritten, and the write-ahead log, which holds old pages,
 * is emptied, or by the next checkpoint if a reader prevents it. Backups are the operator's.
 */
import type { Person } from "../../runtime/index.ts";
import { type Database, transaction } from "./database.ts";

/** Inserts or corrects a person. */
export function putPerson(database: Database, { id, name, contact }: Person): void {
  writeSecurely(database, () => {
    const sql = "INSERT OR REPLACE INTO people (id, name, contact) VALUES (?, ?, ?)";
    database.prepare(sql).run(id, name, contact);
  });
}

/** Person with this id, or undefined. */
export function readPerson(database: Database, id: string): Person | undefined {
  const row = database.prepare("SELECT name, contact FROM people WHERE id = ?").get(id);
  return row && { id, name: String(row.name), contact: String(row.contact) };
}

/** Erases a person. */
export function erasePerson(database: Database, id: string): void {
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
