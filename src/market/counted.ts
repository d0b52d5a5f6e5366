/**
 * How much can be counted (rule MK-37).
 *
 * Amounts are whole numbers of processor-milliseconds in doubles, exact below 2^53: 2.5 billion SU, or a
 * million processors for a hundred days. Whatever comes to more is this most, which stands for "as much or
 * more"; who sells or charges asks `isCounted` first.
 */

/** 2^53 − 1 processor-milliseconds. */
export const MOST_PROC_MS: number = Number.MAX_SAFE_INTEGER;

/** An amount ≥ 0, or the most that can be counted. */
export function countable(procMs: number): number {
  return Math.min(procMs, MOST_PROC_MS);
}

/** Whether an amount, or the sum of some, is exact. */
export function isCounted(procMs: number): boolean {
  return procMs < MOST_PROC_MS;
}
