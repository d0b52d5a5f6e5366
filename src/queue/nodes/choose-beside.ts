/**
 * FCFS and EASY on nodes of which some will be taken: who starts now beside reservations (rule QU-39).
 *
 * The pass is that of `choose.ts`; here a task fits where a node has room for the whole time of its job, and
 * a head can start where its tasks have that from then on.
 * Cost: O(steps × nodes × resources) for each job that is looked at.
 */
import { assert } from "../../base/index.ts";
import { type NodeDiscipline, type NodeQueue, type NodeWays, startInOrder } from "./choose.ts";
import { forgetPast, layOnCourse, type NodeCourse } from "./course.ts";
import type { NodeShare } from "./fit.ts";
import type { NodeJob } from "./site.ts";
import { changeRectangle, earliestPlaceOnNodes, type NodePlace } from "./timeline.ts";

/** Puts the jobs that start now onto their nodes; gives their handles in queue order. */
export function startBesideReserved(
  course: NodeCourse,
  discipline: NodeDiscipline,
  queue: NodeQueue,
  nowMs: number,
): readonly number[] {
  forgetPast(course, nowMs);
  return startInOrder(waysOf(course, nowMs), discipline, queue);
}

function waysOf(course: NodeCourse, nowMs: number): NodeWays {
  return {
    sharesNow: (job) => placeAt(course, job, nowMs)?.shares,
    lay: (handle, job, shares) => layOnCourse(course, handle, job, { shares, nowMs }),
    headOf: (head) => {
      const { startMs } = placeFrom(course, head, nowMs);
      return (job, shares) => leavesRoom(course, { head, startMs }, { job, shares }, nowMs);
    },
  };
}

function placeFrom(
  { timelines }: NodeCourse,
  { pool, shape, estimateMs }: NodeJob,
  fromMs: number,
): NodePlace {
  const searched = { fromMs, beforeMs: Number.POSITIVE_INFINITY };
  const place = earliestPlaceOnNodes(timelines[pool], shape, estimateMs, searched);
  assert(place !== undefined, "a job that fits the nodes of its pool when empty fits some day");
  return place;
}

function placeAt({ timelines }: NodeCourse, job: NodeJob, atMs: number): NodePlace | undefined {
  const searched = { fromMs: atMs, beforeMs: atMs + 1 };
  return earliestPlaceOnNodes(timelines[job.pool], job.shape, job.estimateMs, searched);
}

/** True where the head can still start at its promised time if a job runs on these nodes from now on. */
function leavesRoom(
  course: NodeCourse,
  { head, startMs }: { readonly head: NodeJob; readonly startMs: number },
  { job, shares }: { readonly job: NodeJob; readonly shares: readonly NodeShare[] },
  nowMs: number,
): boolean {
  const untilMs = nowMs + job.estimateMs;
  if (untilMs <= startMs) return true;
  const rectangle = { shares, perTask: job.shape.perTask, fromMs: nowMs, untilMs };
  changeRectangle(course.timelines[job.pool], rectangle, -1);
  const isFree = placeAt(course, head, startMs) !== undefined;
  changeRectangle(course.timelines[job.pool], rectangle, 1);
  return isFree;
}
