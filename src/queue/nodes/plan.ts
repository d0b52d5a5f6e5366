/**
 * Conservative backfilling where tasks must lie on nodes: every waiting job has a place (rule QU-32).
 *
 * Stands beside the nodes of a site as they are now (`site.ts`) and knows what will be on them. A
 * compression is equivalent to QU-4 carried out for every waiting job; it differs for speed in this way:
 * who was at his earliest start when he was last looked at can only move to where something came free
 * since, and for each pool one interval holds all of that. A job that was stopped and re-enters is placed
 * after everything else at the instant, before the compression.
 * Cost: O(steps × nodes × resources) for each job that is placed or looked at.
 */
import { assert } from "../../base/index.ts";
import { type FreedInterval, noteFreed, nothingFreed } from "../machine.ts";
import type { NodeQueue } from "./choose.ts";
import { createNodeCourse, forgetPast, type NodeCourse, type NodeOutage, takeOffCourse } from "./course.ts";
import { loseNode, type ReservationHit } from "./reserved.ts";
import { layDown, type NodeJob, type NodeSite } from "./site.ts";
import {
  changeRectangle,
  earliestPlaceOnNodes,
  hasRoom,
  mayBeginEarlier,
  type NodePlace,
  type NodeRectangle,
} from "./timeline.ts";

/** The disciplines that promise every job a start. */
export type PlannedNodeDiscipline = "conservative" | "repack";

/** A waiting job with its place. */
interface Planned extends NodeRectangle {
  readonly job: NodeJob;
}

/** Present and future use of the nodes of a site, with the places of the waiting jobs. */
export interface NodePlan extends NodeCourse {
  readonly discipline: PlannedNodeDiscipline;
  /** Waiting jobs by the machine's handle. */
  readonly planned: Map<number, Planned>;
  /** By pool: interval of the capacity released since all jobs were last tested. */
  freed: FreedInterval[];
  /** True where capacity became available earlier than planned since then. */
  hasFreed: boolean;
}

/** Waiting jobs in queue order; those that arrive at this instant come last. */
export interface PlannedQueue extends NodeQueue {
  readonly isComing: (handle: number) => boolean;
}

/** The plan of a site on which nothing is yet. */
export function createNodePlan(site: NodeSite, discipline: PlannedNodeDiscipline): NodePlan {
  return {
    ...createNodeCourse(site),
    discipline,
    planned: new Map(),
    freed: site.pools.map(nothingFreed),
    hasFreed: false,
  };
}

/**
 * Follows all other changes of an instant: gives places to waiting jobs without one, compresses if capacity
 * was released, and puts the jobs that start now onto nodes.
 *
 * @returns the handles of the jobs that start, in queue order
 */
export function startPlanned(plan: NodePlan, queue: PlannedQueue, nowMs: number): readonly number[] {
  const { waiting, isComing } = queue;
  forgetPast(plan, nowMs);
  const place = (handle: number) => {
    if (!plan.planned.has(handle)) promise(plan, handle, queue.jobOf(handle), nowMs);
  };
  const there = waiting.filter((handle) => !isComing(handle));
  there.forEach(place);
  if (plan.hasFreed) {
    if (plan.discipline === "repack") repack(plan, there, nowMs);
    else compress(plan, there, nowMs);
    plan.hasFreed = false;
  }
  waiting.forEach(place);
  const starting = waiting.filter((handle) => plannedOf(plan, handle).fromMs === nowMs);
  for (const handle of starting) {
    const { job, shares } = plannedOf(plan, handle);
    plan.planned.delete(handle);
    layDown(plan.site, handle, job, { shares, nowMs });
  }
  return starting;
}

/** The promised start of a waiting job. */
export function promisedStart(plan: NodePlan, handle: number): number | undefined {
  return plan.planned.get(handle)?.fromMs;
}

/** The next promised start, or Infinity. Cost: O(waiting). */
export function nextPlannedOnNodes({ planned }: NodePlan): number {
  let nextMs = Number.POSITIVE_INFINITY;
  for (const { fromMs } of planned.values()) nextMs = Math.min(nextMs, fromMs);
  return nextMs;
}

/** Takes a job that runs no more off its nodes; it may have ended earlier than planned. */
export function endPlanned(plan: NodePlan, handle: number, nowMs: number): void {
  const { pool, rest } = takeOffCourse(plan, handle, nowMs);
  noteFree(plan, pool, rest);
}

/** A waiting job goes away. */
export function leavePlanned(plan: NodePlan, handle: number): void {
  const planned = plan.planned.get(handle);
  if (planned === undefined) return;
  plan.planned.delete(handle);
  changeRectangle(plan.timelines[planned.job.pool], planned, 1);
  noteFree(plan, planned.job.pool, planned);
}

