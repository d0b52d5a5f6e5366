/**
 * A hold that ends by itself: until its instant a job that waits does not start.
 *
 * The cluster keeps it in its own state, so that it is over in time whatever became of who ordered it. What
 * its owner holds stays held when it is over.
 */
import { hold, jobState, release } from "../../queue/index.ts";
import { isStranded } from "./reservations.ts";
import { type Cluster, type ClusterJob, queueOf } from "./simulated-cluster.ts";

/** Whether an enforcer holds a job. */
export function isLeased({ leaseUntilMs }: ClusterJob): boolean {
  return leaseUntilMs !== undefined && leaseUntilMs !== null;
}

/** Whether a job waits for its first start, and nobody holds it. */
export function isWaiting(cluster: Cluster, job: ClusterJob): boolean {
  if (job.outside !== null) return job.outside === "arriving";
  const isQueued = queueOf(cluster, job).machine.jobs.state[job.handle] === jobState.waiting;
  return isQueued && job.turnAtMs === null;
}

/** Holds a job that waits, or holds it longer or shorter; gives whether it is held now. */
export function beginLease(cluster: Cluster, job: ClusterJob, untilMs: number, atMs: number): boolean {
  if (!isLeased(job)) {
    if (!isWaiting(cluster, job)) return false;
    if (job.outside === "arriving") job.outside = "held";
    else hold(queueOf(cluster, job).machine, job.handle, atMs);
  }
  job.leaseUntilMs = untilMs;
  return true;
}

/** Lets a job go that is held so; one that has not come to the queue yet is left as `arriving`. */
export function endLease(cluster: Cluster, job: ClusterJob, atMs: number): void {
  if (!isLeased(job)) return;
  job.leaseUntilMs = null;
  const isHeld = job.isHeldByOwner === true || isStranded(cluster, job);
  job.isHeldByOwner = false;
  if (isHeld) return;
  if (job.outside === "held") job.outside = "arriving";
  else if (job.outside === null) release(queueOf(cluster, job).machine, job.handle, atMs);
}
