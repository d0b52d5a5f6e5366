/**
 * Forecasts of what a link delivers, from what it delivered.
 *
 * Several simple forecasters run side by side; the one with the least mean squared error over the last 50
 * measurements speaks, and its error is shown. Source: the idea is that of the Network Weather Service
 * (Wolski 1998), which [STREAM] 2 names. Cost: O(measurements looked at × forecasters).
 */

/** Forecasters by name. */
type Forecaster =
  | "last"
  | "runningMean"
  | "mean5"
  | "mean20"
  | "median5"
  | "median20"
  | "smoothed0.1"
  | "smoothed0.5";

/** Forecast of the next measurement by the best forecaster. */
export interface Forecast {
  readonly bytesPerSec: number;
  readonly forecaster: Forecaster;
  /** Square root of its mean squared error; 0 before anything could be compared. */
  readonly errorBytesPerSec: number;
}

const COMPARED = 50;

const FORECASTERS: readonly (readonly [Forecaster, (past: readonly number[]) => number])[] = [
  ["last", (past) => past[past.length - 1]],
  ["runningMean", meanOf],
  ["mean5", (past) => meanOf(past.slice(-5))],
  ["mean20", (past) => meanOf(past.slice(-20))],
  ["median5", (past) => medianOf(past.slice(-5))],
  ["median20", (past) => medianOf(past.slice(-20))],
  ["smoothed0.1", (past) => smoothed(past, 0.1)],
  ["smoothed0.5", (past) => smoothed(past, 0.5)],
];

/** Forecast of the next measurement; undefined without any. Of equally good forecasters the first speaks. */
export function forecast(measured: readonly number[]): Forecast | undefined {
  if (measured.length === 0) return undefined;
  const from = Math.max(1, measured.length - COMPARED);
  let best: Forecast | undefined;
  for (const [forecaster, next] of FORECASTERS) {
    let sum = 0;
    for (let at = from; at < measured.length; at++) sum += (next(measured.slice(0, at)) - measured[at]) ** 2;
    const error = Math.sqrt(sum / Math.max(1, measured.length - from));
    if (best !== undefined && error >= best.errorBytesPerSec) continue;
    best = { bytesPerSec: next(measured), forecaster, errorBytesPerSec: error };
  }
  return best;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function smoothed(values: readonly number[], gain: number): number {
  return values.reduce((level, value) => level + gain * (value - level));
}
