/**
 * Putting jobs before or behind all others in Slurm's queue, by their nice values.
 *
 * A priority is a sum of what grows and changes, less the nice value; so all jobs of an order are moved by
 * the same amount, which leaves them in their order, and age goes on counting. No priority is below 1: jobs
 * that would be end up equal. A larger nice value is any owner's to give, a smaller one an operator's.
 * Source: slurm.conf(5), scontrol(1); seen with 22.05.
 */
import type { EnforcedJob } from "./enforced-book.ts";
import type { QueuedJob } from "./queued-tasks.ts";

/** What Slurm takes: NICE_OFFSET less 3. */
const LARGEST_NICE = 2_147_483_645;

/** A job's new nice value. */
export interface NiceChange {
  readonly job: QueuedJob;
  readonly nice: number;
}

/** Who is to be moved, among whom. */
export interface NiceScene {
  readonly queue: readonly QueuedJob[];
  readonly asked: readonly QueuedJob[];
  readonly known: ReadonlyMap<string, EnforcedJob>;
}

/**
 * The nice values that put the asked ones of waiting jobs before (`way` -1) or behind (1) all that wait
 * and were not put there before; none for those that were, or stand there already.
 */
export function niceChanges({ queue, asked, known }: NiceScene, way: -1 | 1): readonly NiceChange[] {
  const isThere = ({ siteJob, row }: QueuedJob): boolean => {
    const nice = known.get(siteJob)?.nice;
    return nice !== undefined && nice !== null && way * (row.nice - nice.own) > 0;
  };
  const mayMove = (job: QueuedJob): boolean => job.row.state === "waiting" && !isThere(job);
  const jobs = asked.filter(mayMove);
  const moved = new Set(jobs.map(({ siteJob }) => siteJob));
  const others = queue.filter((job) => mayMove(job) && !moved.has(job.siteJob));
  const by = distance(jobs.map(priorityOf), others.map(priorityOf), way);
  if (by <= 0) return [];
  return jobs.map((job) => {
    const nice = job.row.nice + way * by;
    return { job, nice: Math.max(-LARGEST_NICE, Math.min(LARGEST_NICE, nice)) };
  });
}

/** How far all of them have to go so that the last of them has passed the others. */
function distance(own: readonly number[], others: readonly number[], way: -1 | 1): number {
  const farthest = (values: readonly number[], isLarge: boolean): number =>
    values.reduce((a, b) => (a > b === isLarge ? a : b), isLarge ? 0 : Number.POSITIVE_INFINITY);
  if (own.length === 0 || others.length === 0) return 0;
  if (way < 0) return farthest(others, true) - farthest(own, false) + 1;
  return farthest(own, true) - farthest(others, false) + 1;
}

function priorityOf({ row }: QueuedJob): number {
  return row.priority ?? 0;
}