/**
 * A node on which nothing runs any more goes down; what is reserved there moves, and waiting jobs are
 * displaced, in queue order.
 */
export function takePlannedNodeDown(
  plan: NodePlan,
  outage: NodeOutage,
  { waiting, nowMs }: { readonly waiting: readonly number[]; readonly nowMs: number },
): readonly ReservationHit[] {
  const { pool } = outage;
  const timeline = plan.timelines[pool];
  forgetPast(plan, nowMs);
  const here = waiting.filter((handle) => plan.planned.get(handle)?.job.pool === pool);
  for (const handle of here) changeRectangle(timeline, plannedOf(plan, handle), 1);
  const hits = loseNode(plan, outage, nowMs);
  for (const { moved, endMs } of hits) {
    if (moved.length > 0) noteFree(plan, pool, { fromMs: outage.untilMs, untilMs: endMs });
  }
  for (const handle of here) putBack(plan, handle, nowMs);
  return hits;
}

function putBack(plan: NodePlan, handle: number, nowMs: number): void {
  const planned = plannedOf(plan, handle);
  const timeline = plan.timelines[planned.job.pool];
  if (hasRoom(timeline, planned)) {
    changeRectangle(timeline, planned, -1);
    return;
  }
  noteFreed(plan.freed, planned.job.pool, planned.fromMs, planned.untilMs);
  promise(plan, handle, planned.job, nowMs);
}

/** A time of a pool that was taken is free now, if there is anything of it. */
function noteFree(
  plan: NodePlan,
  pool: number,
  { fromMs, untilMs }: Pick<NodeRectangle, "fromMs" | "untilMs">,
): void {
  if (untilMs <= fromMs) return;
  noteFreed(plan.freed, pool, fromMs, untilMs);
  plan.hasFreed = true;
}

function promise(plan: NodePlan, handle: number, job: NodeJob, nowMs: number): void {
  const searched = { fromMs: nowMs, beforeMs: Number.POSITIVE_INFINITY };
  const place = earliestPlaceOnNodes(plan.timelines[job.pool], job.shape, job.estimateMs, searched);
  assert(place !== undefined, "a job that fits the nodes of its pool when empty fits some day");
  putAt(plan, handle, job, place);
}

function putAt(plan: NodePlan, handle: number, job: NodeJob, { startMs, shares }: NodePlace): void {
  const untilMs = startMs + job.estimateMs;
  const planned = { job, shares, perTask: job.shape.perTask, fromMs: startMs, untilMs };
  plan.planned.set(handle, planned);
  changeRectangle(plan.timelines[job.pool], planned, -1);
}

/** One compression; see the header. */
function compress(plan: NodePlan, handles: readonly number[], nowMs: number): void {
  const untried = plan.freed;
  plan.freed = untried.map(nothingFreed);
  for (const handle of handles) {
    const planned = plannedOf(plan, handle);
    const { pool, shape, estimateMs } = planned.job;
    const { fromMs, beforeMs } = untried[pool];
    const searched = {
      fromMs: Math.max(nowMs, fromMs - estimateMs + 1),
      beforeMs: Math.min(planned.fromMs, beforeMs),
    };
    if (searched.fromMs >= searched.beforeMs) continue;
    const timeline = plan.timelines[pool];
    if (!mayBeginEarlier(timeline, planned, searched)) continue;
    changeRectangle(timeline, planned, 1);
    const place = earliestPlaceOnNodes(timeline, shape, estimateMs, searched);
    if (place === undefined) {
      changeRectangle(timeline, planned, -1);
      continue;
    }
    putAt(plan, handle, planned.job, place);
    noteFreed(untried, pool, planned.fromMs, planned.untilMs);
    noteFreed(plan.freed, pool, planned.fromMs, planned.untilMs);
  }
}

/** Forgets all places and gives every waiting job its earliest, in queue order (rule QU-5). */
function repack(plan: NodePlan, handles: readonly number[], nowMs: number): void {
  for (const handle of handles) {
    const planned = plannedOf(plan, handle);
    changeRectangle(plan.timelines[planned.job.pool], planned, 1);
  }
  plan.freed = plan.freed.map(nothingFreed);
  for (const handle of handles) promise(plan, handle, plannedOf(plan, handle).job, nowMs);
}

function plannedOf({ planned }: NodePlan, handle: number): Planned {
  const it = planned.get(handle);
  assert(it !== undefined, "whoever waits has a place");
  return it;
}
