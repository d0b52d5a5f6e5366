/**
 * Branded quantities: one unit each, so that seconds never meet milliseconds.
 *
 * A quantity is a plain number at run time. Sums and differences of equal units are written with the
 * functions below; products and quotients only through `mul-div` (a lint rule forbids `*` and `/` on
 * brands elsewhere). Inner loops work on typed arrays of plain numbers, named with their unit.
 */
import { assert } from "./assert.ts";

/** The brand, for the type checker only. */
declare const unit: unique symbol;

/** An integer number of `Unit`. */
export type Quantity<Unit extends string> = number & { readonly [unit]: Unit };

/** Milliseconds since the first simulated job's submission, or (live) of Unix time. */
export type InstantMs = Quantity<"instantMs">;
/** A length of time in milliseconds; `Infinity` means for ever. */
export type DurationMs = Quantity<"durationMs">;
/** A number of processors, whole and ≥ 0. */
export type Procs = Quantity<"procs">;
/** Money and processor time: processor-milliseconds, 3,600,000 to one SU. */
export type ProcMs = Quantity<"procMs">;
/** A unit price in thousandths (1000 = one SU for one SU of use). */
export type Thousandths = Quantity<"thousandths">;

export const MS_PER_SECOND = 1000;
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HOUR = 3_600_000;
/** Processor-milliseconds to an SU, which is an hour of a processor. */
export const PROC_MS_PER_SU = 3_600_000;

/** Brands an integer (or Infinity) as an instant. */
export function instantMs(value: number): InstantMs {
  return checked(value) as InstantMs;
}

/** Brands an integer ≥ 0 (or Infinity) as a duration. */
export function durationMs(value: number): DurationMs {
  assert(value >= 0, "a duration is not negative");
  return checked(value) as DurationMs;
}

/** Brands an integer ≥ 0 as a number of processors. */
export function procs(value: number): Procs {
  assert(value >= 0, "a number of processors is not negative");
  return checked(value) as Procs;
}

/** Brands an integer as an amount of money. */
export function procMs(value: number): ProcMs {
  return checked(value) as ProcMs;
}

/** Brands an integer as a unit price in thousandths. */
export function thousandths(value: number): Thousandths {
  return checked(value) as Thousandths;
}

/** The instant one duration later; Infinity where either is infinite. */
export function after(instant: InstantMs, duration: DurationMs): InstantMs {
  return (instant + duration) as InstantMs;
}

/** Duration from `earlier` to `later`; `later` must not be before `earlier`. */
export function between(earlier: InstantMs, later: InstantMs): DurationMs {
  return durationMs(later - earlier);
}

function checked(value: number): number {
  assert(
    Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY,
    `a quantity is an integer within 2^53, not ${value}`,
  );
  return value;
}
