/** Removal of a job from a cluster, and the reports about it. */
import type { AttemptEnd } from "../../model/index.ts";
import { cancel } from "../../queue/index.ts";
import { type Cluster, type ClusterJob, type ProgramEffect, queueOf } from "./simulated-cluster.ts";

/** An end with this cause and no other details. */
export function endOf(cause: AttemptEnd["cause"]): AttemptEnd {
  return { cause, exitCode: null, signal: null, cpuMs: null, detail: null };
}

/** Records an end for the surveys. */
export function recordEnd(cluster: Cluster, job: ClusterJob, endedAtMs: number, end: AttemptEnd): void {
  if (job.own === null) return;
  const { siteJob, startedAtMs } = job;
  cluster.ended.push({ token: job.own.token, siteJob, startedAtMs, endedAtMs, end });
}

/** Records an effect on the program of a job, if it has one. */
export function recordEffect(cluster: Cluster, job: ClusterJob, kind: ProgramEffect["kind"]): void {
  if (job.own === null || job.own.imitatedMs !== null) return;
  cluster.effects.push({ kind, siteJob: job.siteJob, token: job.own.token });
}

/** Removes a job; its id may be used again. */
export function leave(cluster: Cluster, job: ClusterJob, atMs: number): void {
  if (job.handle >= 0) {
    const { machine, byHandle } = queueOf(cluster, job);
    cancel(machine, job.handle, atMs);
    byHandle[job.handle] = undefined;
    job.handle = -1;
  }
  job.outside = null;
  job.endMs = null;
  cluster.jobs.delete(job.siteJob);
}
