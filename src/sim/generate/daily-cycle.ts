/**
 * A clock that runs faster when more jobs come: the daily cycle of Lublin & Feitelson's model [LF03].
 *
 * The day has 48 half hours. The share of the day's jobs that comes in the i-th of them is the weight of
 * [i − ½, i + ½] under a gamma distribution, where the day is taken to begin at the eleventh half hour,
 * when the least happens. Weights are normalised to a mean of 1, so that the clock gains nothing in a day.
 * Arrivals that are drawn on this clock come in real time at a rate proportional to the weight.
 */

const HALF_HOURS = 48;
const HALF_HOUR_SEC = 1800;
const DAY_SEC = HALF_HOURS * HALF_HOUR_SEC;
/** The half hour, from 1, with which the gamma distribution's day begins: 5:00 to 5:30. */
const FIRST_HALF_HOUR = 11;
/** Simpson's rule over half an hour; the error is far below a second a day. */
const STEPS = 16;

/** The clock of one daily cycle. */
export interface DailyCycle {
  /** How fast the clock runs in each half hour from midnight; the mean is 1. */
  readonly weights: readonly number[];
  /** Real seconds since the first midnight at which the clock shows `clockSec`. */
  secondsAt(clockSec: number): number;
}

/** The cycle of the gamma distribution with this shape and scale, in half hours. */
export function dailyCycle(shape: number, scale: number): DailyCycle {
  const weights = weightsOf(shape, scale);
  const begins = [0];
  for (const weight of weights) begins.push((begins.at(-1) ?? 0) + weight * HALF_HOUR_SEC);
  return {
    weights,
    secondsAt(clockSec) {
      const day = Math.floor(clockSec / DAY_SEC);
      const rest = clockSec - day * DAY_SEC;
      let at = 0;
      while (at < HALF_HOURS - 1 && begins[at + 1] <= rest) at++;
      return day * DAY_SEC + at * HALF_HOUR_SEC + (rest - begins[at]) / weights[at];
    },
  };
}

function weightsOf(shape: number, scale: number): number[] {
  // Relative to the density's peak: constant factors cancel when the weights are normalised.
  const peak = Math.max(shape - 1, 0.001) * scale;
  const density = (x: number): number => Math.exp((shape - 1) * Math.log(x / peak) - (x - peak) / scale);
  const raw = new Array<number>(HALF_HOURS).fill(0);
  for (let i = FIRST_HALF_HOUR; i < FIRST_HALF_HOUR + HALF_HOURS; i++) {
    raw[(i - 1) % HALF_HOURS] = integral(density, i - 0.5, i + 0.5);
  }
  const mean = raw.reduce((sum, weight) => sum + weight, 0) / HALF_HOURS;
  return raw.map((weight) => weight / mean);
}

/** Simpson's rule. */
function integral(density: (x: number) => number, from: number, to: number): number {
  const step = (to - from) / STEPS;
  let sum = density(from) + density(to);
  for (let i = 1; i < STEPS; i++) sum += (i % 2 === 0 ? 2 : 4) * density(from + i * step);
  return (sum * step) / 3;
}
