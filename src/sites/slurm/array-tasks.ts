/** Task lists of job arrays: from Slurm's text to numbers and back. */

/** Largest array that Slurm permits (MaxArraySize). */
const MOST_TASKS = 4_000_001;

/**
 * Numbers in a list of tasks: `1-3,7%2` is 1, 2, 3, 7, and `0-20:5` every fifth; undefined for other text,
 * such as a truncated list.
 */
export function tasksIn(text: string): readonly number[] | undefined {
  const [list = ""] = text.split("%");
  const tasks: number[] = [];
  for (const part of list.split(",")) {
    const match = /^(\d{1,8})(?:-(\d{1,8})(?::(\d{1,8}))?)?$/.exec(part);
    if (match === null) return undefined;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    const step = Math.max(1, Number(match[3] ?? 1));
    if ((last - first) / step > MOST_TASKS) return undefined;
    for (let task = first; task <= last; task += step) tasks.push(task);
  }
  return tasks;
}

/** Numbers as the shortest list: 1, 2, 3, 7 is `1-3,7`. */
export function tasksText(tasks: readonly number[]): string {
  const sorted = [...new Set(tasks)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length; ) {
    let last = at;
    while (sorted[last + 1] === sorted[last] + 1) last++;
    parts.push(last === at ? `${sorted[at]}` : `${sorted[at]}-${sorted[last]}`);
    at = last + 1;
  }
  return parts.join(",");
}
