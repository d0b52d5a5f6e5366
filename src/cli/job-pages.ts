/** Lists that are longer than a page of the server. */
import type {
  ArrayFilter,
  ArrayList,
  ArrayView,
  JobFilter,
  JobList,
  JobView,
  StintClient,
} from "../api/client/index.ts";

const LARGEST_PAGE = 1000;

/** Follows pages up to `limit` jobs; `next` continues after the last one. */
export async function collectJobs(
  client: Pick<StintClient, "jobs">,
  filter: Omit<JobFilter, "limit">,
  limit: number,
): Promise<JobList> {
  const items: JobView[] = [];
  let next = filter.cursor;
  do {
    const page = await client.jobs({
      ...filter,
      limit: Math.min(LARGEST_PAGE, limit - items.length),
      ...(next === undefined ? {} : { cursor: next }),
    });
    items.push(...page.items);
    next = page.next ?? undefined;
  } while (next !== undefined && items.length < limit);
  return { items, next: next ?? null };
}

/** Follows pages of arrays up to `limit`. */
export async function collectArrays(
  client: Pick<StintClient, "arrays">,
  filter: Omit<ArrayFilter, "limit">,
  limit: number,
): Promise<ArrayList> {
  const items: ArrayView[] = [];
  let next = filter.cursor;
  do {
    const page = await client.arrays({
      ...filter,
      limit: Math.min(LARGEST_PAGE, limit - items.length),
      ...(next === undefined ? {} : { cursor: next }),
    });
    items.push(...page.items);
    next = page.next ?? undefined;
  } while (next !== undefined && items.length < limit);
  return { items, next: next ?? null };
}
