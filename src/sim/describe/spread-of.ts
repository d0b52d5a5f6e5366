/**
 * Values as they come, and their spread at the end.
 */
import type { Spread } from "../../model/index.ts";
import { Distribution } from "../distribution.ts";

/** Takes values one by one; keeps eight bytes of each for exact quantiles. */
export class SpreadOf {
  readonly #values = new Distribution();
  #sum = 0;
  #squares = 0;
  #count = 0;

  add(value: number): void {
    this.#values.add(value);
    this.#sum += value;
    this.#squares += value * value;
    this.#count++;
  }

  /** Standard deviation (of the population) over mean; null without values or with a mean of 0. */
  variation(): number | null {
    if (this.#count === 0 || this.#sum === 0) return null;
    const mean = this.#sum / this.#count;
    return Math.sqrt(Math.max(0, this.#squares / this.#count - mean * mean)) / mean;
  }

  /** Null without values. */
  spread(): Spread | null {
    if (this.#count === 0) return null;
    const at = (q: number): number => this.#values.quantile(q);
    return {
      mean: this.#sum / this.#count,
      min: at(0),
      p5: at(0.05),
      p25: at(0.25),
      median: at(0.5),
      p75: at(0.75),
      p95: at(0.95),
      p99: at(0.99),
      max: at(1),
    };
  }
}
