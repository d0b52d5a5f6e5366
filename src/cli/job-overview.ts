/** Jobs for people, with one line for each array and each DAG of them. */
import type { JobFilter, StintClient } from "../api/client/index.ts";
import { collectArrays, collectDags, collectListed } from "./job-pages.ts";
import type { JobOrArray } from "./job-table.ts";

/** Jobs of no array, and arrays that have a job that fits, newest first. */
interface JobOverview {
  readonly items: readonly JobOrArray[];
  /** True where there are more of them than were asked for. */
  readonly hasMore: boolean;
}

/**
 * At most `limit` jobs, arrays and DAGs. The filter names no site, order or end, of which arrays and DAGs
 * have none.
 */
export async function jobOverview(
  client: Pick<StintClient, "jobs" | "arrays" | "dags">,
  filter: Omit<JobFilter, "limit" | "array">,
  limit: number,
): Promise<JobOverview> {
  const jobs = await collectListed(client, { ...filter, array: "none" }, limit);
  const { time: _, sort: _sort, site: _site, ...same } = filter;
  const arrays = await collectArrays(client, same, limit);
  const dags = await collectDags(client, same, limit);
  const at = ({ submittedAt }: JobOrArray): number => Date.parse(submittedAt);
  const items = [...arrays.items, ...dags.items, ...jobs.items].sort((a, b) => at(b) - at(a));
  const hasMore = items.length > limit || [jobs, arrays, dags].some(({ next }) => next !== null);
  return { items: items.slice(0, limit), hasMore };
}
