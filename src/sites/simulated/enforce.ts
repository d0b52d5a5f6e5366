/**
 * Orders of an enforcer at a simulated cluster, for jobs of any user: the effect of each on a job, and the
 * jobs to which it does not apply.
 */
import { cancel, jobState } from "../../queue/index.ts";
import type { EnforcementAnswer, EnforcementOrder } from "../../runtime/index.ts";
import { resumeJob, suspendJob } from "./execute-verb.ts";
import { beginLease, endLease, isLeased, isWaiting } from "./lease.ts";
import {
  type Cluster,
  type ClusterInput,
  type ClusterJob,
  type EnforcedId,
  queueOf,
} from "./simulated-cluster.ts";

/** An accepted order of an enforcer that has not taken effect. */
export type EnforcedChange = Extract<ClusterInput, { readonly kind: "enforced" }>;

/** True while an effect of an enforcer is not undone. */
export function hasEnforced({ jobs }: Cluster): boolean {
  for (const job of jobs.values()) if (isLeased(job) || job.isStopped === true) return true;
  return false;
}

/** Splits the jobs of an order into those to which it applies and those to which it does not. */
export function split(
  cluster: Cluster,
  { verb, siteJobs }: EnforcementOrder,
): { readonly jobs: readonly EnforcedId[]; readonly refused: EnforcementAnswer["refused"] } {
  const jobs: EnforcedId[] = [];
  const refused: EnforcementAnswer["refused"][number][] = [];
  for (const siteJob of new Set(siteJobs)) {
    const job = cluster.jobs.get(Number(siteJob));
    if (job === undefined || String(job.siteJob) !== siteJob) continue;
    const why = whyNever(cluster, job, verb);
    if (why !== undefined) refused.push({ siteJob, ...why });
    else jobs.push({ siteJob: job.siteJob, submittedAtMs: job.submittedAtMs });
  }
  return { jobs, refused };
}

function whyNever(
  cluster: Cluster,
  job: ClusterJob,
  verb: EnforcementOrder["verb"],
): Omit<EnforcementAnswer["refused"][number], "siteJob"> | undefined {
  if (verb === "raise" || verb === "lower") {
    const isMeant = isWaiting(cluster, job) || isLeased(job);
    return isMeant ? { why: "a simulated site has no priorities", about: "right" } : undefined;
  }
  const isProgram = job.own !== null && job.own.imitatedMs === null;
  if (verb !== "requeue" || !isProgram || !isStarted(cluster, job)) return undefined;
  return { why: "its program has already been started, and is started only once" };
}

/** Carries out an order on one job; returns the end of a new lease. */
export function enforceOn(
  cluster: Cluster,
  job: ClusterJob,
  { verb, untilMs }: Pick<EnforcedChange, "verb" | "untilMs">,
  atMs: number,
): number | undefined {
  switch (verb) {
    case "hold":
      return untilMs > atMs && beginLease(cluster, job, untilMs, atMs) ? untilMs : undefined;
    case "release":
      endLease(cluster, job, atMs);
      return undefined;
    case "suspend":
      if (isStarted(cluster, job) && job.startedAtMs !== null && job.endMs !== null) {
        suspendJob(cluster, job, atMs);
        job.isStopped = true;
      }
      return undefined;
    case "resume":
      if (job.isStopped === true) resumeJob(cluster, job, atMs);
      return undefined;
    case "requeue":
      requeue(cluster, job, atMs);
      return undefined;
    case "raise":
    case "lower":
      return undefined;
  }
}

/** Puts a job at the end of the queue; its next run takes its whole time. */
function requeue(cluster: Cluster, job: ClusterJob, atMs: number): void {
  if (!isStarted(cluster, job) || job.own?.imitatedMs === null) return;
  const { machine, byHandle } = queueOf(cluster, job);
  cancel(machine, job.handle, atMs);
  byHandle[job.handle] = undefined;
  job.handle = -1;
  job.outside = "arriving";
  job.restMs = job.wholeMs ?? job.restMs;
  job.endMs = null;
  job.startedAtMs = null;
  job.turnAtMs = null;
  job.isStopped = false;
}

/** True for a running or suspended job. */
function isStarted(cluster: Cluster, job: ClusterJob): boolean {
  if (job.outside !== null) return false;
  const state = queueOf(cluster, job).machine.jobs.state[job.handle];
  return state === jobState.running || state === jobState.suspended;
}
