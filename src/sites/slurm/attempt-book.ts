/**
 * What this side remembers of its attempts: which there are, and the ends that are to be told.
 *
 * A controller forgets a job some minutes after its end; what was seen of it is kept here until it is
 * acknowledged, and that it was acknowledged until it is purged. A small file an attempt, written whole.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SurveyedEnd } from "../../engine/index.ts";

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
}

/** The records, in memory and on the disk. */
export interface AttemptBook {
  /** Distinguishes this broker's jobs from any other's. */
  readonly mark: string;
  all(): Iterable<AttemptRecord>;
  find(token: string): AttemptRecord | undefined;
  write(record: AttemptRecord): Promise<void>;
  remove(token: string): Promise<void>;
}

/** Opens the book of a site, or begins it. */
export async function openAttemptBook(directory: string): Promise<AttemptBook> {
  const attempts = join(directory, "attempts");
  await mkdir(attempts, { recursive: true, mode: 0o700 });
  const mark = await readMark(join(directory, "mark"));
  const records = await readRecords(attempts);
  const fileOf = (token: string): string => join(attempts, `${token.replace("/", "_")}.json`);
  return {
    mark,
    all: () => [...records.values()],
    find: (token) => records.get(token),
    async write(record) {
      records.set(record.token, record);
      await writeWhole(fileOf(record.token), JSON.stringify(record));
    },
    async remove(token) {
      records.delete(token);
      await rm(fileOf(token), { force: true });
    },
  };
}

async function readMark(file: string): Promise<string> {
  const kept = await readFile(file, "utf8").catch(() => "");
  if (/^[0-9a-f]{12}$/.test(kept)) return kept;
  const mark = randomBytes(6).toString("hex");
  await writeWhole(file, mark);
  return mark;
}

async function readRecords(attempts: string): Promise<Map<string, AttemptRecord>> {
  const records = new Map<string, AttemptRecord>();
  for (const name of await readdir(attempts)) {
    if (!name.endsWith(".json")) {
      await rm(join(attempts, name), { force: true });
      continue;
    }
    const record: AttemptRecord = JSON.parse(await readFile(join(attempts, name), "utf8"));
    records.set(record.token, record);
  }
  return records;
}

async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
}
