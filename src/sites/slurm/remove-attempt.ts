/** Removal of an attempt at the site: its directory, its entry, and the files that its array shares. */
import type { AttemptBook } from "./attempt-book.ts";
import { groupOf } from "./own-jobs.ts";
import type { AttemptFiles } from "./site-files.ts";

/** Removes an attempt that is not in the queue. */
export async function removeAttempt(files: AttemptFiles, book: AttemptBook, token: string): Promise<void> {
  const group = groupOf(token, book.find(token)?.siteJobs ?? []);
  await files.remove(token);
  await book.remove(token);
  if (group === undefined) return;
  const isLast = ![...book.all()].some((it) => groupOf(it.token, it.siteJobs) === group);
  if (isLast) await files.remove(group);
}
