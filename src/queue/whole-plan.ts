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
 * What a machine's plan can be made of elsewhere. Undefined where priorities or somebody outside decide, and
 * where it has a plan anyway.
 */
export function planTask(machine: Machine): PlanTask | undefined {
  const { discipline, priority } = machine.rules;
  const isPlayed = discipline === "fcfs" || discipline === "easy";
  if (!isPlayed || priority !== undefined || machine.pools.length !== 1) return undefined;
  return { discipline, saved: checkpoint(machine) };
}

/** When each would start, by handle; Infinity of those who do not wait. It had settled its last instant. */
export function startsOfPlan({ discipline, saved }: PlanTask): Float64Array {
  const machine = machineFrom(saved, { discipline });
  const foreseen = foreseenStarts(machine) ?? prepareImpact(machine).present;
  return startsByHandle(foreseen, machine.jobs.size);
}

/** What the whole queue leaves free, if who waits starts then. */
export function leftByPlan({ discipline, saved }: PlanTask, startMs: Float64Array): Profile {
  const machine = machineFrom(saved, { discipline });
  const order = inQueueOrder(machine);
  const handles = order.handles.slice(0, order.count);
  const foreseen = { handles, startMs: Float64Array.from(handles, (it) => startMs[it]) };
  return projectedProfiles(machine, machine.nowMs, foreseen)[0];
}

/** The same starts, by handle; Infinity of all others. */
export function startsByHandle({ handles, startMs }: WaitingStarts, size: number): Float64Array {
  const starts = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  handles.forEach((handle, at) => {
    starts[handle] = startMs[at];
  });
  return starts;
}
