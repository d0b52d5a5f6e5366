/**
 * Jobs that are at a managed site already, put into a new queue: after a restart, or when the site changed.
 */
import { assert } from "../base/index.ts";
import type { JobRecord } from "../model/index.ts";
import { adopt, type FoundJob, type NamedQueue } from "../queue/index.ts";
import { effectiveState } from "./effective-state.ts";
import { plannedNeedOf, type SiteState } from "./site-state.ts";

/** Puts jobs back into the queue of their site, those that run first. */
export function takeOverAll(site: SiteState, jobs: readonly JobRecord[], nowMs: number): void {
  const inOrder = [...jobs].sort((a, b) => a.order - b.order);
  const isRunning = (job: JobRecord): boolean => effectiveState(job) === "RUNNING";
  for (const job of inOrder.filter(isRunning)) takeOver(site, job, nowMs);
  for (const job of inOrder.filter((job) => !isRunning(job))) takeOver(site, job, nowMs);
}

/** One beyond its planned end no longer uses the site (EN-10). */
function takeOver({ queue, spec }: SiteState, job: JobRecord, nowMs: number): void {
  const planned = { ...plannedNeedOf(job, spec), arrivedAtMs: job.submittedAtMs };
  const found = foundJob(job, planned);
  if (found.state === "running" && found.startMs + planned.estimateMs <= nowMs) return;
  putInto(queue, job.id, found);
}

/** Lets a queue adopt a job under its name. */
export function putInto(queue: NamedQueue, name: string, found: FoundJob): void {
  const handle = adopt(queue.machine, found);
  queue.handleOf.set(name, handle);
  queue.jobOf.set(handle, name);
  if (found.state === "running") queue.running.add(name);
}

function foundJob(job: JobRecord, planned: Omit<FoundJob, "state">): FoundJob {
  switch (effectiveState(job)) {
    case "RUNNING":
      assert(job.startDecidedAtMs !== null, "what runs was decided to start");
      return { ...planned, state: "running", startMs: job.startDecidedAtMs, pool: 0 };
    case "HELD":
      return { ...planned, state: "held" };
    case "SUSPENDED":
      return { ...planned, state: "suspended" };
    default:
      return { ...planned, state: "waiting" };
  }
}
