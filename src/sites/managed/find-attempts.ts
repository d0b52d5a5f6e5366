/**
 * Attempts of a site read from its files, without opening the site: for checks, and for jobs that the
 * broker's log does not have.
 */
import { readdir, rename } from "node:fs/promises";
import type { JsonObject } from "../../runtime/index.ts";
import { areReportsUnreadable, isArchived, readReports } from "./attempt-record.ts";
import { type JobOrder, readClaim, readOrder } from "./job-files.ts";
import { type AttemptPlaces, attemptPlaces, sitePlaces, tokenOfSpool } from "./places.ts";
import { hasEnded } from "./reports.ts";
import { isMissing } from "./site-fault.ts";

/** Files and state of one attempt. */
export interface FoundAttempt {
  readonly token: string;
  readonly directory: string;
  /** First unreadable file and the reason, in one sentence; only for an attempt without an end. */
  readonly problem: string | undefined;
  /** Data that the broker attached to the order to recognise the job; absent if there was none. */
  readonly kept: JsonObject | undefined;
}

/** Every attempt in the site's `directory`, by token; empty if there is no site. */
export async function findAttempts(directory: string): Promise<readonly FoundAttempt[]> {
  const site = sitePlaces(directory);
  const names = await readdir(site.jobs).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const tokens = names.flatMap((name) => tokenOfSpool(`${name}.jsonl`) ?? []).sort();
  const found: FoundAttempt[] = [];
  for (const token of tokens) found.push(await check(token, attemptPlaces(site, token)));
  return found;
}

/**
 * Moves an acknowledged end back to the spool, so that the site reports it again when it is next opened.
 */
export async function repeatEnd(directory: string, token: string): Promise<void> {
  const { archive, spool } = attemptPlaces(sitePlaces(directory), token);
  await rename(archive, spool).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

async function check(token: string, places: AttemptPlaces): Promise<FoundAttempt> {
  let order: JobOrder | undefined;
  let problem: string | undefined;
  try {
    order = readOrder(places);
  } catch (error) {
    problem = `${places.order}: ${error instanceof Error ? error.message : String(error)}`;
  }
  const isSettled = (await isArchived(places)) || hasEnded(await readReports(places));
  const unread = await areReportsUnreadable(places);
  const claim = readClaim(places);
  if (unread) problem ??= `${places.spool} cannot be read`;
  if (claim?.by === "site" && claim.mayRun === true) problem ??= `${places.claim} cannot be read`;
  const isOpen = unread || !isSettled;
  return { token, directory: places.directory, problem: isOpen ? problem : undefined, kept: order?.kept };
}
