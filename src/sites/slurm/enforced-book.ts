/**
 * What an enforcer has done to jobs of a cluster and not taken back: what they had before, in one small file.
 *
 * It is written before the commands are given, so that a job's own begin-time is known whatever happens.
 * What of it is in force, the cluster tells: a begin-time that was not given by us is the user's.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./record-folder.ts";

/** A job that was acted upon. */
export interface EnforcedJob {
  readonly siteJob: string;
  /** Tells it from another that has its id later. */
  readonly submittedAtMs: number;
  /** Begin-times that were given; the last one is in force, or one before it where that was not taken. */
  readonly begins: readonly number[];
  /** The begin-time of its own user that still lay ahead when it was held; null: none. */
  readonly ownBeginMs: number | null;
  /** Nice values that were given, and its own; null: none was. */
  readonly nice: { readonly own: number; readonly given: readonly number[] } | null;
  readonly isSuspended: boolean;
}

/** The jobs by their ids, in memory and on the disk. */
export interface EnforcedBook {
  all(): ReadonlyMap<string, EnforcedJob>;
  write(jobs: readonly EnforcedJob[]): Promise<void>;
}

/** Opens it in a directory that is there, or begins it. */
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
