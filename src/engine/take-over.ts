/**
 * Jobs that are at a managed site already, put into a new queue: after a restart, or when the site changed.
 */
import { assert } from "../base/index.ts";
import type { JobRecord } from "../model/index.ts";
import { adopt, type FoundJob, fitsBeside, type NamedQueue } from "../queue/index.ts";
import { effectiveState } from "./effective-state.ts";
import { takeRoom } from "./features/reservations/apply-reservation.ts";
import { heldAt, markUnsettled, queueOf, type ReservedState } from "./state/reserved.ts";
import { plannedNeedOf, type SiteState } from "./state/site-state.ts";

/** The jobs that are at a site. */
export function jobsAt({ jobs }: Pick<ReservedState, "jobs">, site: string): readonly JobRecord[] {
  return [...jobs.values()].filter((job) => job.site === site);
}

/**
 * Puts the jobs and the reservations of a managed site back into its queue: those that run first, then the
 * reservations, then who waits. Jobs of a reservation go into its room.
 *
 * @param there the jobs that are at the site
 */
export function takeOverAll(
  state: ReservedState,
  site: SiteState,
  there: readonly JobRecord[],
  nowMs: number,
): void {
  const { reserved } = state;
  const records = heldAt(reserved, site.name);
  const inOrder = [...there].sort((a, b) => a.order - b.order);
  const isRunning = (job: JobRecord): boolean => effectiveState(job) === "RUNNING";
  const isInRoom = ({ description }: JobRecord): boolean =>
    description.reservation !== undefined && reserved.records.has(description.reservation);
  const outside = inOrder.filter((job) => !isInRoom(job));
  for (const job of outside.filter(isRunning)) takeOver(site.queue, site, job, nowMs);
  for (const record of records) takeRoom(state, site, record, nowMs);
  for (const job of outside.filter((job) => !isRunning(job))) takeOver(site.queue, site, job, nowMs);
  const inside = inOrder.filter(isInRoom);
  for (const job of [...inside.filter(isRunning), ...inside.filter((it) => !isRunning(it))]) {
    takeOver(queueOf(state, job), site, job, nowMs);
    markUnsettled(state, job);
  }
  state.unsettled.add(site.name);
}

/**
 * One beyond its planned end no longer uses the site (EN-10). Neither does one for which there is no room:
 * an older broker could start too many when its machine had slept for longer than jobs take.
 */
function takeOver(queue: NamedQueue, { spec }: SiteState, job: JobRecord, nowMs: number): void {
  const planned = { ...plannedNeedOf(job, spec), arrivedAtMs: job.submittedAtMs };
  const found = foundJob(job, planned);
  if (found.state === "running" && found.startMs + planned.estimateMs <= nowMs) return;
  if (found.state === "running" && !fitsBeside(queue.machine, found)) return;
  putInto(queue, job.id, found);
}

/** Adds an existing job to a queue under its name. */
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
      return { ...planned, state: job.enforced?.isHeld === true ? "held" : "waiting" };
  }
}
