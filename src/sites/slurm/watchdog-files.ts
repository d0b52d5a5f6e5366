/**
 * Files that a broker and the watchdog of one of its sites exchange, in the site's folder.
 *
 *     watchdog.json    the current watchdog and its task: written by the broker for each one that it starts
 *     heartbeat        written by the broker at intervals while a job is suspended
 *     enforced.json    the enforcer's record, which only the broker writes
 *     let-go.json      jobs that the watchdog resumed: written by the watchdog, removed by the broker
 *
 * Each file has one writer, so that neither process can overwrite what the other has written.
 */
import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SlurmSiteSpec } from "../../model/index.ts";
import type { EnforcedJob } from "./enforced-book.ts";
import { writeWhole } from "./record-folder.ts";

/** Task of a watchdog. */
export interface WatchOrder {
  /** Id of the current watchdog; a watchdog with another id ends. */
  readonly id: string;
  readonly site: string;
  readonly spec: SlurmSiteSpec;
  /** Time without a heartbeat, in ms, after which suspended jobs are resumed. */
  readonly silentMs: number;
}

/** A resumed job; the instant of submission distinguishes it from later jobs with the same id. */
export type ResumedJob = Pick<EnforcedJob, "siteJob" | "submittedAtMs">;

const ORDER = "watchdog.json";
const HEARTBEAT = "heartbeat";
const LET_GO = "let-go.json";

/** Names the current watchdog and its task. */
export async function writeWatchOrder(directory: string, order: WatchOrder): Promise<void> {
  await writeWhole(join(directory, ORDER), JSON.stringify(order));
}

/** The current watchdog; undefined if there is none or the site is gone. */
export async function readWatchOrder(directory: string): Promise<WatchOrder | undefined> {
  const text = await readFile(join(directory, ORDER), "utf8").catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Writes a heartbeat. */
export async function beat(directory: string): Promise<void> {
  await writeFile(join(directory, HEARTBEAT), randomUUID(), { mode: 0o600 });
}

/** Content of the heartbeat, which changes with every beat. */
export async function lastBeat(directory: string): Promise<string> {
  return readFile(join(directory, HEARTBEAT), "utf8").catch(() => "");
}

/** Jobs that a watchdog resumed and the broker has not recorded yet. */
export async function readResumed(directory: string): Promise<readonly ResumedJob[]> {
  const text = await readFile(join(directory, LET_GO), "utf8").catch(() => "[]");
  return JSON.parse(text);
}

/** Replaces the list of resumed jobs. */
export async function writeResumed(directory: string, jobs: readonly ResumedJob[]): Promise<void> {
  await writeWhole(join(directory, LET_GO), JSON.stringify(jobs));
}

/** Removes the list after the broker has recorded it. */
export async function removeResumed(directory: string): Promise<void> {
  await rm(join(directory, LET_GO), { force: true });
}

/** Jobs of a record that we suspended and that were not resumed. */
export function suspendedIn(
  book: Iterable<EnforcedJob>,
  resumed: readonly ResumedJob[],
): readonly EnforcedJob[] {
  const gone = new Set(resumed.map(nameOf));
  return [...book].filter((job) => job.isSuspended && !gone.has(nameOf(job)));
}

function nameOf({ siteJob, submittedAtMs }: ResumedJob): string {
  return `${siteJob} ${submittedAtMs}`;
}
