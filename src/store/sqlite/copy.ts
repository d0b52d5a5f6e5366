/**
 * Copies of the databases of a state directory, also while a broker writes to them: each is what was
 * committed at one moment, whole and without a journal. The broker is not delayed.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { logDamaged } from "../store-fault.ts";
import { openDatabase } from "./database.ts";
import { logbookFiles, makeDirectory } from "./directory.ts";
import { assertOurs, busyMs } from "./schema.ts";
import { storeFault } from "./sqlite-fault.ts";

/**
 * Copies the logbook and the samples of a directory into another one.
 *
 * @param to directory without a logbook; made if absent
 *
 * @throws Fault, if there is no logbook, or if it cannot be read or written
 */
export async function copyDatabases(from: string, to: string): Promise<void> {
  const files = logbookFiles(from);
  const copies = logbookFiles(to);
  if (!existsSync(files.database)) throw logDamaged(`there is no ${files.database}`);
  makeDirectory(copies);
  await copyDatabase(files.database, copies.database);
  const samples = join(from, "samples.sqlite");
  if (existsSync(samples)) await copyDatabase(samples, join(to, "samples.sqlite"));
  const database = await openDatabase(copies.database, { create: false, busyMs });
  try {
    assertOurs(database, copies);
  } finally {
    database.close();
  }
}

async function copyDatabase(from: string, to: string): Promise<void> {
  const database = await openDatabase(from, { create: false, busyMs }).catch((error: unknown) => {
    throw storeFault(error, `cannot read ${from}`);
  });
  try {
    database.prepare("VACUUM INTO ?").run(to);
  } catch (error) {
    throw storeFault(error, `cannot copy ${from} to ${to}`);
  } finally {
    database.close();
  }
}
