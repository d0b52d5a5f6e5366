/** Names and operators, by character codes. */

/** Codes of characters that the scan tells apart. */
export const CODES = {
  tab: 9,
  newLine: 10,
  return: 13,
  blank: 32,
  doubleQuote: 34,
  hash: 35,
  quote: 39,
  star: 42,
  point: 46,
  slash: 47,
  zero: 48,
  semicolon: 59,
  equals: 61,
  opening: 91,
  backslash: 92,
  closing: 93,
} as const;

const NAME_CODES = Uint8Array.from({ length: 128 }, (_, code) => {
  return /\w/.test(String.fromCharCode(code)) ? 1 : 0;
});

/** True for letters A to Z, digits and `_`. */
export function isNameCode(code: number): boolean {
  return NAME_CODES[code] === 1;
}

/** True for 0 to 9. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** End of the name that begins at an offset. */
export function nameEnd(text: string, at: number): number {
  let end = at + 1;
  while (isNameCode(text.charCodeAt(end))) end++;
  return end;
}

/** Operators by their first character, the longest first. */
const OPERATORS = new Map<number, readonly string[]>();
for (const operator of [
  ...["=?=", "=!=", ">>>", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "?:"],
  ..."-+*/%!~&|^<>=?:.,;()[]{}",
]) {
  const first = operator.charCodeAt(0);
  OPERATORS.set(first, [...(OPERATORS.get(first) ?? []), operator]);
}
const BY_CODE = Array.from({ length: 128 }, (_, code) => OPERATORS.get(code));

/** The longest operator at an offset; undefined where there is none. */
export function operatorAt(text: string, at: number): string | undefined {
  const found = BY_CODE[text.charCodeAt(at)];
  if (found === undefined || found.length === 1) return found?.[0];
  return found.find((operator) => text.startsWith(operator, at));
}
