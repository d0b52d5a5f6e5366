import type { SimulationSchedule } from "../../app/client.ts";

/** Points of a picture. */
const POINTS = 600;

/** Two schedules over a common time, at equal steps. */
export interface OccupancySeries {
  /** Seconds from the beginning. */
  readonly atSec: readonly number[];
  /** Of each schedule: processors in use at the instant. */
  readonly procs: readonly (readonly number[])[];
  /** Of each schedule: jobs that wait at the instant. */
  readonly waiting: readonly (readonly number[])[];
}

/** Processors in use and jobs that wait, at equal steps up to the last end. */
export function occupancySeries(schedules: readonly SimulationSchedule[]): OccupancySeries {
  const lastSec = Math.max(1, ...schedules.map(({ endSec }) => endSec.reduce((a, b) => Math.max(a, b), 0)));
  const atSec = Array.from({ length: POINTS + 1 }, (_, at) => (at * lastSec) / POINTS);
  return {
    atSec,
    procs: schedules.map(({ startSec, endSec, procsOf }) =>
      levels(atSec, startSec, endSec, (at) => procsOf[at] ?? 0),
    ),
    waiting: schedules.map(({ submitSec, startSec }) => levels(atSec, submitSec, startSec, () => 1)),
  };
}

/** Sum of the weights of all stretches `from` ≤ t < `to` at each instant. */
function levels(
  atSec: readonly number[],
  from: readonly number[],
  to: readonly number[],
  weight: (at: number) => number,
): readonly number[] {
  const steps = new Float64Array(atSec.length + 1);
  const stepSec = (atSec[1] ?? 1) - (atSec[0] ?? 0);
  const placeOf = (sec: number): number => Math.min(atSec.length, Math.max(0, Math.ceil(sec / stepSec)));
  from.forEach((fromSec, at) => {
    const [begin, end] = [placeOf(fromSec), placeOf(to[at] ?? fromSec)];
    steps[begin] = (steps[begin] ?? 0) + weight(at);
    steps[end] = (steps[end] ?? 0) - weight(at);
  });
  let level = 0;
  return atSec.map((_, at) => {
    level += steps[at] ?? 0;
    return level;
  });
}
