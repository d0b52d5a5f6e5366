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
import { drawFraction, type Random } from "../../base/index.ts";
import type { LublinSet } from "../../model/index.ts";
import { dailyCycle } from "./daily-cycle.ts";
import { gammaSampler } from "./gamma.ts";
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
