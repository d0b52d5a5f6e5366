/** Number literals: integers in base 8, 10 and 16, reals, and the suffixes B, K, M, G, T. */
import type { Scalar } from "./language.ts";
import { UnreadableText } from "./problem.ts";
import { exactInteger, realValue } from "./values.ts";

const factors = new Map([
  ["", 1],
  ["B", 1],
  ["K", 1024],
  ["M", 1024 ** 2],
  ["G", 1024 ** 3],
  ["T", 1024 ** 4],
]);

/** The least integer without its sign: no integer itself. */
export const SIGNED_ONLY = 2n ** 63n;

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
 * @throws UnreadableText `badNumber` where there is none, or an integer is beyond 64 bits;
 * {@link SIGNED_ONLY} is left to the caller
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
  const number = Number.parseInt(digits, baseOf(hex, octal)) * factorOf(suffix);
  if (Number.isSafeInteger(number)) return { value: { kind: "integer", value: number }, end };
  const exact =
    BigInt(prefixOf(hex, octal) + digits.slice(octal === undefined ? 0 : 1)) * BigInt(factorOf(suffix));
  if (exact > SIGNED_ONLY) throw tooLarge(literal, offset);
  return { value: { kind: "integer", value: Number(exact), exact }, end };
}

function prefixOf(hex: string | undefined, octal: string | undefined): string {
  if (hex !== undefined) return "0x";
  return octal === undefined ? "" : "0o";
}

function factorOf(suffix: string): number {
  return factors.get(suffix.toUpperCase()) ?? 1;
}

/** The number with the other sign; other values are unchanged. */
export function negated(value: Scalar): Scalar {
  if (value.kind === "integer") return exactInteger(-(value.exact ?? BigInt(value.value)));
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

/** The problem of an integer beyond 64 bits. */
export function tooLarge(literal: string, offset: number): UnreadableText {
  return new UnreadableText(offset, {
    code: "badNumber",
    what: `the integer ${literal} is too large`,
    why: "integers have 64 bits: −9223372036854775808 to 9223372036854775807",
    remedy: "write it as a real, with a decimal point; it is then rounded to the nearest real",
  });
}
