/**
 * The end of an instant: what follows from all that happened at it (rule QU-8).
 */
import { assert, unreachable } from "../base/index.ts";
import { easyClassicalPass, isClassicalCase } from "./easy-classical.ts";
import { jobState } from "./job-table.ts";
import { type Machine, phase, type Starts } from "./machine.ts";
import { enterPhase, enterQueue } from "./operations.ts";
import { compress, nextPlannedStart, repack, startDue } from "./planning.ts";
import { easyPass, fcfsPass } from "./queueing.ts";
import { inQueueOrder, priorityOf } from "./waiting.ts";

/**
 * Settles the instant `nowMs`: compresses if capacity was released early, places or queues what arrived,
 * starts what can start.
 *
 * @returns the jobs that start now, in order of arrival; valid until the next call
 */
export function advance(machine: Machine, nowMs: number): Starts {
  enterPhase(machine, machine.nowMs === nowMs ? machine.phase : phase.ends, nowMs);
  if (machine.phase !== phase.starts) machine.started.count = 0;
  switch (machine.rules.discipline) {
    case "conservative":
    case "repack":
      settlePlanning(machine);
      break;
    case "easy":
      queueArrivals(machine);
      if (isClassicalCase(machine)) easyClassicalPass(machine);
      else easyPass(machine);
      break;
    case "fcfs":
      queueArrivals(machine);
      fcfsPass(machine);
      break;
    case "external":
      queueArrivals(machine);
      break;
    default:
      unreachable(machine.rules.discipline);
  }
  machine.cameFree = false;
  machine.phase = phase.ends;
  sortByArrival(machine);
  markBackfilled(machine);
  return machine.started;
}

/** The first instant at which the machine could start something unasked (rule QU-19), or Infinity. */
export function wakeAt(machine: Machine): number {
  let firstMs = nextPlannedStart(machine);
  if (machine.reservations.size === 0) return firstMs;
  for (const fixed of machine.reservations.values()) {
    firstMs = Math.min(firstMs, fixed.startMs + fixed.durationMs);
  }
  return firstMs;
}

function settlePlanning(machine: Machine): void {
  assert(
    nextPlannedStart(machine) >= machine.nowMs,
    "advance is called at every wake-up, so no planned start is missed",
  );
  if (machine.cameFree) {
    if (machine.rules.discipline === "repack") repack(machine);
    else compress(machine);
  }
  queueArrivals(machine);
  startDue(machine);
}

/** Lets what arrived at this instant enter the queue, in the order of arrival. */
export function queueArrivals(machine: Machine): void {
  const { arriving, jobs } = machine;
  for (let i = 0; i < arriving.count; i++) {
    assert(jobs.state[arriving.handles[i]] === jobState.waiting, "what arrives waits");
    enterQueue(machine, arriving.handles[i]);
  }
  arriving.count = 0;
}

/** Number of starts up to which insertion sort is used. */
const FEW = 64;

/** Puts the starts of an instant in the order of arrival: few, and nearly always in it already. */
function sortByArrival({ started, jobs }: Machine): void {
  const { arrival } = jobs;
  const { handles, count } = started;
  if (count > FEW) {
    handles.subarray(0, count).sort((a, b) => arrival[a] - arrival[b]);
    return;
  }
  for (let i = 1; i < count; i++) {
    const handle = handles[i];
    const own = arrival[handle];
    let at = i;
    for (; at > 0 && arrival[handles[at - 1]] > own; at--) handles[at] = handles[at - 1];
    handles[at] = handle;
  }
}

/** Marks the started jobs that passed a job still waiting before them in the queue. */
function markBackfilled(machine: Machine): void {
  const { started, jobs } = machine;
  if (started.count === 0) return;
  const stillWaiting = inQueueOrder(machine);
  for (let i = 0; i < started.count; i++) {
    const handle = started.handles[i];
    const passed = stillWaiting.count > 0 && isBefore(machine, stillWaiting.handles[0], handle);
    jobs.backfilled[handle] = passed ? 1 : 0;
  }
}

function isBefore(machine: Machine, one: number, other: number): boolean {
  const priorityOfOne = priorityOf(machine, one);
  const priorityOfOther = priorityOf(machine, other);
  if (priorityOfOne !== priorityOfOther) return priorityOfOne > priorityOfOther;
  return machine.jobs.arrival[one] < machine.jobs.arrival[other];
}
