/** Reads and closes the files of an attempt, on the site's side. */
import { readFile, rename, rm, stat } from "node:fs/promises";
import type { EndCause } from "../../runtime/index.ts";
import type { AttemptPlaces } from "./places.ts";
import { parseReports, type ReportLine } from "./reports.ts";
import { isMissing } from "./site-fault.ts";
import { isLasting, unreadableDetail } from "./unreadable.ts";

/** All reports of an attempt, acknowledged or not. The content of an unreadable spool is lost. */
export async function readReports(places: AttemptPlaces): Promise<ReportLine[]> {
  try {
    return parseReports(await reportText(places));
  } catch (error) {
    if (!isLasting(error)) throw error;
    const detail = unreadableDetail("the file of its reports", places.spool, error);
    return [{ kind: "ended", atMs: Date.now(), cause: "lost", detail }];
  }
}

/** True if the first line of the spool cannot be parsed. */
export async function hasUnreadableStart(places: AttemptPlaces): Promise<boolean> {
  const text = await reportText(places).catch(() => "");
  const end = text.indexOf("\n") + 1;
  return end > 0 && parseReports(text.slice(0, end)).length === 0;
}

/** True if the spool or the archive of an attempt exists and cannot be read. */
export async function areReportsUnreadable(places: AttemptPlaces): Promise<boolean> {
  return reportText(places).then(() => false, isLasting);
}

async function reportText({ spool, archive }: AttemptPlaces): Promise<string> {
  return (await textOf(spool)) ?? (await textOf(archive)) ?? "";
}

/** True while reports wait to be acknowledged. */
export async function hasSpool({ spool }: AttemptPlaces): Promise<boolean> {
  return exists(spool);
}

/** True once the end of the attempt was acknowledged. */
export async function isArchived({ archive }: AttemptPlaces): Promise<boolean> {
  return exists(archive);
}

/** True if the last report of an archived attempt is older than this instant, in Unix ms. */
export async function isArchivedBefore({ archive }: AttemptPlaces, atMs: number): Promise<boolean> {
  const { mtimeMs } = await stat(archive);
  return mtimeMs < atMs;
}

/** True if the site has taken the attempt in: its directory exists. */
export async function isKnown({ directory }: AttemptPlaces): Promise<boolean> {
  return exists(directory);
}

/** Moves the acknowledged reports out of the spool. Later lives read them only on request. */
export async function archiveReports({ spool, archive }: AttemptPlaces): Promise<void> {
  try {
    await rename(spool, archive);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Archived already, or its directory was purged.
    await rm(spool, { force: true });
  }
}

/** Reason for an attempt without a wrapper to be lost or cancelled. */
export interface LossReason {
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
