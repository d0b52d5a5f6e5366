/**
 * How early rectangles can start at all, learnt from searches: as long as capacity is only taken away, one at
 * least as wide and as long as one that was looked for starts no earlier than that one did.
 *
 * Kept by classes of width and of length; what is found counts for every class whose least member is at
 * least as large. For one column; with more of them nothing is kept.
 */
import type { Rectangle } from "./step-chain.ts";

/** By class of width (rows) and of length, the least possible start. */
export interface KnownStarts {
  /** The least of each class, ascending. */
  readonly widths: Float64Array;
  readonly lengthsMs: Float64Array;
  readonly startsMs: Float64Array;
}

/** The class of one rectangle: where it looks, and from where on what it finds counts. */
export interface SizeClass {
  readonly width: number;
  readonly length: number;
  readonly countsFromWidth: number;
  readonly countsFromLength: number;
}

const CLASSES = 24;

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
  return startsMs[width * lengthsMs.length + length];
}

/** Learns that a rectangle of the class starts here at the earliest. */
export function learnStart(
  { widths, lengthsMs, startsMs }: KnownStarts,
  of: SizeClass,
  startMs: number,
): void {
  const columns = lengthsMs.length;
  for (let width = of.countsFromWidth; width < widths.length; width++) {
    const row = width * columns;
    let length = of.countsFromLength;
    if (length < columns && startsMs[row + length] >= startMs) return;
    for (; length < columns && startsMs[row + length] < startMs; length++) startsMs[row + length] = startMs;
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
