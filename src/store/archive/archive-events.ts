/**
 * Moves the events before an instant from the database to a file.
 *
 * The file is written under another name and synced, read back and verified to the hash that the database
 * has, and renamed; only then the database records it and removes the events. A run that ended anywhere in
 * between is taken up by the next one: what the database did not record is in the database still.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { ArchivedStretch, Logbook, LoggedEvent, Receipt } from "../../runtime/index.ts";
import { verifyChain } from "../hash-chain.ts";
import { syncDirectory } from "../sqlite/directory.ts";
import {
  archiveDamaged,
  archiveName,
  numbersIn,
  openArchive,
  type Stretch,
  writeArchive,
} from "./archive-file.ts";
import { lastArchived } from "./archived-log.ts";

/** A log from which archived events can be removed. */
export interface ArchivableLogbook extends Pick<Logbook, "head" | "events" | "search" | "archives"> {
  /** Records the archive and removes its events from the database, until aborted. @throws Fault */
  removeArchived(stretch: ArchivedStretch, signal?: AbortSignal): Promise<void>;
}

/** Events to archive, and the directory for them. */
export interface ArchiveOrder {
  /** Events recorded before this instant; Unix ms. The newest event always stays. */
  readonly beforeMs: number;
  /** Directory of the files, absolute; made if absent. */
  readonly directory: string;
  /** Ends the run before its next step or event; the next run goes on. */
  readonly signal?: AbortSignal;
  /** Called behind each step, for tests that end the process there. */
  readonly onStep?: (step: ArchiveStep) => void;
}

/** The steps of a run, in order. */
type ArchiveStep = "written" | "verified" | "named" | "removed";

/**
 * Archives; the new archives in order, none where no event is that old.
 *
 * @throws Fault; the reason of the signal, if it aborts
 */
export async function archiveEvents(
  logbook: ArchivableLogbook,
  order: ArchiveOrder,
): Promise<readonly ArchivedStretch[]> {
  const { directory, beforeMs, signal, onStep = () => {} } = order;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const done: ArchivedStretch[] = [];
  const left = await leftBehind(logbook, directory);
  if (left !== undefined) {
    await logbook.removeArchived(left, signal);
    done.push(left);
  }
  const after = lastArchived(await logbook.archives());
  const last = await lastBefore(logbook, beforeMs);
  if (last === undefined || last.seq <= after.seq) return done;
  const stretch = { after, through: { seq: last.seq, hash: last.hash } };
  const file = join(directory, archiveName(stretch));
  const partial = `${file}.partial`;
  const times = await writeArchive(partial, stretch, until(signal, logbook.events(after.seq + 1)));
  onStep("written");
  await verifyWritten(partial, stretch, signal);
  onStep("verified");
  signal?.throwIfAborted();
  await rename(partial, file);
  syncDirectory(directory);
  onStep("named");
  const archived = { file, ...stretch, ...times, sizeBytes: (await stat(file)).size };
  await logbook.removeArchived(archived, signal);
  onStep("removed");
  return [...done, archived];
}

/**
 * A file that an interrupted run wrote completely and the database did not record; partial ones are deleted.
 *
 * @throws Fault archiveDamaged, if it has not what the database has
 */
async function leftBehind(
  logbook: ArchivableLogbook,
  directory: string,
): Promise<ArchivedStretch | undefined> {
  const { seq } = lastArchived(await logbook.archives());
  const head = await logbook.head();
  for (const name of (await readdir(directory)).sort()) {
    const numbers = numbersIn(name.replace(/\.partial$/, ""));
    if (numbers?.from !== seq + 1) continue;
    const file = join(directory, name);
    if (name.endsWith(".partial")) await rm(file);
    else if (numbers.through < head.seq) return await takenUp(logbook, file);
  }
  return undefined;
}

async function takenUp(logbook: ArchivableLogbook, file: string): Promise<ArchivedStretch> {
  const { stretch, close } = await openArchive(file);
  close();
  const ends = [await eventAt(logbook, stretch.after.seq + 1), await eventAt(logbook, stretch.through.seq)];
  const [first, last] = ends;
  const { after } = stretch;
  if (first === undefined || last?.hash !== stretch.through.hash) {
    throw archiveDamaged(file, "it has other events than the log, or is of another log");
  }
  const known = lastArchived(await logbook.archives());
  if (known.seq !== after.seq || known.hash !== after.hash) {
    throw archiveDamaged(file, "it does not continue the archives of this log");
  }
  await verifyWritten(file, stretch);
  const { size: sizeBytes } = await stat(file);
  return { file, ...stretch, firstAtMs: first.atMs, lastAtMs: last.atMs, sizeBytes };
}

async function eventAt(
  logbook: Pick<ArchivableLogbook, "search">,
  seq: number,
): Promise<LoggedEvent | undefined> {
  const { events } = await logbook.search({ isNewestFirst: false, after: seq - 1, limit: 1 });
  return events.find((event) => event.seq === seq);
}

/** Newest event before an instant that is not the newest of all. */
async function lastBefore(logbook: ArchivableLogbook, beforeMs: number): Promise<Receipt | undefined> {
  const head = await logbook.head();
  const { events } = await logbook.search({
    ...{ isNewestFirst: true, after: head.seq, untilMs: beforeMs, limit: 1 },
  });
  return events[0];
}

/** Reads a file back. @throws Fault archiveDamaged */
async function verifyWritten(file: string, { after, through }: Stretch, signal?: AbortSignal): Promise<void> {
  if (!existsSync(file)) throw notWritten(file);
  const { events } = await openArchive(file);
  const verdict = await verifyChain(until(signal, events), { after, through });
  if (verdict.kind !== "intact" || verdict.head.seq !== through.seq) {
    throw archiveDamaged(file, "read back, it has not the events that were written; nothing was removed");
  }
}

/** The events, with an error where the signal aborts. */
async function* until(
  signal: AbortSignal | undefined,
  events: AsyncIterable<LoggedEvent>,
): AsyncIterable<LoggedEvent> {
  for await (const event of events) {
    signal?.throwIfAborted();
    yield event;
  }
}

function notWritten(file: string): Fault {
  return new Fault({
    kind: "failed",
    code: "archiveMissing",
    what: `the archive ${file} no longer exists`,
    why: "it was removed during its verification",
    remedy: "run stint archive again: no event was removed from the log",
  });
}
