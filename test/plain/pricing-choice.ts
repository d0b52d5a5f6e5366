/**
 * Choosing from a list of priced starts, and thinning it, written from the rules alone. Scores are compared
 * as exact fractions, so that a tie is a tie.
 */

/** What choosing looks at. */
export interface PlainChoosable {
  readonly startMs: number;
  readonly fixedProcMs: bigint;
}

/**
 * The one with the smallest α·norm(f) + (1−α)·norm(start), of several the earliest; undefined from nothing.
 * α is taken in parts per million, rounded to the nearest.
 */
export function plainChoice<T extends PlainChoosable>(list: readonly T[], alpha: number): T | undefined {
  const alphaPpm = BigInt(Math.round(alpha * 1_000_000));
  const start = rangeOf(list.map(({ startMs }) => BigInt(startMs)));
  const fixed = rangeOf(list.map(({ fixedProcMs }) => fixedProcMs));
  // Both norms over their common denominator; where all are the same, the numerator is 0.
  const scoreOf = (row: T) =>
    alphaPpm * (row.fixedProcMs - fixed.least) * start.width +
    (1_000_000n - alphaPpm) * (BigInt(row.startMs) - start.least) * fixed.width;
  let best: T | undefined;
  for (const row of [...list].sort((a, b) => a.startMs - b.startMs)) {
    if (best === undefined || scoreOf(row) < scoreOf(best)) best = row;
  }
  return best;
}

/**
 * The ones that no other beats in both, start and f (a tie is not beaten), and the extremes: the first, the
 * last, the earliest of the cheapest and the earliest of the dearest. Sorted by start.
 */
export function plainThin<T extends PlainChoosable>(list: readonly T[]): readonly T[] {
  const sorted = [...list].sort((a, b) => a.startMs - b.startMs);
  const { least, most } = rangeOf(list.map(({ fixedProcMs }) => fixedProcMs));
  const extremes = new Set([
    sorted[0],
    sorted[sorted.length - 1],
    sorted.find(({ fixedProcMs }) => fixedProcMs === least),
    sorted.find(({ fixedProcMs }) => fixedProcMs === most),
  ]);
  return sorted.filter((row) => extremes.has(row) || !list.some((other) => beatsInBoth(other, row)));
}

function beatsInBoth(one: PlainChoosable, other: PlainChoosable): boolean {
  return one.startMs < other.startMs && one.fixedProcMs < other.fixedProcMs;
}

/** Least, most, and their distance (1 where that is 0, so that nothing is divided by it). */
function rangeOf(values: readonly bigint[]): {
  readonly least: bigint;
  readonly most: bigint;
  readonly width: bigint;
} {
  const [least = 0n] = [...values].sort(compare);
  const [most = 0n] = [...values].sort((a, b) => compare(b, a));
  return { least, most, width: most > least ? most - least : 1n };
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
