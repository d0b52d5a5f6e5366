/**
 * Present and future use of the nodes of a site: running jobs and outages until their ends, reservations.
 *
 * Stands beside the nodes as they are now (`site.ts`) and keeps their timelines true. Under conservative and
 * repack the plan (`plan.ts`) adds the places of those who wait.
 */
import { assert } from "../../base/index.ts";
import type { NodeShare, TaskShape } from "./fit.ts";
import { layDown, type NodeJob, type NodeSite, takeNodeDown, takeOff } from "./site.ts";
import {
  changeRectangle,
  emptyTimeline,
  forgetBefore,
  type NodeRectangle,
  type NodeTimeline,
} from "./timeline.ts";

/** Tasks of a reservation on one node, from when until when. */
export interface ReservedPart extends NodeRectangle {
  readonly reservation: number;
  readonly pool: number;
  readonly shape: TaskShape;
  readonly share: NodeShare;
}

/** Present and future use of the nodes of a site. */
export interface NodeCourse {
  readonly site: NodeSite;
  readonly timelines: readonly NodeTimeline[];
  /** Parts of reservations that are not over, in the order in which they were placed. */
  reserved: readonly ReservedPart[];
}

/** A node goes down, from now on until it is back. */
export interface NodeOutage {
  readonly pool: number;
  readonly node: number;
  readonly untilMs: number;
}

/** The course of a site without jobs, outages and reservations. */
export function createNodeCourse(site: NodeSite): NodeCourse {
  const timelines = site.pools.map(({ nodes, perNode }) => emptyTimeline(nodes, perNode));
  return { site, timelines, reserved: [] };
}

/** Forgets what is over. */
export function forgetPast(course: NodeCourse, nowMs: number): void {
  for (const timeline of course.timelines) forgetBefore(timeline, nowMs);
  if (course.reserved.some(({ untilMs }) => untilMs <= nowMs)) {
    course.reserved = course.reserved.filter(({ untilMs }) => untilMs > nowMs);
  }
}

/** Puts a job that starts now onto its nodes. */
export function layOnCourse(
  course: NodeCourse,
  handle: number,
  job: NodeJob,
  on: { readonly shares: readonly NodeShare[]; readonly nowMs: number },
): void {
  layDown(course.site, handle, job, on);
  const { perTask } = job.shape;
  const untilMs = on.nowMs + job.estimateMs;
  changeRectangle(course.timelines[job.pool], { shares: on.shares, perTask, fromMs: on.nowMs, untilMs }, -1);
}

/** Takes a job that runs no more off its nodes; gives what of its time was still to come, in which pool. */
export function takeOffCourse(
  course: NodeCourse,
  handle: number,
  nowMs: number,
): { readonly pool: number; readonly rest: NodeRectangle } {
  const lying = course.site.running.get(handle);
  assert(lying !== undefined, "a job that ends lies on nodes");
  takeOff(course.site, handle);
  const rest = { ...lying, fromMs: nowMs };
  changeRectangle(course.timelines[lying.pool], rest, 1);
  return { pool: lying.pool, rest };
}

/** Takes a node down on which nothing runs or is reserved any more. */
export function takeDownOnCourse(course: NodeCourse, outage: NodeOutage, nowMs: number): void {
  const { pool, node, untilMs } = outage;
  takeNodeDown(course.site, outage);
  const { perNode } = course.site.pools[pool];
  const shares = [{ node, tasks: 1 }];
  changeRectangle(course.timelines[pool], { shares, perTask: perNode, fromMs: nowMs, untilMs }, -1);
}
