/**
 * What a site's own files say of its attempts, read without opening the site: for checks, and for finding
 * what a broker's log no longer knows.
 */
import { readdir, rename } from "node:fs/promises";
import type { JsonObject } from "../../runtime/index.ts";
import { areReportsUnreadable, isArchived, readReports } from "./attempt-record.ts";
import { type JobOrder, readClaim, readOrder } from "./job-files.ts";
import { type AttemptPlaces, attemptPlaces, sitePlaces, tokenOfSpool } from "./places.ts";
import { hasEnded } from "./reports.ts";
import { isMissing } from "./site-fault.ts";

/** An attempt as its files show it. */
export interface FoundAttempt {
  readonly token: string;
  readonly directory: string;
  /** The first of its files that cannot be read, in one sentence; of one that is not settled. */
  readonly trouble: string | undefined;
  /** What the broker gave along, to know the job again; absent where it gave nothing. */
  readonly kept: JsonObject | undefined;
}

/** Every attempt of which the site in `directory` has files, by its token; none where there is no site. */
export async function findAttempts(directory: string): Promise<readonly FoundAttempt[]> {
  const site = sitePlaces(directory);
  const names = await readdir(site.jobs).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const tokens = names.flatMap((name) => tokenOfSpool(`${name}.jsonl`) ?? []).sort();
  const found: FoundAttempt[] = [];
  for (const token of tokens) found.push(await look(token, attemptPlaces(site, token)));
  return found;
}

/** Has the end of an attempt told once more though it was acknowledged, when the site is next open. */
export async function tellAgain(directory: string, token: string): Promise<void> {
  const { archive, spool } = attemptPlaces(sitePlaces(directory), token);
  await rename(archive, spool).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

async function look(token: string, places: AttemptPlaces): Promise<FoundAttempt> {
  let order: JobOrder | undefined;
  let trouble: string | undefined;
  try {
    order = readOrder(places);
  } catch (error) {
    trouble = `${places.order}: ${error instanceof Error ? error.message : String(error)}`;
  }
  const isSettled = (await isArchived(places)) || hasEnded(await readReports(places));
  const unread = await areReportsUnreadable(places);
  const claim = readClaim(places);
  if (unread) trouble ??= `${places.spool} cannot be read`;
  if (claim?.by === "site" && claim.mayRun === true) trouble ??= `${places.claim} cannot be read`;
  const isOpen = unread || !isSettled;
  return { token, directory: places.directory, trouble: isOpen ? trouble : undefined, kept: order?.kept };
}
