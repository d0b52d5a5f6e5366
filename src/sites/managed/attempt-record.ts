/**
 * Reads and closes the record of an attempt, on the site's side.
 */
import { readFile, rename, rm, stat } from "node:fs/promises";
import type { EndCause } from "../../runtime/index.ts";
import type { AttemptPlaces } from "./places.ts";
import { parseReports, type ReportLine } from "./reports.ts";
import { isMissing } from "./site-fault.ts";
import { isLasting, unreadableDetail } from "./unreadable.ts";

/** All that was reported, acknowledged or not. What was in a spool that cannot be read is lost for good. */
export async function readReports(places: AttemptPlaces): Promise<ReportLine[]> {
  try {
    return parseReports(await reportText(places));
  } catch (error) {
    if (!isLasting(error)) throw error;
    const detail = unreadableDetail("the file of its reports", places.spool, error);
    return [{ kind: "ended", atMs: Date.now(), cause: "lost", detail }];
  }
}

/** Whether something was reported first that cannot be understood. */
export async function beginsGarbled(places: AttemptPlaces): Promise<boolean> {
  const text = await reportText(places).catch(() => "");
  const end = text.indexOf("\n") + 1;
  return end > 0 && parseReports(text.slice(0, end)).length === 0;
}

/** Whether the reports of an attempt are there and cannot be read. */
export async function areReportsUnreadable(places: AttemptPlaces): Promise<boolean> {
  return reportText(places).then(() => false, isLasting);
}

async function reportText({ spool, archive }: AttemptPlaces): Promise<string> {
  return (await textOf(spool)) ?? (await textOf(archive)) ?? "";
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
