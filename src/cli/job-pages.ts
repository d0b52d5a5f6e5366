/** Lists that are longer than a page of the server. */
import type {
  ArrayFilter,
  ArrayList,
  DagFilter,
  DagList,
  JobFilter,
  JobList,
  StintClient,
} from "../api/client/index.ts";

const LARGEST_PAGE = 1000;

/** A page of a list; `next` continues after it, where there is more. */
interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** The part of a list that a request names. */
interface PageRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Follows pages up to `limit` jobs; `next` continues after the last one. */
export function collectJobs(
  client: Pick<StintClient, "jobs">,
  filter: Omit<JobFilter, "limit">,
  limit: number,
): Promise<JobList> {
  return collect((part) => client.jobs({ ...filter, ...part }), filter.cursor, limit);
}

/** Jobs as `stint list` shows them: purged ones are left out, unless the filter names states. */
export function collectListed(
  client: Pick<StintClient, "jobs">,
  filter: Omit<JobFilter, "limit">,
  limit: number,
): Promise<JobList> {
  const read = async (part: PageRequest): Promise<Page<JobList["items"][number]>> => {
    const page = await client.jobs({ ...filter, ...part });
    if (filter.state !== undefined) return page;
    return { ...page, items: page.items.filter(({ state }) => state !== "PURGED") };
  };
  return collect(read, filter.cursor, limit);
}

/** Follows pages of arrays up to `limit`. */
export function collectArrays(
  client: Pick<StintClient, "arrays">,
  filter: Omit<ArrayFilter, "limit">,
  limit: number,
): Promise<ArrayList> {
  return collect((part) => client.arrays({ ...filter, ...part }), filter.cursor, limit);
}

/** Follows pages of DAGs up to `limit`. */
export function collectDags(
  client: Pick<StintClient, "dags">,
  filter: Omit<DagFilter, "limit">,
  limit: number,
): Promise<DagList> {
  return collect((part) => client.dags({ ...filter, ...part }), filter.cursor, limit);
}

async function collect<Item>(
  read: (part: PageRequest) => Promise<Page<Item>>,
  cursor: string | undefined,
  limit: number,
): Promise<{ items: Item[]; next: string | null }> {
  const items: Item[] = [];
  let next = cursor;
  do {
    const page = await read({
      limit: Math.min(LARGEST_PAGE, limit - items.length),
      ...(next === undefined ? {} : { cursor: next }),
    });
    items.push(...page.items);
    next = page.next ?? undefined;
  } while (next !== undefined && items.length < limit);
  return { items, next: next ?? null };
}
