/** The queue job by job: a row of waiting array tasks becomes one job per task, with its own id. */
import type { SlurmJob } from "../../formats/slurm/index.ts";
import { tasksIn, tasksText } from "./array-tasks.ts";

/** One job of the queue, and its row. */
export interface QueuedJob {
  /** Id that it keeps when it starts: `1234`, `1234_7`, `1234+1`. */
  readonly siteJob: string;
  /** Task number of a job that waits in an array row; else null. */
  readonly task: number | null;
  readonly row: SlurmJob;
}

/** The rows of a queue with the tasks of our own arrays, or those of other brokers, one by one. */
export function withOwnTasks(rows: readonly SlurmJob[]): readonly SlurmJob[] {
  return rows.flatMap((row) => {
    if (row.arrayJob === null || row.comment?.startsWith("stint:") !== true) return [row];
    const { arrayJob, arrayTasks } = row;
    const tasks = tasksIn(arrayTasks ?? "");
    if (tasks === undefined) return [row];
    return tasks.map((task) => ({ ...row, siteJob: `${arrayJob}_${task}`, count: 1, arrayTasks: `${task}` }));
  });
}

/** Ids of jobs with the tasks of each array as one: `9_0`, `9_1`, `12` are `9_[0-1]`, `12`. */
export function taskLists(siteJobs: readonly string[]): readonly string[] {
  const tasks = new Map<string, number[]>();
  for (const siteJob of siteJobs) {
    const [array, task] = siteJob.split("_");
    const of = tasks.get(array) ?? [];
    tasks.set(array, task === undefined ? of : [...of, Number(task)]);
  }
  return [...tasks].map(([array, of]) => (of.length === 0 ? array : `${array}_[${tasksText(of)}]`));
}

/** Ids of the arrays of tasks, and of other jobs, each once. */
export function arraysOf(siteJobs: readonly string[]): readonly string[] {
  return [...new Set(siteJobs.map((siteJob) => siteJob.split("_")[0]))];
}

/** Jobs of a row, at most `most` tasks of an array; one job if the tasks cannot be listed. */
export function queuedJobs(row: SlurmJob, most: number): readonly QueuedJob[] {
  const { siteJob, arrayJob, arrayTasks } = row;
  if (row.count <= 1 || arrayJob === null || arrayTasks === null) return [{ siteJob, task: null, row }];
  const tasks = tasksIn(arrayTasks);
  if (tasks === undefined) return [{ siteJob, task: null, row }];
  return tasks.slice(0, Math.max(1, most)).map((task) => ({ siteJob: `${arrayJob}_${task}`, task, row }));
}
