/** Carries out an order in the queue. An order that does not apply to the job's state changes nothing. */
import { assert } from "../../base/index.ts";
import { hold, jobState, release, resume, suspend } from "../../queue/index.ts";
import type { SiteVerb } from "../../runtime/index.ts";
import { isLeased } from "./lease.ts";
import { endOf, leave, recordEffect, recordEnd } from "./leaving.ts";
import { isStranded } from "./reservations.ts";
import { type Cluster, type ClusterJob, queueOf } from "./simulated-cluster.ts";

/** Carries out `verb` on one of our jobs; a job that enters at this instant is marked `arriving`. */
export function executeVerb(cluster: Cluster, job: ClusterJob, verb: SiteVerb, atMs: number): void {
  if (verb === "cancel") {
    cancelJob(cluster, job, atMs);
    return;
  }
  if (isLeased(job) && (verb === "hold" || verb === "release")) {
    job.isHeldByOwner = verb === "hold";
    return;
  }
  if (job.outside !== null) {
    if (verb === "release" && job.outside === "held" && !isStranded(cluster, job)) job.outside = "arriving";
    if (verb === "hold" && job.outside === "arriving") job.outside = "held";
    return;
  }
  const { machine } = queueOf(cluster, job);
  if (verb === "hold") hold(machine, job.handle, atMs);
  if (verb === "release") release(machine, job.handle, atMs);
  if (verb === "resume") resumeJob(cluster, job, atMs);
  if (verb === "suspend") suspendJob(cluster, job, atMs);
}

/** Cancels a job: one with a program ends with the program, others at once. */
function cancelJob(cluster: Cluster, job: ClusterJob, atMs: number): void {
  if (job.own?.imitatedMs === null && job.turnAtMs !== null) {
    if (job.isCancelling) return;
    job.isCancelling = true;
    recordEffect(cluster, job, "cancel");
    return;
  }
  recordEnd(cluster, job, atMs, endOf("cancelled"));
  leave(cluster, job, atMs);
}

/** Resumes a suspended job when there are free resources, whichever order suspended it. */
export function resumeJob(cluster: Cluster, job: ClusterJob, atMs: number): void {
  resume(queueOf(cluster, job).machine, job.handle, atMs);
  job.isStopped = false;
}

/** Suspends a running job; the rest of its time remains. */
export function suspendJob(cluster: Cluster, job: ClusterJob, atMs: number): void {
  const { machine } = queueOf(cluster, job);
  if (machine.jobs.state[job.handle] !== jobState.running) return;
  suspend(machine, job.handle, atMs);
  assert(job.endMs !== null, "what runs has an end");
  job.wholeMs ??= job.restMs;
  job.restMs = job.endMs - atMs;
  job.endMs = null;
  recordEffect(cluster, job, "suspend");
}
