/**
 * The queue of a site: the waiting jobs and their order.
 *
 * Kept in order of arrival, so that a released or resumed job finds its place again by binary search.
 * With a priority function the order is computed when it is asked for (rule QU-12).
 * Cost: O(log n) to find, O(n) integers moved to insert or remove, O(n log n) to sort by priority.
 */
import { assert } from "../base/index.ts";
import { type Machine, makeRoomFor, type WaitingList } from "./machine.ts";

/** Puts a job into the queue at its arrival place. */
export function enqueue(machine: Machine, handle: number): void {
  const { waiting } = machine;
  makeRoomFor(waiting, waiting.count + 1);
  const at = placeOf(machine, handle);
  waiting.handles.copyWithin(at + 1, at, waiting.count);
  waiting.handles[at] = handle;
  waiting.count++;
}

/** Takes a job out of the queue. */
export function dequeue(machine: Machine, handle: number): void {
  const { waiting } = machine;
  const at = placeOf(machine, handle);
  assert(waiting.handles[at] === handle, "a job that leaves the queue is in it");
  waiting.handles.copyWithin(at, at + 1, waiting.count);
  waiting.count--;
}

/** Where in the queue a job stands or would stand: the first place not before its arrival. */
function placeOf({ waiting, jobs }: Machine, handle: number): number {
  const { arrival } = jobs;
  const own = arrival[handle];
  let low = 0;
  let high = waiting.count;
  if (high > 0 && arrival[waiting.handles[high - 1]] < own) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (arrival[waiting.handles[middle]] < own) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The waiting jobs in queue order, now. Without a priority function this is the queue itself, not a
 * copy: do not change the queue while walking it.
 */
export function inQueueOrder(machine: Machine): WaitingList {
  const { waiting, rules } = machine;
  if (rules.priority === undefined || waiting.count < 2) return waiting;
  const { arrival } = machine.jobs;
  const priorities = new Map<number, number>();
  const handles = waiting.handles.slice(0, waiting.count);
  for (const handle of handles) priorities.set(handle, priorityOf(machine, handle));
  const of = (handle: number): number => priorities.get(handle) ?? 0;
  handles.sort((a, b) => of(b) - of(a) || arrival[a] - arrival[b]);
  return { handles, count: waiting.count };
}

/** The priority of a waiting job at this instant; 0 where the site has no priority function. */
export function priorityOf({ jobs, rules, nowMs }: Machine, handle: number): number {
  if (rules.priority === undefined) return 0;
  const priority = rules.priority(
    {
      handle,
      need: jobs.need.map((column) => column[handle]),
      estimateMs: jobs.estimateMs[handle],
      arrivedAtMs: jobs.arrivedAtMs[handle],
    },
    nowMs,
  );
  assert(!Number.isNaN(priority), "a priority is a number");
  return priority;
}
