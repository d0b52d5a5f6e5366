/**
 * Where an axis has its marks, and how they read.
 */

/** A mark of an axis. */
interface Tick {
  readonly at: number;
  readonly text: string;
}

/** An axis from `from` to `to` with its marks; both ends may lie between marks. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly Tick[];
  /** The unit, or what is counted. */
  readonly label: string;
}

const STEPS = [1, 2, 2.5, 5, 10];
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * Marks at multiples of 1, 2, 2.5 or 5 times a power of ten: about `wanted` of them from 0 to the first that
 * is not below `most`.
 */
export function niceTicks(most: number, wanted: number): readonly number[] {
  if (!(most > 0)) return [0, 1];
  const raw = most / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * (STEPS.find((one) => one * power >= raw * (1 - 1e-9)) ?? 10);
  const count = Math.ceil(most / step - 1e-9);
  // A product, not a sum of steps: 0.1 three times is not 0.3.
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/** An axis from 0 that reads as plain numbers. */
export function numberAxis(most: number, wanted: number, label: string): Axis {
  return axisOf(niceTicks(most, wanted), 1, label);
}

/** An axis from 0 to a share of 1, or beyond where values are. */
export function shareAxis(most: number, wanted: number): Axis {
  const ticks = niceTicks(Math.max(100 * most, 1), wanted);
  return axisOf(ticks, 100, "%");
}

/** An axis of lengths of time from 0, in the largest unit of which there are a few. */
export function timeAxis(mostSec: number, wanted: number): Axis {
  const [unitSec, label] = unitOf(mostSec);
  return axisOf(niceTicks(mostSec / unitSec, wanted), 1 / unitSec, label);
}

/** As `timeAxis`, but it ends where the values do. */
export function timeAxisUntil(mostSec: number, wanted: number): Axis {
  const axis = timeAxis(mostSec, wanted);
  return { ...axis, to: mostSec, ticks: axis.ticks.filter(({ at }) => at <= mostSec) };
}

function unitOf(sec: number): readonly [number, string] {
  if (sec >= 3 * DAY) return [DAY, "days"];
  if (sec >= 3 * HOUR) return [HOUR, "hours"];
  return sec >= 3 * MINUTE ? [MINUTE, "minutes"] : [1, "seconds"];
}

function axisOf(marks: readonly number[], unitsPerValue: number, label: string): Axis {
  const ticks = marks.map((mark) => ({ at: mark / unitsPerValue, text: String(mark) }));
  return { from: 0, to: ticks[ticks.length - 1].at, ticks, label };
}

const LENGTHS: readonly (readonly [number, string])[] = [
  [1, "1 s"],
  [10, "10 s"],
  [MINUTE, "1 min"],
  [10 * MINUTE, "10 min"],
  [HOUR, "1 h"],
  [6 * HOUR, "6 h"],
  [DAY, "1 d"],
  [7 * DAY, "7 d"],
  [30 * DAY, "30 d"],
  [365 * DAY, "1 year"],
];

/** A logarithmic axis of lengths of time from a second on; `at` and the ends are log10 of seconds. */
export function logTimeAxis(mostSec: number): Axis {
  const beyond = LENGTHS.findIndex(([sec]) => sec >= mostSec);
  const shown = beyond === -1 ? LENGTHS : LENGTHS.slice(0, Math.max(beyond, 1) + 1);
  const ticks = shown.map(([sec, text]) => ({ at: Math.log10(sec), text }));
  const to = Math.max(Math.log10(Math.max(mostSec, 1)), ticks[ticks.length - 1].at);
  return { from: 0, to, ticks, label: "" };
}

/** Ratio of a value to all others from which it gets an axis of its own. */
const DWARFS = 8;

/** Which value makes all others unreadable on one axis; undefined where none does. */
export function outlierAmong(values: readonly number[]): number | undefined {
  const [most, next] = values
    .map((value, at) => ({ value, at }))
    .sort((one, other) => other.value - one.value);
  return most !== undefined && next !== undefined && next.value > 0 && most.value > DWARFS * next.value
    ? most.at
    : undefined;
}
