/**
 * Waits counted by length, in steps that grow evenly on a logarithmic axis: the data of a chart, small enough
 * to be passed between threads, and additive over replicates.
 */
import { MS_PER_SECOND } from "../../base/index.ts";

const STEPS_PER_DECADE = 20;
/** Number of powers of ten from 1 s on: up to three years. */
const DECADES = 8;

/** The longest wait of each count, in seconds; the first takes all below a second, the last all others. */
export const WAIT_EDGES_SEC: readonly number[] = Array.from(
  { length: STEPS_PER_DECADE * DECADES + 1 },
  (_, step) => 10 ** (step / STEPS_PER_DECADE),
);

/** Number of waits per interval: at least as long as the edge before, shorter than this edge. */
export function waitCounts(waitsMs: Iterable<number>): number[] {
  const counts = WAIT_EDGES_SEC.map(() => 0);
  for (const ms of waitsMs) counts[countAt(ms / MS_PER_SECOND)]++;
  return counts;
}

function countAt(sec: number): number {
  if (sec < 1) return 0;
  const guess = Math.floor(Math.log10(sec) * STEPS_PER_DECADE) + 1;
  return Math.min(WAIT_EDGES_SEC.length - 1, guess);
}

/** The counts of two together. */
export function addedCounts(one: readonly number[], other: readonly number[]): number[] {
  return one.map((count, at) => count + other[at]);
}
