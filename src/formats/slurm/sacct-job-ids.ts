/**
 * What the id of a row of accounting stands for: a job, a task of an array, tasks that wait together, a
 * part of a job of several shapes, a step.
 */

/** More tasks than Slurm lets an array have by its usual limits; more are not made jobs. */
export const MOST_TASKS = 100_000;

/** What an id says. */
export interface SacctId {
  readonly kind: "job" | "task" | "waitingTasks" | "part" | "step";
  /** One for each job that the row is. */
  readonly ids: readonly string[];
  /** Whether the array may only run so many of its tasks at once. */
  readonly isThrottled: boolean;
}

/** Understands `17`, `17_3`, `17_[4-9:2%3]`, `17+1`, `17.batch`; undefined where it is none of these. */
export function sacctId(text: string): SacctId | undefined {
  if (/^\d+([_+]\d+)?\.[\w+.-]+$/.test(text)) return { kind: "step", ids: [], isThrottled: false };
  if (/^\d+$/.test(text)) return { kind: "job", ids: [text], isThrottled: false };
  if (/^\d+_\d+$/.test(text)) return { kind: "task", ids: [text], isThrottled: false };
  if (/^\d+\+\d+$/.test(text)) return { kind: "part", ids: [text], isThrottled: false };
  const match = /^(\d+)_\[([\d,:-]+)(%\d+)?\]$/.exec(text);
  if (match === null) return undefined;
  const [, array, ranges, throttle] = match;
  const tasks = tasksOf(ranges);
  if (tasks === undefined) return undefined;
  return {
    kind: "waitingTasks",
    ids: tasks.map((task) => `${array}_${task}`),
    isThrottled: throttle !== undefined,
  };
}

/** `1,4-9:2` → 1, 4, 6, 8. */
function tasksOf(ranges: string): readonly number[] | undefined {
  const tasks: number[] = [];
  for (const range of ranges.split(",")) {
    // No array has numbers of more digits, and beyond 2^53 one more is the same number.
    const match = /^(\d{1,8})(?:-(\d{1,8})(?::(\d{1,8}))?)?$/.exec(range);
    if (match === null) return undefined;
    const from = Number(match[1]);
    const to = Number(match[2] ?? from);
    const step = Number(match[3] ?? 1);
    if (step < 1 || to < from || tasks.length + (to - from) / step >= MOST_TASKS) return undefined;
    for (let task = from; task <= to; task += step) tasks.push(task);
  }
  return tasks;
}
