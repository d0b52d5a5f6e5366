/**
 * Simulation of a queue on a copy, without further arrivals and with every job using its whole estimate.
 *
 * Waiting jobs keep their present order, since future priorities depend on unknown events.
 * Cost: one simulation of the queue.
 */
import { assert, createHeap, popHeap, pushHeap, smallestKey } from "../../base/index.ts";
import { advance, wakeAt } from "../advance.ts";
import { endMsOf, jobState } from "../job-table.ts";
import type { Machine, SiteRules } from "../machine.ts";
import { end } from "../operations.ts";
import { priorityOf } from "../waiting.ts";

/** Simulates until all waiting jobs have started; calls `onStart` for each, at the instant of its start. */
export function playForward(copy: Machine, onStart: (handle: number, atMs: number) => void): void {
  const { jobs } = copy;
  let left = copy.waiting.count;
  const ends = createHeap();
  for (let handle = 0; handle < jobs.size; handle++) {
    if (jobs.state[handle] === jobState.running) pushHeap(ends, endMsOf(jobs, handle), handle);
  }
  for (let atMs = copy.nowMs; left > 0; atMs = Math.min(smallestKey(ends), wakeAt(copy))) {
    assert(atMs < Number.POSITIVE_INFINITY, "who waits starts when all the others have ended");
    while (smallestKey(ends) === atMs) end(copy, popHeap(ends), atMs);
    const { handles, count } = advance(copy, atMs);
    for (let i = 0; i < count; i++) {
      onStart(handles[i], atMs);
      pushHeap(ends, endMsOf(jobs, handles[i]), handles[i]);
    }
    left -= count;
  }
}

/** Rules of the machine, with the priorities of its waiting jobs fixed at their present values. */
export function rulesOfNow(machine: Machine): SiteRules {
  const { rules, waiting } = machine;
  if (rules.priority === undefined) return rules;
  const ofNow = new Map<number, number>();
  for (const handle of waiting.handles.subarray(0, waiting.count)) {
    ofNow.set(handle, priorityOf(machine, handle));
  }
  return { ...rules, priority: ({ handle }) => ofNow.get(handle) ?? 0 };
}
