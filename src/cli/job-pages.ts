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
import { JOB_STATES } from "../model/index.ts";

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

/** Every state of a job that `stint list` shows where the filter names none. */
const LISTED = JOB_STATES.filter((state) => state !== "PURGED");

/**
 * Jobs as `stint list` shows them: purged ones are left out, unless the filter names states. The broker does
 * so, since there may be more purged jobs than pages can be read.
 */
export function collectListed(
  client: Pick<StintClient, "jobs">,
  filter: Omit<JobFilter, "limit">,
  limit: number,
): Promise<JobList> {
  return collectJobs(client, { ...filter, state: filter.state ?? LISTED }, limit);
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
