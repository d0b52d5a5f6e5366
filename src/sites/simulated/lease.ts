/**
 * A hold with a lease: until its end a waiting job does not start.
 *
 * The lease is part of the cluster's state, so it ends on time without the enforcer. A hold of the job's
 * owner stays when the lease ends.
 */
import { hold, jobState, release } from "../../queue/index.ts";
import { isStranded } from "./reservations.ts";
import { type Cluster, type ClusterJob, queueOf } from "./simulated-cluster.ts";

/** True while an enforcer holds the job. */
export function isLeased({ leaseUntilMs }: ClusterJob): boolean {
  return leaseUntilMs !== undefined && leaseUntilMs !== null;
}

/** True for a job that waits for its first start and is not held. */
export function isWaiting(cluster: Cluster, job: ClusterJob): boolean {
  if (job.outside !== null) return job.outside === "arriving";
  const isQueued = queueOf(cluster, job).machine.jobs.state[job.handle] === jobState.waiting;
  return isQueued && job.turnAtMs === null;
}

/** Holds a waiting job, or changes the end of its lease; true if the job is now held. */
export function beginLease(cluster: Cluster, job: ClusterJob, untilMs: number, atMs: number): boolean {
  if (!isLeased(job)) {
    if (!isWaiting(cluster, job)) return false;
    if (job.outside === "arriving") job.outside = "held";
    else hold(queueOf(cluster, job).machine, job.handle, atMs);
  }
  job.leaseUntilMs = untilMs;
  return true;
}

/** Ends the hold of an enforcer; a job that is not in the queue yet is marked `arriving`. */
export function endLease(cluster: Cluster, job: ClusterJob, atMs: number): void {
  if (!isLeased(job)) return;
  job.leaseUntilMs = null;
  const isHeld = job.isHeldByOwner === true || isStranded(cluster, job);
  job.isHeldByOwner = false;
  if (isHeld) return;
  if (job.outside === "held") job.outside = "arriving";
  else if (job.outside === null) release(queueOf(cluster, job).machine, job.handle, atMs);
}
