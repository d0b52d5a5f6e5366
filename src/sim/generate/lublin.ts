/**
 * The workload model of Lublin & Feitelson 2003 [LF03]: sizes, runtimes and arrivals of rigid jobs.
 *
 * Sizes: serial with one probability, a power of two with another, else any; log2 of a parallel job's size
 * is two-stage uniform. Runtimes: ln of the runtime is one of two gammas, the first (short) one with a
 * probability that falls linearly with the size. Arrivals: ln of the gap is gamma, on the clock of the
 * daily cycle. Values beyond e^12 s (45 h) of runtime and e^13 s (5 d) of gap are drawn again, as its
 * authors do.
 * Departs from it: runtimes and submissions are rounded to the second and a runtime is at least 1 s; the
 * widest power of two is the largest that the machine has, where theirs assumes a machine of 2^n; the two
 * kinds of jobs are not mixed in one workload. With `combined`, all jobs of over 144 processors are long.
 */
import { assert, drawFraction, type Random } from "../../base/index.ts";
import type { LublinSet } from "../../model/index.ts";
import { LUBLIN_PARAMETERS, type LublinParameters } from "./lublin-parameters.ts";
import { mustLie, withChanges } from "./parameters.ts";
import type { WorkloadModel } from "./workload-model.ts";

/** ln of the longest runtime in seconds. */
const LONGEST_LN = 12;
/** ln of the longest gap in seconds. */
const WIDEST_GAP_LN = 13;

/**
 * The model for a machine of `procs`.
 *
 * @throws Fault `parameterUnknown`, `parameterOutOfRange`
 */
export function lublinModel(
  set: LublinSet,
  procs: number,
  changes: Readonly<Record<string, number>>,
): WorkloadModel {
  const parameters = withChanges({ ...LUBLIN_PARAMETERS[set] }, changes);
  check(parameters);
  const drawSize = sizeSampler(parameters, procs);
  const drawRuntime = runtimeSampler(parameters);
  const gapLn = upTo(WIDEST_GAP_LN, gammaSampler(parameters.aArr * parameters.arar, parameters.bArr));
  const cycle = dailyCycle(parameters.aNum, parameters.bNum);
  return {
    title: `Lublin & Feitelson 2003, ${set} parameters`,
    parameters,
    drawJob(random) {
      const size = drawSize(random);
      const runtimeSec = drawRuntime(random, size);
      return { procs: size, runtimeSec, requestSec: runtimeSec, user: -1 };
    },
    drawGap: (random) => Math.exp(gapLn(random)),
    secondsAt: cycle.secondsAt,
  };
}

function check(parameters: LublinParameters): void {
  const { serialProb, pow2Prob, uProb } = parameters;
  mustLie("serialProb", serialProb, [0, 1]);
  mustLie("pow2Prob", pow2Prob, [0, 1 - serialProb]);
  mustLie("uProb", uProb, [0, 1]);
  // Means of e^8 s and more would draw for ever against the longest runtimes and gaps.
  for (const name of ["a1", "b1", "a2", "b2", "aArr", "bArr", "arar", "aNum", "bNum"] as const) {
    mustLie(name, parameters[name], [0.001, 10_000]);
  }
  mustLie("a1 × b1", parameters.a1 * parameters.b1, [0, LONGEST_LN]);
  mustLie("a2 × b2", parameters.a2 * parameters.b2, [0, LONGEST_LN]);
  mustLie("aArr × arar × bArr", parameters.aArr * parameters.arar * parameters.bArr, [0, WIDEST_GAP_LN]);
  // Beyond, hours of the day would have no arrivals at all, which a clock cannot show.
  mustLie("aNum × bNum", parameters.aNum * parameters.bNum, [10, 60]);
  mustLie("aNum", parameters.aNum, [1, 50]);
}

