/**
 * How a job leaves a cluster, and what is told about it.
 */
import type { AttemptEnd } from "../../model/index.ts";
import { cancel } from "../../queue/index.ts";
import { type Cluster, type ClusterJob, type ProgramEffect, queueOf } from "./simulated-cluster.ts";

/** An end of this cause with nothing more to say. */
export function endOf(cause: AttemptEnd["cause"]): AttemptEnd {
  return { cause, exitCode: null, signal: null, cpuMs: null, detail: null };
}

/** Notes an end for the surveys. */
export function tellEnd(cluster: Cluster, job: ClusterJob, endedAtMs: number, end: AttemptEnd): void {
  if (job.own === null) return;
  const { siteJob, startedAtMs } = job;
  cluster.ended.push({ token: job.own.token, siteJob, startedAtMs, endedAtMs, end });
}

/** Notes what is to be done to the program of a job, where it has one. */
export function tellEffect(cluster: Cluster, job: ClusterJob, kind: ProgramEffect["kind"]): void {
  if (job.own === null || job.own.imitatedMs !== null) return;
  cluster.effects.push({ kind, siteJob: job.siteJob, token: job.own.token });
}

/** Takes a job away; its id may be used again. */
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
