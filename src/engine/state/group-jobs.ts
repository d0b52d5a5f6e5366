/**
 * Jobs by site, organisation or any other key: a restart goes through all jobs once, and not once for each
 * site or organisation.
 */
import type { JobRecord } from "../../model/index.ts";

/** Groups jobs by a key, in their order; jobs whose key is null are in no group. */
export function groupJobs(
  jobs: Iterable<JobRecord>,
  keyOf: (job: JobRecord) => string | null,
): ReadonlyMap<string, readonly JobRecord[]> {
  const groups = new Map<string, JobRecord[]>();
  for (const job of jobs) {
    const key = keyOf(job);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [job]);
    else group.push(job);
  }
  return groups;
}
