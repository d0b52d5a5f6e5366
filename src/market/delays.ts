/**
 * Whom a slot would delay, one by one.
 */
import { type FixedRectangle, startsBeside, type TriedMachine } from "../queue/index.ts";
import type { DeclaredCosts } from "./priced-slot.ts";

/** A waiting job that would start later. */
export interface DelayedJob {
  readonly handle: number;
  /** v: when it would start without the slot. */
  readonly plannedMs: number;
  readonly delayMs: number;
  /** Its part of the price, in processor-milliseconds. */
  readonly costProcMs: number;
}

/** The jobs that would start later, in queue order; undefined where the slot is not possible. */
export function delaysBy(
  tried: TriedMachine,
  slot: FixedRectangle,
  declared?: DeclaredCosts,
): readonly DelayedJob[] | undefined {
  const starts = startsBeside(tried, slot);
  if (!(starts instanceof Float64Array)) return undefined;
  const { machine, present } = tried;
  const [procs] = machine.jobs.need;
  return Array.from(present.handles, (handle, at) => {
    const plannedMs = present.startMs[at];
    const delayMs = starts[at] - plannedMs;
    return { handle, plannedMs, delayMs, costProcMs: delayMs * (declared?.get(handle) ?? procs[handle]) };
  }).filter(({ delayMs }) => delayMs > 0);
}
