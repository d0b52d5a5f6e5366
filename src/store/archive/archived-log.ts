/**
 * The log as one: the events of the archives in order, then those of the database. Readers of the log need
 * not know where an event is.
 */
import { isAbsolute, join, relative, resolve } from "node:path";
import type { ArchivedStretch, LoggedEvent, Receipt } from "../../runtime/index.ts";
import { emptyHead } from "../hash-chain.ts";
import { archiveDamaged, openArchive } from "./archive-file.ts";

/** Last archived event; of a log without archives that before the first. */
export function lastArchived(archives: readonly ArchivedStretch[]): Receipt {
  return archives.at(-1)?.through ?? emptyHead;
}

/** Events from `fromSeq` on that are in archives. @throws Fault archiveMissing, archiveDamaged */
export async function* archivedEvents(
  archives: readonly ArchivedStretch[],
  fromSeq: number,
): AsyncIterable<LoggedEvent> {
  for (const { file, after, through } of archives) {
    if (through.seq < fromSeq) continue;
    const { stretch, events, close } = await openArchive(file);
    if (stretch.through.hash !== through.hash || stretch.after.hash !== after.hash) {
      close();
      throw archiveDamaged(file, "it is an archive of other events than those that were archived in it");
    }
    for await (const event of events) if (event.seq >= fromSeq) yield event;
  }
}

/** Path of an archive as the database has it, below the log's directory where it was relative. */
export function archivePath(directory: string, stored: string): string {
  return resolve(directory, stored);
}

/** The path as the database has it: relative to the log's directory where both are in one state directory. */
export function storedPath(logDirectory: string, file: string): string {
  const path = relative(logDirectory, file);
  return path.startsWith(join("..", "..")) || isAbsolute(path) ? resolve(file) : path;
}
