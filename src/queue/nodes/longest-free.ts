/**
 * The nodes that are free longest: where a reservation goes (rule QU-37).
 *
 * A node that is free longest is the furthest from what takes it next, so that reservations lie apart where
 * they can.
 * Cost: O(steps × nodes × resources).
 */
import { room, type TaskShape } from "./fit.ts";
import { type NodeTimeline, stepOf } from "./timeline.ts";

/** A node that has room for tasks during the whole of a time. */
export interface FreeNode {
  readonly node: number;
  /** Number of tasks of the shape for which the node has room. */
  readonly tasks: number;
  /** Until then it has room for one; Infinity where nothing is known that ends it. */
  readonly freeUntilMs: number;
}

/** The nodes with room from one instant to another, those that have it longest first, then by index. */
export function longestFree(
  timeline: NodeTimeline,
  shape: TaskShape,
  time: { readonly fromMs: number; readonly untilMs: number },
): readonly FreeNode[] {
  const { nodes } = timeline.throughout;
  const free: FreeNode[] = [];
  for (let node = 0; node < nodes; node++) {
    const found = freeFrom(timeline, shape, { ...time, node });
    if (found.freeUntilMs >= time.untilMs) free.push(found);
  }
  return free.sort(longestFirst);
}

function freeFrom(
  timeline: NodeTimeline,
  shape: TaskShape,
  { node, fromMs, untilMs }: { readonly node: number; readonly fromMs: number; readonly untilMs: number },
): FreeNode {
  const { startsMs, steps } = timeline;
  let tasks = Number.POSITIVE_INFINITY;
  for (let step = stepOf(timeline, fromMs); step < steps.length; step++) {
    const here = room(steps[step], node, shape);
    if (here === 0) return { node, tasks, freeUntilMs: startsMs[step] };
    if (startsMs[step] < untilMs) tasks = Math.min(tasks, here);
  }
  return { node, tasks, freeUntilMs: Number.POSITIVE_INFINITY };
}

function longestFirst(one: FreeNode, other: FreeNode): number {
  if (one.freeUntilMs === other.freeUntilMs) return one.node - other.node;
  return one.freeUntilMs > other.freeUntilMs ? -1 : 1;
}
