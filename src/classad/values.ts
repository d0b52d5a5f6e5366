/** Constants and constructors of values. */
import type { ClassAdValue, IntegerValue, ListValue, Scalar } from "./language.ts";

/** The value of undefined names. */
export const UNDEFINED: Scalar = { kind: "undefined" };
/** The value of failed operations. */
export const ERROR: Scalar = { kind: "error" };
export const TRUE: Scalar = { kind: "boolean", value: true };
export const FALSE: Scalar = { kind: "boolean", value: false };

/** Largest length of a string in an evaluation, in UTF-16 code units; a longer one is `error`. */
export const STRING_LIMIT = 65_536;

/** A boolean. */
export function booleanValue(value: boolean): Scalar {
  return value ? TRUE : FALSE;
}

/** An integer; `error` beyond ±(2^53 − 1), where numbers are not exact. */
export function integerValue(value: number): Scalar {
  // Adding 0 turns −0, which integers do not have, into 0.
  return Number.isSafeInteger(value) ? { kind: "integer", value: value + 0 } : ERROR;
}

/** Least and greatest integer. */
const INTEGER_LIMITS = [-(2n ** 63n), 2n ** 63n - 1n] as const;

/** An integer; `error` beyond 64 bits. */
export function exactInteger(value: bigint): Scalar {
  if (value < INTEGER_LIMITS[0] || value > INTEGER_LIMITS[1]) return ERROR;
  const number = Number(value);
  return Number.isSafeInteger(number)
    ? integerValue(number)
    : { kind: "integer", value: number, exact: value };
}

/** The integer itself. */
export function exactOf({ value, exact }: IntegerValue): bigint {
  return exact ?? BigInt(value);
}

/** The integer that a real is cut to; `error` beyond 64 bits. */
export function truncated(real: number): Scalar {
  const whole = Math.trunc(real);
  if (Number.isSafeInteger(whole)) return integerValue(whole);
  return Number.isFinite(whole) ? exactInteger(BigInt(whole)) : ERROR;
}

/** A real. */
export function realValue(value: number): Scalar {
  return { kind: "real", value };
}

/** A string; `error` where it is longer than {@link STRING_LIMIT}. */
export function stringValue(value: string): Scalar {
  return value.length > STRING_LIMIT ? ERROR : { kind: "string", value };
}

/**
 * A day after the year 0 begins, and a day before 9999 ends, so that in any zone the year has four digits.
 */
const FIRST_SECOND = -62_167_132_800;
const LAST_SECOND = 253_402_214_399;
/** Largest length of time in seconds; beyond it milliseconds are not exact. */
const LENGTH_LIMIT_SECONDS = 9_007_199_254_740;

/** An instant in whole seconds (rounded down), its zone in whole minutes; `error` outside 0 to 9999. */
export function absTimeValue(seconds: number, offsetSeconds: number): Scalar {
  const whole = Math.floor(seconds);
  const isWritable = whole >= FIRST_SECOND && whole <= LAST_SECOND;
  const zone = Math.trunc(offsetSeconds / 60) * 60;
  return isWritable ? { kind: "absTime", seconds: whole + 0, offsetSeconds: zone + 0 } : ERROR;
}

/** A length of time, to the millisecond; `error` beyond 285,000 years. */
export function relTimeValue(seconds: number): Scalar {
  if (!(Math.abs(seconds) <= LENGTH_LIMIT_SECONDS)) return ERROR;
  return { kind: "relTime", seconds: Math.round(seconds * 1_000) / 1_000 + 0 };
}

/** A list of evaluated items. */
export function listValue(items: readonly ClassAdValue[]): ListValue {
  return { kind: "list", items };
}

/** The number of a value: numbers themselves, booleans 1 and 0; undefined for other kinds. */
export function numberOf(value: ClassAdValue): number | undefined {
  if (value.kind === "integer" || value.kind === "real") return value.value;
  return value.kind === "boolean" ? Number(value.value) : undefined;
}

/** The truth of a value: booleans themselves, numbers whether they are not 0; undefined for other kinds. */
export function truthOf(value: ClassAdValue): boolean | undefined {
  if (value.kind === "boolean") return value.value;
  return value.kind === "integer" || value.kind === "real" ? value.value !== 0 : undefined;
}
