/** Ids that may be of a job or of an array of jobs. */
import type { JobView, StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { MOST_MEMBERS } from "../model/index.ts";
import { collectJobs } from "./job-pages.ts";
import type { JobOrArray } from "./job-table.ts";

/** Does something to a job, or to the array where the id is that of one. */
export async function ofJobOrArray<Job, Array>(
  ofJob: () => Promise<Job>,
  ofArray: () => Promise<Array>,
): Promise<Job | Array> {
  try {
    return await ofJob();
  } catch (error) {
    if (error instanceof Fault && error.code === "isArray") return ofArray();
    throw error;
  }
}

/** The job or the array with this id. */
export function jobOrArray(client: Pick<StintClient, "job" | "array">, id: string): Promise<JobOrArray> {
  return ofJobOrArray<JobOrArray, JobOrArray>(
    () => client.job(id),
    () => client.array(id),
  );
}

/** All jobs of an array, in the order of their indexes. */
export async function jobsOf(client: Pick<StintClient, "jobs">, array: string): Promise<readonly JobView[]> {
  const { items } = await collectJobs(client, { array }, MOST_MEMBERS);
  return items.toReversed();
}
