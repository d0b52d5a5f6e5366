/**
 * How early rectangles can start at all, learnt from searches: as long as capacity is only taken away, one at
 * least as wide and as long as one that was looked for starts no earlier than that one did.
 *
 * Kept by classes of width and of length; what is found counts for every class whose least member is at
 * least as large. So what is asked for is the most of what was found up to a width and a length: a Fenwick
 * tree over both keeps that. For one column; with more of them nothing is kept.
 */
import type { Rectangle } from "./step-chain.ts";

/** The least possible starts by class of width (rows) and of length. */
export interface KnownStarts {
  /** The least of each class, ascending. */
  readonly widths: Float64Array;
  readonly lengthsMs: Float64Array;
  /** A tree, row by row: each place holds the most of a block of classes that ends with its own. */
  readonly startsMs: Float64Array;
}

/** The class of one rectangle: where it looks, and from where on what it finds counts. */
export interface SizeClass {
  readonly width: number;
  readonly length: number;
  readonly countsFromWidth: number;
  readonly countsFromLength: number;
}

const CLASSES = 64;

/** Classes that these rectangles fill evenly. */
export function classesFor(rectangles: readonly Rectangle[]): KnownStarts {
  const widths = leastOfClasses(rectangles.map(({ need }) => need[0]));
  const lengthsMs = leastOfClasses(rectangles.map(({ durationMs }) => durationMs));
  return { widths, lengthsMs, startsMs: new Float64Array(widths.length * lengthsMs.length) };
}

/** Forgets what was learnt. */
export function forgetStarts({ startsMs }: KnownStarts): void {
  startsMs.fill(Number.NEGATIVE_INFINITY);
}

/** The class of a rectangle that was among those that the classes were made for. */
export function classOf({ widths, lengthsMs }: KnownStarts, { need, durationMs }: Rectangle): SizeClass {
  const width = lastAtMost(widths, need[0]);
  const length = lastAtMost(lengthsMs, durationMs);
  const isWhole = widths[width] === need[0];
  return {
    width,
    length,
    // Of two in several columns the first may be narrower in another one.
    countsFromWidth: need.length > 1 ? widths.length : width + (isWhole ? 0 : 1),
    countsFromLength: lengthsMs[length] === durationMs ? length : length + 1,
  };
}

/** No rectangle of the class starts earlier. */
export function leastStart({ lengthsMs, startsMs }: KnownStarts, { width, length }: SizeClass): number {
  const columns = lengthsMs.length;
  let least = Number.NEGATIVE_INFINITY;
  for (let w = width + 1; w > 0; w &= w - 1) {
    const row = (w - 1) * columns - 1;
    for (let l = length + 1; l > 0; l &= l - 1) if (startsMs[row + l] > least) least = startsMs[row + l];
  }
  return least;
}

/** Learns that a rectangle of the class starts here at the earliest. */
export function learnStart(
  { widths, lengthsMs, startsMs }: KnownStarts,
  of: SizeClass,
  startMs: number,
): void {
  const columns = lengthsMs.length;
  for (let w = of.countsFromWidth + 1; w <= widths.length; w += w & -w) {
    const row = (w - 1) * columns - 1;
    for (let l = of.countsFromLength + 1; l <= columns; l += l & -l) {
      if (startsMs[row + l] < startMs) startsMs[row + l] = startMs;
    }
  }
}

function leastOfClasses(values: readonly number[]): Float64Array {
  const sorted = Float64Array.from(new Set(values)).sort();
  const count = Math.min(CLASSES, sorted.length);
  return Float64Array.from({ length: count }, (_, at) => sorted[Math.floor((at * sorted.length) / count)]);
}

function lastAtMost(ascending: Float64Array, value: number): number {
  let at = ascending.length - 1;
  while (ascending[at] > value) at--;
  return at;
}
