/** The queue job by job: a row of waiting array tasks becomes one job per task, with its own id. */
import type { SlurmJob } from "../../formats/slurm/index.ts";
import { tasksIn } from "./array-tasks.ts";

/** One job of the queue, and its row. */
export interface QueuedJob {
  /** Id that it keeps when it starts: `1234`, `1234_7`, `1234+1`. */
  readonly siteJob: string;
  /** Task number of a job that waits in an array row; else null. */
  readonly task: number | null;
  readonly row: SlurmJob;
}

/** Jobs of a row, at most `most` tasks of an array; one job if the tasks cannot be listed. */
export function queuedJobs(row: SlurmJob, most: number): readonly QueuedJob[] {
  const { siteJob, arrayJob, arrayTasks } = row;
  if (row.count <= 1 || arrayJob === null || arrayTasks === null) return [{ siteJob, task: null, row }];
  const tasks = tasksIn(arrayTasks);
  if (tasks === undefined) return [{ siteJob, task: null, row }];
  return tasks.slice(0, Math.max(1, most)).map((task) => ({ siteJob: `${arrayJob}_${task}`, task, row }));
}
