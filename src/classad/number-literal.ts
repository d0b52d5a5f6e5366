/** Number literals: integers in base 8, 10 and 16, reals, and the suffixes B, K, M, G, T. */
import type { Scalar } from "./language.ts";
import { UnreadableText } from "./problem.ts";
import { integerValue, realValue } from "./values.ts";

const factors = new Map([
  ["", 1],
  ["B", 1],
  ["K", 1024],
  ["M", 1024 ** 2],
  ["G", 1024 ** 3],
  ["T", 1024 ** 4],
]);

/** A number, with any letters and digits that are wrongly attached to it. */
const LITERAL = /0[xX][0-9a-zA-Z_]*|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[a-zA-Z_0-9]*/y;
const INTEGER = /^(?:0[xX]([0-9a-fA-F]+)|(0[0-7]+)|(0|[1-9]\d*))([bBkKmMgGtT]?)$/;
const REAL = /^((?:\d*\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?)([bBkKmMgGtT]?)$/;

/** A number and the offset of its end. */
export interface NumberLiteral {
  readonly value: Scalar;
  readonly end: number;
}

/**
 * Reads the number that begins at `offset`.
 *
 * @throws UnreadableText `badNumber` where there is none, or an integer is not exact
 */
export function readNumber(text: string, offset: number): NumberLiteral {
  LITERAL.lastIndex = offset;
  const literal = LITERAL.exec(text)?.[0] ?? text[offset] ?? "";
  const end = offset + literal.length;
  const real = REAL.exec(literal);
  if (real !== null) return { value: realValue(Number(real[1]) * factorOf(real[2])), end };
  const integer = INTEGER.exec(literal);
  if (integer === null) throw new UnreadableText(offset, unreadable(literal));
  const [, hex, octal, decimal, suffix] = integer;
  const digits = hex ?? octal ?? decimal;
  const value = integerValue(Number.parseInt(digits, baseOf(hex, octal)) * factorOf(suffix));
  if (value.kind === "error") throw new UnreadableText(offset, tooLarge(literal));
  return { value, end };
}

function factorOf(suffix: string): number {
  return factors.get(suffix.toUpperCase()) ?? 1;
}

/** Reads a text that is one number with an optional sign; undefined where it is not. */
export function parseNumber(text: string): Scalar | undefined {
  const said = text.trim();
  const special = /^([+-]?)(INF|NaN)$/i.exec(said);
  if (special !== null) {
    const size = special[2]?.toUpperCase() === "INF" ? Number.POSITIVE_INFINITY : Number.NaN;
    return realValue(special[1] === "-" ? -size : size);
  }
  const sign = /^[+-]/.exec(said)?.[0] ?? "";
  const digits = said.slice(sign.length);
  if (!/^[.\d]/.test(digits)) return undefined;
  try {
    const { value, end } = readNumber(digits, 0);
    if (end !== digits.length) return undefined;
    return sign === "-" ? negated(value) : value;
  } catch (error) {
    if (error instanceof UnreadableText) return undefined;
    throw error;
  }
}

/** The number with the other sign; other values are unchanged. */
export function negated(value: Scalar): Scalar {
  if (value.kind === "integer") return integerValue(-value.value);
  return value.kind === "real" ? realValue(-value.value) : value;
}

function baseOf(hex: string | undefined, octal: string | undefined): number {
  if (hex !== undefined) return 16;
  return octal === undefined ? 10 : 8;
}

function unreadable(literal: string) {
  return {
    code: "badNumber" as const,
    what: `${literal} is not a number`,
    why:
      "numbers are 12, 0x1f, 017 (octal), 1.5, 2e9 or .5; a unit B, K, M, G or T may follow, " +
      "each 1024 times the one before",
    remedy:
      "write one of these forms; a decimal point is followed by digits, and a name does not " +
      "begin with a digit",
  };
}

function tooLarge(literal: string) {
  return {
    code: "badNumber" as const,
    what: `the integer ${literal} is too large`,
    why: "integers are exact up to 9007199254740991 (2^53 − 1)",
    remedy: "write it as a real, with a decimal point; it is then rounded to the nearest real",
  };
}
