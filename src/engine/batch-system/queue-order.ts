/**
 * Order of the jobs of a queue, and which of them compete.
 *
 * Partitions of a higher tier first, then the priority, then the smaller id. A job that waits for something
 * of its own is nobody's rival.
 */
import type { ClusterJob } from "../../model/index.ts";
import type { ClusterView } from "./view.ts";

/** True if a job waits only for its turn and for free resources. */
export function isRival(
  { nowMs }: ClusterView,
  { state, waitsFor, eligibleAtMs, priority }: ClusterJob,
): boolean {
  if (state !== "waiting" || priority === 0) return false;
  if (eligibleAtMs !== null && eligibleAtMs > nowMs) return false;
  return waitsFor?.isOwn !== true;
}

/** The highest tier of a job's partitions. */
export function tierOf({ partitions }: ClusterView, job: ClusterJob): number {
  let highest = 0;
  for (const name of job.partitions) highest = Math.max(highest, partitions.get(name)?.priorityTier ?? 1);
  return highest;
}

/** A job with what its place depends on. */
export interface Placed {
  readonly job: ClusterJob;
  readonly tier: number;
}

/** Negative where the first one is before the other. Jobs whose priority is hidden come last. */
export function inOrder(a: Placed, b: Placed): number {
  if (a.tier !== b.tier) return b.tier - a.tier;
  const [ours, theirs] = [a.job.priority ?? -1, b.job.priority ?? -1];
  if (ours !== theirs) return theirs - ours;
  return (
    Number.parseInt(a.job.siteJob, 10) - Number.parseInt(b.job.siteJob, 10) ||
    a.job.submittedAtMs - b.job.submittedAtMs
  );
}
