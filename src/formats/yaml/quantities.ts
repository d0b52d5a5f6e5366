/**
 * Values that are numbers: counts, sizes, lengths of time.
 */
import { parseDuration, parseRate, parseSize, type QuantityRefusal, type Result } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import { type NamedValue, shown, wrongType } from "./shapes.ts";
import type { ScalarValue } from "./value.ts";

/** An example of a quantity, and the words for a value of 0 (absent where 0 is allowed). */
export interface Wanted {
  readonly example: string;
  readonly ifZero?: { readonly why: string; readonly remedy: string };
}

/** Where a whole number has to lie. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly example: string;
}

/** A size in bytes; undefined, with a problem, where it is none. */
export function sizeOf(named: NamedValue, wanted: Wanted): number | undefined {
  return quantityOf(named, wanted, { parse: parseSize, noun: "size", code: "badSize" });
}

/** A rate in bytes per second; undefined, with a problem, where it is none. */
export function rateOf(named: NamedValue, wanted: Wanted): number | undefined {
  return quantityOf(named, wanted, { parse: parseRate, noun: "rate", code: "badRate" });
}

/** A length of time in milliseconds; undefined, with a problem, where it is none. */
export function durationOf(named: NamedValue, wanted: Wanted): number | undefined {
  return quantityOf(named, wanted, { parse: parseDuration, noun: "length of time", code: "badDuration" });
}

interface Sort {
  readonly parse: (text: string) => Result<number, QuantityRefusal>;
  readonly noun: string;
  readonly code: string;
}

function quantityOf(
  named: NamedValue,
  { example, ifZero }: Wanted,
  { parse, noun, code }: Sort,
): number | undefined {
  const written = numberOrText(named, example);
  if (written === undefined) return undefined;
  const parsed = parse(written.text);
  if (parsed.ok && (parsed.value > 0 || ifZero === undefined)) return parsed.value;
  const words = parsed.ok ? { code: "notPositive", ...ifZero } : { code, ...parsed.refusal };
  named.notes.problem(written.at, {
    code: words.code,
    what: `${shown(named.name)}: ${echoText(written.text)} is no ${noun}`,
    why: words.why ?? "",
    remedy: words.remedy ?? "",
  });
  return undefined;
}

/** A whole number within bounds; undefined, with a problem, where it is none. */
export function wholeNumberOf(
  { name, value, notes }: NamedValue,
  { least, most, example }: Bounds,
): number | undefined {
  if (value.kind !== "scalar" || value.value === null || typeof value.value === "boolean") {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  const number = value.value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= least && number <= most) {
    return number;
  }
  const isQuoted = typeof number === "string" && /^\d+$/.test(number);
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
  notes.problem(value.at, {
    code: isQuoted ? "wrongType" : "notCount",
    what: `${shown(name)}: ${echoText(value.text)} is not a valid number`,
    why: isQuoted ? "in quotes it is a text" : `it is a whole number, ${range}`,
    remedy: isQuoted
      ? `write it without quotes: ${number}`
      : `write for instance ${example}, or leave it out`,
  });
  return undefined;
}

/** The scalar, which is a number or a text; undefined, with a problem, where it is anything else. */
export function numberOrText({ name, value, notes }: NamedValue, example: string): ScalarValue | undefined {
  const isEither =
    value.kind === "scalar" && (typeof value.value === "number" || typeof value.value === "string");
  if (isEither) return value;
  notes.problem(value.at, wrongType(name, value, example));
  return undefined;
}
