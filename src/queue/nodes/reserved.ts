/**
 * Reservations on nodes: making them, and what an outage of a node does to them (rules QU-37 to QU-40).
 *
 * Tasks on a failed node move, as many as find room for the rest of the time on nodes below the
 * reservation's maximum per node; reservations that begin first move first, ties in the order in which
 * they were made. Other tasks stay. What a moved task leaves behind after the outage is an early release.
 *
 * A reservation lies in parts, each so many of its tasks on one node. Who waits is no matter here: where
 * the discipline promises places, the plan takes them out before and puts them back after.
 */
import {
  forgetPast,
  type NodeCourse,
  type NodeOutage,
  type ReservedPart,
  takeDownOnCourse,
} from "./course.ts";
import type { NodeShare, TaskShape } from "./fit.ts";
import { longestFree } from "./longest-free.ts";
import { changeRectangle } from "./timeline.ts";

/** A reservation to be made on nodes of a pool. */
export interface NodeRequest {
  readonly pool: number;
  readonly shape: TaskShape;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Effect of the outage of a node on the tasks that a reservation has there. */
export interface ReservationHit {
  readonly reservation: number;
  readonly pool: number;
  readonly perTask: readonly number[];
  /** Nodes to which tasks were moved. */
  readonly moved: readonly NodeShare[];
  /** Number of tasks without a node between the two instants below. */
  readonly missing: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** The end of the reservation: what moved left the node free from the end of the outage until then. */
  readonly endMs: number;
}

/**
 * Makes a reservation, on the nodes that are free longest.
 *
 * @returns how many of its tasks find no node; where that is not 0, nothing has changed
 */
export function reserveOnNodes(course: NodeCourse, reservation: number, request: NodeRequest): number {
  const parts = partsFor(course, { ...request, reservation }, request.shape.tasks);
  const missing = request.shape.tasks - tasksOf(parts);
  if (missing === 0) layParts(course, parts);
  return missing;
}

/** When next something reserved is over, or Infinity. */
export function nextReservedEnd({ reserved }: NodeCourse): number {
  return reserved.reduce((first, { untilMs }) => Math.min(first, untilMs), Number.POSITIVE_INFINITY);
}

/** A node goes down on which nothing runs any more; what is reserved there moves, or is missing. */
export function loseNode(course: NodeCourse, outage: NodeOutage, nowMs: number): readonly ReservationHit[] {
  forgetPast(course, nowMs);
  const { pool, node, untilMs } = outage;
  const isHit = (part: ReservedPart) =>
    part.pool === pool && part.share.node === node && part.fromMs < untilMs && part.untilMs > nowMs;
  const hit = course.reserved.filter(isHit);
  course.reserved = course.reserved.filter((part) => !isHit(part));
  for (const part of hit) changeRectangle(course.timelines[pool], part, 1);
  takeDownOnCourse(course, outage, nowMs);
  const inOrder = hit.toSorted((one, other) => one.fromMs - other.fromMs);
  return inOrder.map((part) => moveAway(course, part, outage, nowMs));
}

function moveAway(course: NodeCourse, part: ReservedPart, outage: NodeOutage, nowMs: number): ReservationHit {
  const fromMs = Math.max(nowMs, part.fromMs);
  const parts = partsFor(course, { ...part, fromMs }, part.share.tasks);
  layParts(course, parts);
  const missing = part.share.tasks - tasksOf(parts);
  if (missing > 0 && part.untilMs > outage.untilMs) {
    layParts(course, [partOf({ ...part, fromMs: outage.untilMs }, { node: outage.node, tasks: missing })]);
  }
  return {
    ...{ reservation: part.reservation, pool: part.pool, perTask: part.perTask },
    moved: parts.map(({ share }) => share),
    ...{ missing, fromMs, untilMs: Math.min(part.untilMs, outage.untilMs) },
    endMs: part.untilMs,
  };
}

type Wanted = NodeRequest & Pick<ReservedPart, "reservation">;

/** Parts for as many of the wanted tasks as find room. */
function partsFor({ timelines, reserved }: NodeCourse, wanted: Wanted, tasks: number): ReservedPart[] {
  const { reservation, pool, shape } = wanted;
  const own = reserved.filter((part) => part.reservation === reservation);
  const parts: ReservedPart[] = [];
  let left = tasks;
  for (const free of longestFree(timelines[pool], shape, wanted)) {
    const there = tasksOf(own.filter(({ share }) => share.node === free.node));
    const here = Math.min(left, free.tasks, shape.mostPerNode - there);
    if (here > 0) parts.push(partOf(wanted, { node: free.node, tasks: here }));
    left -= Math.max(0, here);
  }
  return parts;
}

function partOf({ reservation, pool, shape, fromMs, untilMs }: Wanted, share: NodeShare): ReservedPart {
  return { reservation, pool, shape, share, shares: [share], perTask: shape.perTask, fromMs, untilMs };
}

function layParts(course: NodeCourse, parts: readonly ReservedPart[]): void {
  for (const part of parts) changeRectangle(course.timelines[part.pool], part, -1);
  course.reserved = [...course.reserved, ...parts];
}

function tasksOf(parts: readonly ReservedPart[]): number {
  return parts.reduce((sum, { share }) => sum + share.tasks, 0);
}