function sizeSampler(parameters: LublinParameters, procs: number): (random: Random) => number {
  const { serialProb, pow2Prob, uProb } = parameters;
  const high = Math.max(0, Math.log2(procs) - parameters.uHiBelow);
  const low = Math.min(parameters.uLow, high);
  const bend = Math.min(high, Math.max(low, Math.log2(procs) - parameters.uMedBelow));
  const largestPower = Math.floor(Math.log2(procs));
  return (random) => {
    const kind = drawFraction(random);
    if (kind < serialProb) return 1;
    const isLower = drawFraction(random) < uProb;
    const [from, to] = isLower ? [low, bend] : [bend, high];
    const exponent = from + drawFraction(random) * (to - from);
    if (kind < serialProb + pow2Prob) return 2 ** Math.min(largestPower, Math.round(exponent));
    return Math.min(procs, Math.round(2 ** exponent));
  };
}

function runtimeSampler(parameters: LublinParameters): (random: Random, size: number) => number {
  const { a1, b1, a2, b2, pa, pb } = parameters;
  const short = gammaSampler(a1, b1);
  const long = gammaSampler(a2, b2);
  return (random, size) => {
    const isShort = pa * size + pb;
    const ln = upTo(LONGEST_LN, (again) => (drawFraction(again) < isShort ? short(again) : long(again)));
    return Math.max(1, Math.round(Math.exp(ln(random))));
  };
}

/** Draws until the value is not beyond `most`. */
function upTo(most: number, draw: (random: Random) => number): (random: Random) => number {
  return (random) => {
    for (;;) {
      const value = draw(random);
      if (value <= most) return value;
    }
  };
}

// A clock that runs faster when more jobs come: the daily cycle of Lublin & Feitelson's model [LF03].
//
// The day has 48 half hours. The share of the day's jobs that comes in the i-th of them is the weight of
// [i − ½, i + ½] under a gamma distribution, where the day is taken to begin at the eleventh half hour,
// when the least happens. Weights are normalised to a mean of 1, so that the clock gains nothing in a day.
// Arrivals that are drawn on this clock come in real time at a rate proportional to the weight.

const HALF_HOURS = 48;
const HALF_HOUR_SEC = 1800;
const DAY_SEC = HALF_HOURS * HALF_HOUR_SEC;
/** The half hour, from 1, with which the gamma distribution's day begins: 5:00 to 5:30. */
const FIRST_HALF_HOUR = 11;
/** Simpson's rule over half an hour; the error is far below a second a day. */
const STEPS = 16;

/** The clock of one daily cycle. */
interface DailyCycle {
  /** Speed of the clock in each half hour from midnight; the mean is 1. */
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

// Numbers from the gamma distribution.
//
// Source: Marsaglia & Tsang 2000 [MT00], which rejects less than one draw in twenty for any shape from 1
// on; below 1 by their boost of a draw of shape + 1. Normal numbers by Box & Muller's formula, one of the
// two only, so that a draw leaves no state behind.

/** Draws from the gamma distribution of this shape and scale (mean shape × scale); both above 0. */
export function gammaSampler(shape: number, scale: number): (random: Random) => number {
  assert(shape > 0 && scale > 0, "shape and scale of a gamma distribution are above 0");
  if (shape < 1) {
    const above = gammaSampler(shape + 1, scale);
    return (random) => above(random) * (1 - drawFraction(random)) ** (1 / shape);
  }
  const centre = shape - 1 / 3;
  const width = 1 / Math.sqrt(9 * centre);
  return (random) => {
    for (;;) {
      const normal = drawNormal(random);
      const root = 1 + width * normal;
      if (root <= 0) continue;
      const cube = root * root * root;
      const bound = 0.5 * normal * normal + centre * (1 - cube + Math.log(cube));
      if (Math.log(1 - drawFraction(random)) < bound) return centre * cube * scale;
    }
  };
}

/** A number from the normal distribution of mean 0 and variance 1. */
function drawNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawFraction(random)));
  return radius * Math.cos(2 * Math.PI * drawFraction(random));
}
