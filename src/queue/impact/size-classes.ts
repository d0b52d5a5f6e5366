/**
 * Rectangles by classes of width and of length, for what is learnt of how early they can start: as long as
 * capacity is only taken away, one at least as wide and as long as one that was looked for starts no earlier
 * than that one did. What was found counts for every class whose least member is at least as large.
 */
import { distinctOf } from "./instants.ts";

/** Processors for a duration, to be assigned to a class. */
export interface SizedRectangle {
  readonly procs: number;
  readonly durationMs: number;
}

/** The least of each class, ascending. */
export interface SizeClasses {
  readonly widths: Float64Array;
  readonly lengthsMs: Float64Array;
}

/** The class of one rectangle: where it looks, and from where on what it finds counts. */
export interface SizeClass {
  readonly width: number;
  readonly length: number;
  readonly countsFromWidth: number;
  readonly countsFromLength: number;
}

/** Most classes of width, and of length; the kernel has room for no more (`kernel/assembly/displace`). */
const CLASSES = 24;

/** Classes that these rectangles fill evenly; at most 24 of width, and of length. */
export function classesFor(rectangles: readonly SizedRectangle[]): SizeClasses {
  return {
    widths: leastOfClasses(
      Float64Array.from(rectangles, ({ procs }) => procs),
      CLASSES,
    ).least,
    lengthsMs: leastOfClasses(
      Float64Array.from(rectangles, ({ durationMs }) => durationMs),
      CLASSES,
    ).least,
  };
}

/** The class of a rectangle that was among those that the classes were made for. */
export function classOf(
  { widths, lengthsMs }: SizeClasses,
  { procs, durationMs }: SizedRectangle,
): SizeClass {
  const width = lastAtMost(widths, procs);
  const length = lastAtMost(lengthsMs, durationMs);
  return {
    width,
    length,
    countsFromWidth: widths[width] === procs ? width : width + 1,
    countsFromLength: lengthsMs[length] === durationMs ? length : length + 1,
  };
}

/** The least value of each of at most so many classes, ascending; uses the values up. */
export function leastOfClasses(
  values: Float64Array,
  most: number,
): {
  readonly least: Float64Array;
  /** True where each class is a single value. */
  readonly isExact: boolean;
} {
  const all = distinctOf(values);
  const count = Math.min(most, all.length);
  const least = Float64Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]);
  return { least, isExact: count === all.length };
}

function lastAtMost(ascending: Float64Array, value: number): number {
  let at = ascending.length - 1;
  while (ascending[at] > value) at--;
  return at;
}
