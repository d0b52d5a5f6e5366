/**
 * Crossing two schedules of one direction into keys for a list of the other direction.
 *
 * The child has from one parent the order of what ends in a window of time, and which tasks come before and
 * after; their order it has from the other. Of several windows it is the one in which the first parent uses
 * its resources best: such parts are worth keeping. Keys of the other direction are the negative ends, so
 * that what ended last comes first. Source: after Debels, Vanhoucke 2007 [DV07].
 */
import { drawFraction, type Random } from "../../../base/index.ts";
import type { Instance } from "../../platform/index.ts";

/** A schedule in the time of its own direction. */
export interface Schedule {
  readonly site: Int32Array;
  readonly startMs: Float64Array;
  readonly endMs: Float64Array;
  readonly lengthMs: number;
  /** Objective of the selection: the length, or a weighted sum of length and cost. */
  readonly worth: number;
}

/** The window of the first parent that is kept, as parts of its length. */
const SHORTEST_WINDOW = 0.25;
const LONGEST_WINDOW = 0.75;
const WINDOWS_TRIED = 8;
/** Tasks of a child that are mutated, in the mean. */
const MUTATED_TASKS = 1.25;

/** Keys of one schedule for a pass in the other direction: plain justification. */
export function keysOf({ endMs }: Schedule, keys: Float64Array): void {
  for (let task = 0; task < keys.length; task++) keys[task] = -endMs[task];
}

/** Keys, and for each task whether it follows the first parent. */
export interface Crossed {
  readonly keys: Float64Array;
  readonly isOfFirst: Uint8Array;
}

/** Crosses two schedules, and mutates the child a little. */
export function cross(
  instance: Instance,
  [first, second]: readonly [Schedule, Schedule],
  random: Random,
  { keys, isOfFirst }: Crossed,
): void {
  const part = SHORTEST_WINDOW + (LONGEST_WINDOW - SHORTEST_WINDOW) * drawFraction(random);
  const widthMs = first.lengthMs * part;
  const fromMs = windowStart(instance, first, widthMs, random);
  const beyond = 10 * (first.lengthMs + second.lengthMs) + 1;
  for (let task = 0; task < keys.length; task++) {
    const own = first.endMs[task];
    const other = second.endMs[task];
    const isInside = own >= fromMs && own <= fromMs + widthMs;
    isOfFirst[task] = isInside ? 1 : 0;
    if (isInside) keys[task] = -own;
    else keys[task] = own > fromMs ? -other - beyond : -other + beyond;
  }
  for (let task = 0; task < keys.length; task++) {
    if (drawFraction(random) * keys.length < MUTATED_TASKS)
      keys[task] += (drawFraction(random) - 0.5) * 0.5 * first.lengthMs;
  }
}

function windowStart(instance: Instance, schedule: Schedule, widthMs: number, random: Random): number {
  const room = schedule.lengthMs - widthMs;
  let best = drawFraction(random) * room;
  let most = -1;
  for (let tried = 0; tried < WINDOWS_TRIED; tried++) {
    const fromMs = tried === 0 ? best : drawFraction(random) * room;
    const used = useWithin(instance, schedule, fromMs, fromMs + widthMs);
    if (used <= most) continue;
    most = used;
    best = fromMs;
  }
  return best;
}

/** Sum over all resources of the part of the capacity that is used within a span, times its length. */
function useWithin(instance: Instance, schedule: Schedule, fromMs: number, toMs: number): number {
  const { needs, capacity, columns, taskCount } = instance;
  let sum = 0;
  for (let task = 0; task < taskCount; task++) {
    const overlap = Math.min(toMs, schedule.endMs[task]) - Math.max(fromMs, schedule.startMs[task]);
    if (overlap <= 0) continue;
    const base = schedule.site[task] * columns.length;
    for (let k = 0; k < columns.length; k++) {
      const need = needs[task * columns.length + k];
      if (need > 0) sum += (need / capacity[base + k]) * overlap;
    }
  }
  return sum;
}
