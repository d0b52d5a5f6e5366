/**
 * When jobs come: by hour, by weekday, and how long after one another.
 */
import type { WorkloadArrivals } from "../../model/index.ts";
import type { LocalClock } from "./local-clock.ts";
import { SpreadOf } from "./spread-of.ts";

/** Takes submissions in any order; keeps eight bytes of each. */
export class Arrivals {
  #submitsMs = new Float64Array(1024);
  #count = 0;
  #latestMs = Number.NEGATIVE_INFINITY;
  #unsorted = 0;

  add(submitMs: number): void {
    if (this.#count === this.#submitsMs.length) this.#grow();
    this.#submitsMs[this.#count++] = submitMs;
    if (submitMs < this.#latestMs) this.#unsorted++;
    else this.#latestMs = submitMs;
  }

  /** Jobs that came after one with a later submission. */
  get unsorted(): number {
    return this.#unsorted;
  }

  /** `beganMs` is the Unix time of submission time 0; undefined where the trace has no dates. */
  summary(clock: LocalClock, beganMs: number | undefined): WorkloadArrivals {
    const submitsMs = this.#submitsMs.subarray(0, this.#count);
    if (this.#unsorted > 0) submitsMs.sort();
    const gaps = new SpreadOf();
    for (let i = 1; i < submitsMs.length; i++) gaps.add((submitsMs[i] - submitsMs[i - 1]) / 1000);
    const spread = { gapsSec: gaps.spread(), gapVariation: gaps.variation() };
    if (beganMs === undefined) return { byHour: null, byWeekday: null, ...spread };
    const byHour = new Array<number>(24).fill(0);
    const byWeekday = new Array<number>(7).fill(0);
    for (const submitMs of submitsMs) {
      const { hour, weekday } = clock.read(beganMs + submitMs);
      byHour[hour]++;
      byWeekday[weekday]++;
    }
    return { byHour, byWeekday, ...spread };
  }

  #grow(): void {
    const grown = new Float64Array(this.#submitsMs.length * 2);
    grown.set(this.#submitsMs);
    this.#submitsMs = grown;
  }
}
