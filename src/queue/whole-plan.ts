/**
 * A queue served to its end: when each job would start if nothing else came and every job used its whole
 * estimate, and what is left free then.
 */
import type { MachineDiscipline } from "../model/index.ts";
import type { Profile } from "../profile/index.ts";
import { checkpoint, type MachineCheckpoint, machineFrom } from "./checkpoint.ts";
import { foreseenStarts } from "./impact/foreseen-starts.ts";
import { prepareImpact, type WaitingStarts } from "./impact/waiting-starts.ts";
import type { Machine } from "./machine.ts";
import { projectedProfiles } from "./projected-profile.ts";
import { inQueueOrder } from "./waiting.ts";

/** A queue to be planned elsewhere; plain data. */
export interface PlanTask {
  readonly discipline: MachineDiscipline;
  readonly saved: MachineCheckpoint;
}

/**
 * Data from which the plan of a machine can be computed elsewhere, for instance in a worker thread. Undefined
 * unless the machine has one pool under FCFS or EASY, without a priority.
 */
export function planTask(machine: Machine): PlanTask | undefined {
  const { discipline, priority } = machine.rules;
  const isPlayed = discipline === "fcfs" || discipline === "easy";
  if (!isPlayed || priority !== undefined || machine.pools.length !== 1) return undefined;
  return { discipline, saved: checkpoint(machine) };
}

/** Starts of the waiting jobs, by handle; Infinity for others. The machine must have been settled. */
export function startsOfPlan({ discipline, saved }: PlanTask): Float64Array {
  const machine = machineFrom(saved, { discipline });
  const foreseen = foreseenStarts(machine) ?? prepareImpact(machine).present;
  return startsByHandle(foreseen, machine.jobs.size);
}

/** Profile of the capacity left free if the waiting jobs start at `startMs`, by handle. */
export function leftByPlan({ discipline, saved }: PlanTask, startMs: Float64Array): Profile {
  const machine = machineFrom(saved, { discipline });
  const order = inQueueOrder(machine);
  const handles = order.handles.slice(0, order.count);
  const foreseen = { handles, startMs: Float64Array.from(handles, (it) => startMs[it]) };
  return projectedProfiles(machine, machine.nowMs, foreseen)[0];
}

/** Starts of waiting jobs by handle; Infinity for all other handles. */
export function startsByHandle({ handles, startMs }: WaitingStarts, size: number): Float64Array {
  const starts = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  handles.forEach((handle, at) => {
    starts[handle] = startMs[at];
  });
  return starts;
}
