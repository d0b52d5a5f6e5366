/**
 * The largest exact amount (rule MK-37).
 *
 * Amounts are whole numbers of processor-milliseconds in doubles, exact below 2^53: 2.5 billion SU, or a
 * million processors for a hundred days. A larger amount is stored as 2^53 − 1, which means "as much or
 * more"; code that sells or charges checks `isCounted` first.
 */

/** The largest amount, 2^53 − 1 processor-milliseconds. */
export const MOST_PROC_MS: number = Number.MAX_SAFE_INTEGER;

/** An amount ≥ 0, at most `MOST_PROC_MS`. */
export function countable(procMs: number): number {
  return Math.min(procMs, MOST_PROC_MS);
}

/** True where an amount, or the sum of some, is exact. */
export function isCounted(procMs: number): boolean {
  return procMs < MOST_PROC_MS;
}
