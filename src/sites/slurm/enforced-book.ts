/**
 * Record of an enforcer's effects on jobs that are not undone: the values that the jobs had before, in one
 * small file.
 *
 * The file is written before the commands run, so that a job's own begin-time is always known. The cluster
 * shows which effects are in force: a begin-time that we did not set is the user's.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./record-folder.ts";

/** A job with effects of an enforcer. */
export interface EnforcedJob {
  readonly siteJob: string;
  /** Instant of submission, which distinguishes it from later jobs with the same id. */
  readonly submittedAtMs: number;
  /** Begin-times that were set; the last one is in force, or an earlier one if the change failed. */
  readonly begins: readonly number[];
  /** Begin-time of the job's user that was in the future at the hold; null: none. */
  readonly ownBeginMs: number | null;
  /** Nice values that were set, and the job's own; null: unchanged. */
  readonly nice: { readonly own: number; readonly given: readonly number[] } | null;
  readonly isSuspended: boolean;
}

/** Jobs by id, in memory and on the disk. */
export interface EnforcedBook {
  all(): ReadonlyMap<string, EnforcedJob>;
  write(jobs: readonly EnforcedJob[]): Promise<void>;
}

/** Opens the record in an existing directory, or makes it. */
export async function openEnforcedBook(directory: string): Promise<EnforcedBook> {
  const file = join(directory, "enforced.json");
  const text = await readFile(file, "utf8").catch(() => "[]");
  const kept: readonly EnforcedJob[] = JSON.parse(text);
  let jobs = byId(kept);
  return {
    all: () => jobs,
    async write(now) {
      await writeWhole(file, JSON.stringify(now));
      jobs = byId(now);
    },
  };
}

function byId(jobs: readonly EnforcedJob[]): ReadonlyMap<string, EnforcedJob> {
  return new Map(jobs.map((job) => [job.siteJob, job]));
}
