/**
 * The queue job by job: a row that stands for waiting tasks of an array as its tasks, each by its own id.
 */
import type { ClusterJob } from "../../model/index.ts";
import { tasksIn } from "./array-tasks.ts";

/** One job of the queue, and the row that shows it. */
export interface QueuedJob {
  /** `1234`, `1234_7`, `1234+1`: what it keeps when it starts. */
  readonly siteJob: string;
  /** Its task, where it waits in an array with others. */
  readonly task: number | null;
  readonly row: ClusterJob;
}

/** The jobs of a row, or of an array the first `most` of them; one where its tasks cannot be told apart. */
export function queuedJobs(row: ClusterJob, most: number): readonly QueuedJob[] {
  const { siteJob, arrayJob, arrayTasks } = row;
  if (row.count <= 1 || arrayJob === null || arrayTasks === null) return [{ siteJob, task: null, row }];
  const tasks = tasksIn(arrayTasks);
  if (tasks === undefined) return [{ siteJob, task: null, row }];
  return tasks.slice(0, Math.max(1, most)).map((task) => ({ siteJob: `${arrayJob}_${task}`, task, row }));
}
