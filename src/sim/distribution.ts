/**
 * The values of one measure over all jobs: exact mean and exact quantiles.
 *
 * Eight bytes a value, sorted once at the end; sketches would save memory and lose exactness. Quantiles
 * interpolate linearly between neighbours (type 7 of [HF96]), as R and NumPy do by default, so that notebooks
 * give the same numbers (rule SI-5).
 */
import { assert } from "../base/index.ts";

/** Numbers in the order they came. */
export class Distribution {
  #values = new Float64Array(1024);
  #count = 0;
  #isSorted = false;

  add(value: number): void {
    if (this.#count === this.#values.length) this.#grow();
    this.#values[this.#count++] = value;
    this.#isSorted = false;
  }

  /** The q-quantile, 0 ≤ q ≤ 1; there must be a value. */
  quantile(q: number): number {
    assert(this.#count > 0, "a quantile is of at least one value");
    const sorted = this.#sorted();
    const rank = q * (this.#count - 1);
    const below = Math.floor(rank);
    const above = Math.min(below + 1, this.#count - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }

  #sorted(): Float64Array {
    const values = this.#values.subarray(0, this.#count);
    if (!this.#isSorted) values.sort();
    this.#isSorted = true;
    return values;
  }

  #grow(): void {
    const grown = new Float64Array(this.#values.length * 2);
    grown.set(this.#values);
    this.#values = grown;
  }
}
