/** Pages of a list of jobs that were read once, with those in sight as they are now. */
import type { JobView } from "../app/client.ts";

type Listed = Pick<JobView, "id" | "submittedAt">;

/**
 * All rows, newest first: those of a page that was read again take the place of what it had. What it has no
 * more is gone, but for rows behind its end: newer ones have moved these to the next page.
 *
 * Equivalent to adding page by page what is not there yet; differs for speed: only pages that reach above the
 * end of one that was read again are looked at row by row, the others are taken as they are.
 */
export function freshRows<Job extends Listed>(
  pages: readonly (readonly Job[])[],
  again: ReadonlyMap<number, readonly Job[]>,
): readonly Job[] {
  const known = new Set<string>();
  const rows: Job[] = [];
  let reached = Number.POSITIVE_INFINITY;
  for (const [at, page] of pages.entries()) {
    const fresh = again.get(at);
    if (fresh === undefined && (known.size === 0 || firstOf(page) < reached)) {
      for (const job of page) rows.push(job);
      continue;
    }
    const end = fresh === undefined ? Number.POSITIVE_INFINITY : lastOf(fresh);
    reached = Math.min(reached, end);
    const add = (job: Job): void => {
      if (known.has(job.id)) return;
      known.add(job.id);
      rows.push(job);
    };
    fresh?.forEach(add);
    for (const job of page) if (Date.parse(job.submittedAt) < end) add(job);
  }
  return rows;
}

/** Place of the page that has a row, by the lengths that the pages had when they were read. */
export function pageOfRow(pages: readonly (readonly unknown[])[], row: number): number {
  let behind = 0;
  for (const [at, page] of pages.entries()) {
    behind += page.length;
    if (row < behind) return at;
  }
  return Math.max(0, pages.length - 1);
}

/** Instant of the first row. An empty page has no row that could be elsewhere, too. */
function firstOf(rows: readonly Listed[]): number {
  const [first] = rows;
  return first === undefined ? Number.NEGATIVE_INFINITY : Date.parse(first.submittedAt);
}

/** Instant of the last row. Of an empty page nothing is left. */
function lastOf(rows: readonly Listed[]): number {
  const last = rows.at(-1);
  return last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.submittedAt);
}

/** True where so much is new that rows may be missing between the first page and what it was before. */
export function isApart(fresh: readonly Listed[], before: readonly Listed[]): boolean {
  const known = new Set(before.map(({ id }) => id));
  return before.length > 0 && fresh.length > 0 && !fresh.some(({ id }) => known.has(id));
}
