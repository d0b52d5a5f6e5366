/**
 * Reads and closes the record of an attempt, on the site's side.
 */
import { readFile, rename, rm, stat } from "node:fs/promises";
import type { EndCause } from "../../runtime/index.ts";
import type { AttemptPlaces } from "./places.ts";
import { parseReports, type ReportLine } from "./reports.ts";
import { isMissing } from "./site-fault.ts";

/** All that was reported, acknowledged or not. */
export async function readReports({ spool, archive }: AttemptPlaces): Promise<ReportLine[]> {
  const text = (await textOf(spool)) ?? (await textOf(archive)) ?? "";
  return parseReports(text);
}

/** Whether there is anything to be told of this attempt, now or later: an unacknowledged spool. */
export async function hasSpool({ spool }: AttemptPlaces): Promise<boolean> {
  return exists(spool);
}

/** Whether its end was acknowledged. */
export async function isArchived({ archive }: AttemptPlaces): Promise<boolean> {
  return exists(archive);
}

/** Whether the attempt is known here: its directory is the mark of that. */
export async function isKnown({ directory }: AttemptPlaces): Promise<boolean> {
  return exists(directory);
}

/** Moves the reports out of the spool: from now on they are told only when asked for. */
export async function archiveReports({ spool, archive }: AttemptPlaces): Promise<void> {
  try {
    await rename(spool, archive);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Archived already, or its directory was purged.
    await rm(spool, { force: true });
  }
}

/** Why an attempt that nobody answers for came to nothing. */
export interface Verdict {
  readonly cause: EndCause;
  readonly detail: string | undefined;
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
