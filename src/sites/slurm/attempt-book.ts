/**
 * What this side remembers of a site: which attempts are ours, the ends that are to be told, and what was
 * reserved.
 *
 * A controller forgets a job some minutes after its end; what was seen of it is kept here until it is
 * acknowledged, and that it was acknowledged until it is purged.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SurveyedEnd } from "../../engine/index.ts";
import type { ReservationOrder } from "../../runtime/index.ts";
import { type EnforcedBook, openEnforcedBook } from "./enforced-book.ts";
import { openRecordFolder, type RecordFolder, writeWhole } from "./record-folder.ts";

/** An attempt of ours. */
export interface AttemptRecord {
  readonly token: string;
  /** The site's clock, as the last survey before had it; else ours. */
  readonly submittedAtMs: number;
  /** Everything that was submitted under its token. */
  readonly siteJobs: readonly string[];
  readonly ends: readonly SurveyedEnd[];
  /** Of these jobs no end is told any more. */
  readonly acknowledged: readonly string[];
  /** The token of the reservation in which alone it may run; absent and null: anywhere. */
  readonly reservation?: string | null;
}

/** The records of attempts, in memory and on the disk, and what goes with them. */
export interface AttemptBook extends RecordFolder<AttemptRecord> {
  /** Distinguishes this broker's jobs and reservations from any other's. */
  readonly mark: string;
  /** What was ordered to be kept free, perhaps in vain, and was not given up. */
  readonly reservations: RecordFolder<ReservationOrder>;
  /** What an enforcer has done to jobs, anybody's, and not taken back. */
  readonly enforced: EnforcedBook;
}

/** Opens the book of a site, or begins it. */
export async function openAttemptBook(directory: string): Promise<AttemptBook> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const mark = await readMark(join(directory, "mark"));
  const attempts = await openRecordFolder<AttemptRecord>(join(directory, "attempts"));
  const reservations = await openRecordFolder<ReservationOrder>(join(directory, "reservations"));
  const enforced = await openEnforcedBook(directory);
  return { ...attempts, mark, reservations, enforced };
}

async function readMark(file: string): Promise<string> {
  const kept = await readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{12}$/.test(kept)) return kept;
  const mark = randomBytes(6).toString("hex");
  await writeWhole(file, mark);
  return mark;
}
