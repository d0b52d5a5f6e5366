/**
 * Slurm commands for an enforcer's orders: job lists, changes, and complaints in the output.
 *
 * A hold is a begin-time, since Slurm ends it without the broker; `scontrol hold` would stay. Source:
 * scontrol(1), UPDATE JOB; seen with 22.05.
 */

import { tasksIn, tasksText } from "./array-tasks.ts";
import type { QueuedJob } from "./queued-tasks.ts";
import { quoted } from "./run-command.ts";

const MS_PER_SECOND = 1000;
/**
 * Longest list in characters: far below the limit of a command line, and well under a second of a
 * controller's time.
 */
const MOST_CHARACTERS = 4000;
const MOST_ENTRIES = 300;

/** Jobs as lists for several commands: `12,13,7_[1-3,9]`, each short enough. */
export function jobLists(
  jobs: readonly QueuedJob[],
): readonly { list: string; jobs: readonly QueuedJob[] }[] {
  const lists: { list: string; jobs: QueuedJob[] }[] = [];
  for (const entry of entriesOf(jobs)) {
    const last = lists.at(-1);
    const isFull =
      last === undefined ||
      last.jobs.length >= MOST_ENTRIES ||
      last.list.length + entry.text.length > MOST_CHARACTERS;
    if (isFull) lists.push({ list: entry.text, jobs: [...entry.jobs] });
    else {
      last.list += `,${entry.text}`;
      last.jobs.push(...entry.jobs);
    }
  }
  return lists;
}

interface Entry {
  readonly text: string;
  readonly jobs: readonly QueuedJob[];
}

/**
 * One entry per row of an array: if all its waiting tasks are in one entry, Slurm does not split the row.
 */
function entriesOf(jobs: readonly QueuedJob[]): readonly Entry[] {
  const entries: Entry[] = [];
  const byRow = new Map<string, QueuedJob[]>();
  for (const job of jobs) {
    if (job.task === null || job.row.arrayJob === null) {
      entries.push({ text: job.siteJob, jobs: [job] });
      continue;
    }
    const tasks = byRow.get(job.row.siteJob);
    if (tasks === undefined) byRow.set(job.row.siteJob, [job]);
    else tasks.push(job);
  }
  return [...entries, ...[...byRow.values()].flatMap(arrayEntries)];
}

function arrayEntries(tasks: readonly QueuedJob[]): readonly Entry[] {
  const array = tasks[0]?.row.arrayJob;
  const text = `${array}_[${tasksText(tasks.map(({ task }) => task ?? 0))}]`;
  if (text.length <= MOST_CHARACTERS) return [{ text, jobs: tasks }];
  const half = tasks.length >> 1;
  return [...arrayEntries(tasks.slice(0, half)), ...arrayEntries(tasks.slice(half))];
}

/** Words that change these jobs: `StartTime=…`, `Nice=…`. */
export function updateWords(list: string, change: string): readonly string[] {
  return ["scontrol", "update", `JobId=${list}`, change];
}

/** Change that sets a begin-time, in Unix ms; a past one means at once. */
export function beginChange(beginMs: number, nowMs: number): string {
  return beginMs <= nowMs ? "StartTime=now" : `StartTime=uts${Math.ceil(beginMs / MS_PER_SECOND)}`;
}

/** Instant rounded up to Slurm's whole seconds. */
export function wholeSecond(ms: number): number {
  return Math.ceil(ms / MS_PER_SECOND) * MS_PER_SECOND;
}

/** Command line as typed in a shell. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

/** Complaint about one job in the output: `Access/permission denied for job 18`, `21_0,2: Invalid …`. */
export function complaintAbout(siteJob: string, stderr: string): string | undefined {
  const [base, task] = siteJob.split("_");
  for (const line of stderr.split("\n").map((it) => it.trim())) {
    const single = /^(.*) for job (\d\S*)$/.exec(line);
    if (single !== null && [siteJob, siteJob.split("+")[0]].includes(single[2])) return single[1];
    const array = /^(\d+)_([\d,:-]+): (.*)$/.exec(line);
    if (array === null || array[1] !== base || array[3] === "No error") continue;
    if (tasksIn(array[2])?.includes(Number(task)) === true) return array[3];
  }
  return undefined;
}
