/**
 * Names and contacts, beside the log: corrected in place, and gone when they are erased.
 *
 * Gone means from the file too: the freed bytes are overwritten, and the write-ahead log, which holds old
 * pages, is emptied. A reader that is just looking may keep the log from being emptied; the next
 * checkpoint does it then. Backups are the operator's.
 */
import type { Person } from "../../runtime/index.ts";
import { type Database, transaction } from "./database.ts";

/** Enters or corrects. */
export function putPerson(database: Database, { id, name, contact }: Person): void {
  writeSecurely(database, () => {
    const sql = "INSERT OR REPLACE INTO people (id, name, contact) VALUES (?, ?, ?)";
    database.prepare(sql).run(id, name, contact);
  });
}

/** Reads. */
export function readPerson(database: Database, id: string): Person | undefined {
  const row = database.prepare("SELECT name, contact FROM people WHERE id = ?").get(id);
  return row && { id, name: String(row.name), contact: String(row.contact) };
}

/** Forgets. */
export function erasePerson(database: Database, id: string): void {
  writeSecurely(database, () => database.prepare("DELETE FROM people WHERE id = ?").run(id));
  database.pragma("wal_checkpoint(TRUNCATE)");
}

/** Overwrites what it frees; only here, since the other tables need not pay for it. */
function writeSecurely(database: Database, write: () => void): void {
  database.pragma("secure_delete = ON");
  try {
    transaction(database, write);
  } finally {
    database.pragma("secure_delete = OFF");
  }
}
