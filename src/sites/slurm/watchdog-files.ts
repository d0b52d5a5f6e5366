/**
 * What a broker and the watchdog of one of its sites tell each other: four small files in the site's folder.
 *
 *     watchdog.json    whose turn it is to watch, and how: written by the broker for each one that it starts
 *     heartbeat        written anew by the broker while something is suspended
 *     enforced.json    the enforcer's book, which only the broker writes
 *     let-go.json      what the watchdog resumed, which only the watchdog writes, and the broker takes away
 *
 * Each file has one writer, so that neither can undo what the other has written.
 */
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SlurmSiteSpec } from "../../model/index.ts";
import type { EnforcedJob } from "./enforced-book.ts";
import { writeWhole } from "./record-folder.ts";

/** What a watchdog is to do. */
export interface WatchOrder {
  /** Of one watchdog; another id in the file: it is another one's turn. */
  readonly id: string;
  readonly site: string;
  readonly spec: SlurmSiteSpec;
  /** So long without a heartbeat, and what is suspended is resumed. */
  readonly silentMs: number;
}

/** A job that was resumed, told from another that has its id later. */
export type LetGoJob = Pick<EnforcedJob, "siteJob" | "submittedAtMs">;

const ORDER = "watchdog.json";
const HEARTBEAT = "heartbeat";
const LET_GO = "let-go.json";

/** Writes whose turn it is. */
export async function writeWatchOrder(directory: string, order: WatchOrder): Promise<void> {
  await writeWhole(join(directory, ORDER), JSON.stringify(order));
}

/** Whose turn it is; undefined where nobody's is, or the site has gone. */
export async function readWatchOrder(directory: string): Promise<WatchOrder | undefined> {
  const text = await readFile(join(directory, ORDER), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The broker is there. */
export async function beat(directory: string): Promise<void> {
  await writeFile(join(directory, HEARTBEAT), randomUUID(), { mode: 0o600 });
}

/** The last beat, as a text that is another one after the next. */
export async function lastBeat(directory: string): Promise<string> {
  return readFile(join(directory, HEARTBEAT), "utf8").catch(() => "");
}

/** What a watchdog resumed and the broker has not taken in. */
export async function readLetGo(directory: string): Promise<readonly LetGoJob[]> {
  const text = await readFile(join(directory, LET_GO), "utf8").catch(() => "[]");
  return JSON.parse(text);
}

/** Writes all of it. */
export async function writeLetGo(directory: string, jobs: readonly LetGoJob[]): Promise<void> {
  await writeWhole(join(directory, LET_GO), JSON.stringify(jobs));
}

/** The broker has taken it in. */
export async function removeLetGo(directory: string): Promise<void> {
  await rm(join(directory, LET_GO), { force: true });
}

/** What of a book is suspended by us, and was not let go. */
export function suspendedIn(book: Iterable<EnforcedJob>, letGo: readonly LetGoJob[]): readonly EnforcedJob[] {
  const gone = new Set(letGo.map(nameOf));
  return [...book].filter((job) => job.isSuspended && !gone.has(nameOf(job)));
}

function nameOf({ siteJob, submittedAtMs }: LetGoJob): string {
  return `${siteJob} ${submittedAtMs}`;
}
