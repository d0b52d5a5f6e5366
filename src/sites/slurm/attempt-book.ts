/**
 * Records that the broker stores about a site: its attempts, ends to report, reservations.
 *
 * A controller forgets a job some minutes after its end. So an end is stored until it is acknowledged, and
 * the acknowledgement until the attempt is purged.
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
  /** Instant of submission by the site's clock in the last survey, else by ours. */
  readonly submittedAtMs: number;
  /** Ids of all jobs submitted under the token. */
  readonly siteJobs: readonly string[];
  readonly ends: readonly SurveyedEnd[];
  /** Jobs whose end was acknowledged. */
  readonly acknowledged: readonly string[];
  /** Token of its reservation; absent or null: none. */
  readonly reservation?: string | null;
}

/** Input files of an array that are at the site. */
export interface SentInputs {
  /** Id of the array. */
  readonly token: string;
  readonly names: readonly string[];
}

/** Records of attempts, in memory and on the disk, with other records of the site. */
export interface AttemptBook extends RecordFolder<AttemptRecord> {
  /** Mark that distinguishes this broker's jobs and reservations from others. */
  readonly mark: string;
  /** Reservations that were ordered, made or not, and not released. */
  readonly reservations: RecordFolder<ReservationOrder>;
  /** Input files that elements of arrays share. */
  readonly inputs: RecordFolder<SentInputs>;
  /** Effects of an enforcer on jobs of any user that are not undone. */
  readonly enforced: EnforcedBook;
}

/** Opens the records of a site, or makes them. */
export async function openAttemptBook(directory: string): Promise<AttemptBook> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const mark = await readMark(join(directory, "mark"));
  const attempts = await openRecordFolder<AttemptRecord>(join(directory, "attempts"));
  const reservations = await openRecordFolder<ReservationOrder>(join(directory, "reservations"));
  const inputs = await openRecordFolder<SentInputs>(join(directory, "inputs"));
  const enforced = await openEnforcedBook(directory);
  return { ...attempts, mark, reservations, inputs, enforced };
}

async function readMark(file: string): Promise<string> {
  const kept = await readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{12}$/.test(kept)) return kept;
  const mark = randomBytes(6).toString("hex");
  await writeWhole(file, mark);
  return mark;
}
