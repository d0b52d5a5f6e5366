/**
 * Sums of integers that stay exact beyond 2^53.
 *
 * A trace of a million jobs can wait 10^17 ms in all. The running part is a double that is always a safe
 * integer; before an addend would make it unsafe, it is moved into a BigInt.
 */
export class ExactSum {
  #poured = 0n;
  #running = 0;

  /** Adds `value`, which must be a safe integer. */
  add(value: number): void {
    const next = this.#running + value;
    if (Number.isSafeInteger(next)) {
      this.#running = next;
      return;
    }
    this.#poured += BigInt(this.#running);
    this.#running = value;
  }

  total(): bigint {
    return this.#poured + BigInt(this.#running);
  }

  /** The sum divided by a positive integer, as the nearest double (error below one part in 10^15). */
  dividedBy(divisor: number): number {
    const total = this.total();
    const whole = total / BigInt(divisor);
    return Number(whole) + Number(total - whole * BigInt(divisor)) / divisor;
  }
}
