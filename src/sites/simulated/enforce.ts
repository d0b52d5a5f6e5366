/**
 * An enforcer's orders at a played cluster, for jobs of anybody: what each does to a job, and which jobs
 * cannot have it done.
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

/** What an enforcer ordered, accepted and to take effect. */
export type EnforcedChange = Extract<ClusterInput, { readonly kind: "enforced" }>;

/** Whether there is anything that an enforcer took and has not given back. */
export function hasEnforced({ jobs }: Cluster): boolean {
  for (const job of jobs.values()) if (isLeased(job) || job.isStopped === true) return true;
  return false;
}

/** The jobs of an order that are there and can have it done, and those that cannot. */
export function divided(
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
  if (verb !== "requeue" || !isProgram || !isUp(cluster, job)) return undefined;
  return { why: "its program is begun once" };
}

/** Carries an order out on one job at an instant; gives the end of a lease that is to be watched. */
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
      if (isUp(cluster, job) && job.startedAtMs !== null && job.endMs !== null) {
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

/** Back to the end of the queue; its next run is a whole one. */
function requeue(cluster: Cluster, job: ClusterJob, atMs: number): void {
  if (!isUp(cluster, job) || job.own?.imitatedMs === null) return;
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

/** Whether it runs or is suspended. */
function isUp(cluster: Cluster, job: ClusterJob): boolean {
  if (job.outside !== null) return false;
  const state = queueOf(cluster, job).machine.jobs.state[job.handle];
  return state === jobState.running || state === jobState.suspended;
}
