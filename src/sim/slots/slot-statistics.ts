/**
 * Statistics of a run's slots: number, sizes, and whether there are more when there are more jobs ([PROV]
 * 3.1, figures 4 to 7).
 */
import { assert, MS_PER_SECOND } from "../../base/index.ts";
import type { SampleSpread, SlotSummary } from "../../model/index.ts";
import type { Slot } from "../../profile/index.ts";
import { Distribution } from "../distribution.ts";

/** The slots of a site at one instant of a simulation. */
export interface SlotSample {
  readonly atMs: number;
  /** Running and queued. */
  readonly jobsInSystem: number;
  readonly slots: readonly Slot[];
}

/** Takes samples one by one. */
export class SlotStatistics {
  readonly #counts = new Measure();
  readonly #jobs = new Measure();
  readonly #procs = new Measure();
  readonly #startsSec = new Measure();
  readonly #durationsSec = new Measure();
  #extensible = 0;
  #countTimesJobs = 0;

  add({ atMs, jobsInSystem, slots }: SlotSample): void {
    this.#counts.add(slots.length);
    this.#jobs.add(jobsInSystem);
    this.#countTimesJobs += slots.length * jobsInSystem;
    for (const { procs, startAt, durationMs, extensible } of slots) {
      this.#procs.add(procs);
      this.#startsSec.add((startAt - atMs) / MS_PER_SECOND);
      this.#durationsSec.add(durationMs / MS_PER_SECOND);
      if (extensible) this.#extensible++;
    }
  }

  /** The summary; undefined where there was no sample. */
  summary(everySec: number): SlotSummary | undefined {
    if (this.#counts.size === 0) return undefined;
    return {
      everySec,
      samples: this.#counts.size,
      count: this.#counts.spread(),
      jobsInSystem: this.#jobs.spread(),
      countJobsCorrelation: correlation(this.#counts, this.#jobs, this.#countTimesJobs),
      procs: this.#procs.spread(),
      startSec: this.#startsSec.spread(),
      durationSec: this.#durationsSec.spread(),
      extensibleShare: this.#extensible / this.#procs.size,
    };
  }
}

/** One measure: its values, and the sums of them and of their squares. */
class Measure {
  readonly #values = new Distribution();
  size = 0;
  sum = 0;
  squares = 0;

  add(value: number): void {
    this.#values.add(value);
    this.size++;
    this.sum += value;
    this.squares += value * value;
  }

  spread(): SampleSpread {
    assert(this.size > 0, "a site has a slot at every sample: beyond the last scheduled end all is free");
    return {
      mean: this.sum / this.size,
      median: this.#values.quantile(0.5),
      p95: this.#values.quantile(0.95),
      p99: this.#values.quantile(0.99),
      max: this.#values.quantile(1),
    };
  }
}

/** Pearson's correlation; null where one of the two never changes. Sums of counts are exact integers. */
function correlation(one: Measure, other: Measure, products: number): number | null {
  const { size } = one;
  const spreadOf = ({ sum, squares }: Measure): number => size * squares - sum * sum;
  const both = Math.sqrt(spreadOf(one)) * Math.sqrt(spreadOf(other));
  return both === 0 ? null : (size * products - one.sum * other.sum) / both;
}
