/**
 * Utilisation of the machine over time, for a small chart, in bounded memory.
 *
 * A fixed number of bins; when a job ends beyond the last one, neighbours are joined and the bins
 * become twice as long. Shares are of the machine and approximate to a double's rounding.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import type { UtilisationSeries } from "../model/index.ts";

const BINS = 512;

/** Takes running intervals one by one. */
export class UtilisationBins {
  readonly #busy = new Float64Array(BINS);
  #binMs = 60 * MS_PER_SECOND;

  /** Adds `procs` busy processors on [startMs, endMs). */
  add(procs: number, startMs: number, endMs: number): void {
    while (endMs > BINS * this.#binMs) this.#joinNeighbours();
    const first = Math.floor(startMs / this.#binMs);
    const last = Math.min(BINS - 1, Math.floor(endMs / this.#binMs));
    for (let bin = first; bin <= last; bin++) {
      const fromMs = Math.max(startMs, bin * this.#binMs);
      const toMs = Math.min(endMs, (bin + 1) * this.#binMs);
      if (toMs > fromMs) this.#busy[bin] += procs * (toMs - fromMs);
    }
  }

  /** The course over [0, makespanMs) on a machine of `procs` processors. */
  course(procs: number, makespanMs: number): UtilisationSeries {
    const used = Math.max(1, Math.ceil(makespanMs / this.#binMs));
    const shares = Array.from(this.#busy.subarray(0, used), (busy, bin) => {
      const lengthMs = Math.min(this.#binMs, makespanMs - bin * this.#binMs);
      return busy / (procs * lengthMs);
    });
    return { stepSec: this.#binMs / MS_PER_SECOND, shares };
  }

  #joinNeighbours(): void {
    const half = BINS / 2;
    for (let bin = 0; bin < half; bin++) this.#busy[bin] = this.#busy[2 * bin] + this.#busy[2 * bin + 1];
    this.#busy.fill(0, half);
    this.#binMs *= 2;
  }
}
