/**
 * The state after a restart, from the records of what is not over, without reading history.
 */
import { assert } from "../base/index.ts";
import type { JobRecord, ManagedSiteSpec, TokenRecord } from "../model/index.ts";
import { adopt, type FoundJob } from "../queue/index.ts";
import { effectiveState } from "./answer.ts";
import { createProjection, type Projection, plannedNeedOf, siteOf } from "./projection.ts";
import { createSiteQueue } from "./site-queue.ts";

/** What the views hold of the state. */
export interface StoredState {
  /** In the order in which they were added. */
  readonly sites: readonly { readonly name: string; readonly spec: ManagedSiteSpec }[];
  /** Jobs that are not over, in any order. */
  readonly jobs: readonly JobRecord[];
  /** How many jobs were ever accepted. */
  readonly accepted: number;
  readonly tokens: readonly TokenRecord[];
}

/** Builds the state from stored records; no event is needed and none is made. */
export function restore({ sites, jobs, accepted, tokens }: StoredState, nowMs: number): Projection {
  const projection = createProjection();
  projection.accepted = accepted;
  for (const token of tokens) projection.tokens.set(token.id, token);
  for (const { name, spec } of sites) {
    const queue = createSiteQueue([spec.procs, spec.memoryBytes], spec.discipline, nowMs);
    projection.sites.set(name, { name, spec, queue });
    projection.unsettled.add(name);
  }
  const inOrder = [...jobs].sort((a, b) => a.order - b.order);
  for (const job of inOrder) {
    projection.jobs.set(job.id, job);
    if (job.site === null && job.state === "WAITING") projection.unplaced.add(job.id);
  }
  const placed = inOrder.filter(({ site }) => site !== null);
  const isRunning = (job: JobRecord): boolean => effectiveState(job) === "RUNNING";
  for (const job of placed.filter(isRunning)) takeOver(projection, job, nowMs);
  for (const job of placed.filter((job) => !isRunning(job))) takeOver(projection, job, nowMs);
  return projection;
}

/** Puts a job back into the queue of its site. One beyond its planned end no longer uses it (EN-10). */
function takeOver(projection: Projection, job: JobRecord, nowMs: number): void {
  const { queue, spec } = siteOf(projection, job.site ?? "");
  const planned = { ...plannedNeedOf(job, spec), arrivedAtMs: job.submittedAtMs };
  const found = foundJob(job, planned);
  if (found.state === "running" && found.startMs + planned.estimateMs <= nowMs) return;
  const handle = adopt(queue.machine, found);
  queue.handleOf.set(job.id, handle);
  queue.jobOf.set(handle, job.id);
  if (found.state === "running") queue.running.add(job.id);
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
