/** Ids that may be of a job, of an array of jobs or of a DAG. */
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

/** True for the fault of a request for a job whose id is that of a DAG. */
export function isOfDag(error: unknown): boolean {
  return error instanceof Fault && error.code === "isDag";
}

/** True for the fault of a request for a job whose id is that of a workflow. */
export function isOfWorkflow(error: unknown): boolean {
  return error instanceof Fault && error.code === "isWorkflow";
}

/** The job, the array or the DAG with this id. */
export async function jobOrArray(
  client: Pick<StintClient, "job" | "array" | "dag">,
  id: string,
): Promise<JobOrArray> {
  try {
    return await ofJobOrArray<JobOrArray, JobOrArray>(
      () => client.job(id),
      () => client.array(id),
    );
  } catch (error) {
    if (isOfDag(error)) return client.dag(id);
    throw error;
  }
}

/** All jobs of an array or of a DAG, in the order of their acceptance. */
export async function jobsOf(client: Pick<StintClient, "jobs">, array: string): Promise<readonly JobView[]> {
  const { items } = await collectJobs(client, { array }, MOST_MEMBERS);
  return items.toReversed();
}
