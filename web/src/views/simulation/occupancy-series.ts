import type { SimulationSchedule } from "../../app/client.ts";

/** Stretches of a picture. */
const STRETCHES = 300;

/** Schedules over a common time, in equal stretches. */
export interface OccupancySeries {
  /** Beginnings of the stretches, in seconds from the beginning. */
  readonly atSec: readonly number[];
  /** Of each schedule: processors in use, the mean of the stretch. */
  readonly procs: readonly (readonly number[])[];
  /** Of each schedule: jobs that wait, the mean of the stretch. */
  readonly waiting: readonly (readonly number[])[];
}

/** Processors in use and jobs that wait, in equal stretches up to the last end. */
export function occupancySeries(schedules: readonly SimulationSchedule[]): OccupancySeries {
  const lastSec = Math.max(1, ...schedules.map(({ endSec }) => endSec.reduce((a, b) => Math.max(a, b), 0)));
  const stepSec = lastSec / STRETCHES;
  return {
    atSec: Array.from({ length: STRETCHES }, (_, at) => at * stepSec),
    procs: schedules.map(({ startSec, endSec, procsOf }) =>
      means(stepSec, startSec, endSec, (at) => procsOf[at] ?? 0),
    ),
    waiting: schedules.map(({ submitSec, startSec }) => means(stepSec, submitSec, startSec, () => 1)),
  };
}

/** In each stretch the mean of the sum of the weights of all that lasts from `from` to `to`. */
function means(
  stepSec: number,
  from: readonly number[],
  to: readonly number[],
  weight: (at: number) => number,
): readonly number[] {
  // Whole stretches are added by their ends; the parts before and after them directly.
  const whole = new Float64Array(STRETCHES + 1);
  const parts = new Float64Array(STRETCHES + 1);
  from.forEach((fromSec, at) => {
    const begin = Math.max(0, fromSec / stepSec);
    const end = Math.max(begin, (to[at] ?? fromSec) / stepSec);
    const [first, last] = [Math.floor(begin), Math.floor(end)];
    const amount = weight(at);
    const add = (place: number, value: number): void => {
      parts[place] = (parts[place] ?? 0) + value;
    };
    if (first === last) {
      add(first, amount * (end - begin));
      return;
    }
    add(first, amount * (first + 1 - begin));
    add(last, amount * (end - last));
    whole[first + 1] = (whole[first + 1] ?? 0) + amount;
    whole[last] = (whole[last] ?? 0) - amount;
  });
  let level = 0;
  return Array.from({ length: STRETCHES }, (_, at) => {
    level += whole[at] ?? 0;
    return level + (parts[at] ?? 0);
  });
}
