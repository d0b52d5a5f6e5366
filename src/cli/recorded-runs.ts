/** The caller's ended jobs, as `stint plan` takes runtimes from them. */
import type { StintClient } from "../api/client/index.ts";
import type { RecordedRun } from "../plan/index.ts";
import { collectJobs } from "./job-pages.ts";

/** The newest jobs are read, up to this many. */
const MOST_JOBS = 2000;

/** Runs of the caller's newest jobs that succeeded and were not interrupted. */
export async function recordedRunsOf(client: StintClient): Promise<readonly RecordedRun[]> {
  const { owner } = await client.call("getSession");
  const state = ["DONE", "CLEARED", "PURGED"] as const;
  const { items } = await collectJobs(client, { owner, state: [...state] }, MOST_JOBS);
  return items.flatMap(({ result, executable, arguments: words, procs, ranSec }) =>
    result === "ok" ? [{ executable, arguments: words, procs, ranMs: Math.round(ranSec * 1000) }] : [],
  );
}
