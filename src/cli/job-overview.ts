/** Jobs for people, with one line for each array of them. */
import type { JobFilter, StintClient } from "../api/client/index.ts";
import { collectArrays, collectJobs } from "./job-pages.ts";
import type { JobOrArray } from "./job-table.ts";

/** Jobs of no array, and arrays that have a job that fits, newest first. */
interface JobOverview {
  readonly items: readonly JobOrArray[];
  /** True where there are more of them than were asked for. */
  readonly hasMore: boolean;
}

/** At most `limit` jobs and arrays. The filter names no site, order or end, of which an array has none. */
export async function jobOverview(
  client: Pick<StintClient, "jobs" | "arrays">,
  filter: Omit<JobFilter, "limit" | "array">,
  limit: number,
): Promise<JobOverview> {
  const jobs = await collectJobs(client, { ...filter, array: "none" }, limit);
  const { time: _, sort: _sort, site: _site, ...same } = filter;
  const arrays = await collectArrays(client, same, limit);
  const at = ({ submittedAt }: JobOrArray): number => Date.parse(submittedAt);
  const items = [...arrays.items, ...jobs.items].sort((a, b) => at(b) - at(a));
  const hasMore = items.length > limit || jobs.next !== null || arrays.next !== null;
  return { items: items.slice(0, limit), hasMore };
}
