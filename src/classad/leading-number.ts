/** The number with which a text begins, read as C does: `12abc` is 12, `1.5K` is 1536. */

/** Units of a number in a text, by their letter. */
const FACTORS: Readonly<Record<string, number>> = { B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

const DECIMAL = /^[ \t\n\v\f\r]*([+-]?)((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/;
const HEXADECIMAL = /^[ \t\n\v\f\r]*([+-]?)0[xX]([0-9a-fA-F]+)/;
const SPECIAL = /^[ \t\n\v\f\r]*([+-]?)(inf(?:inity)?|nan)/i;

/** A number and the rest of the text behind it. */
export interface LeadingNumber {
  readonly value: number;
  readonly rest: string;
}

/** The number at the beginning of a text, without its unit; undefined where there is none. */
export function leadingNumber(text: string): LeadingNumber | undefined {
  const hexadecimal = HEXADECIMAL.exec(text);
  if (hexadecimal !== null) return found(text, hexadecimal, Number.parseInt(hexadecimal[2], 16));
  const decimal = DECIMAL.exec(text);
  if (decimal !== null) return found(text, decimal, Number(decimal[2]));
  const special = SPECIAL.exec(text);
  if (special === null) return undefined;
  const isInfinite = special[2].toLowerCase().startsWith("inf");
  return found(text, special, isInfinite ? Number.POSITIVE_INFINITY : Number.NaN);
}

function found(text: string, [whole, sign]: RegExpExecArray, size: number): LeadingNumber {
  return { value: sign === "-" ? -size : size, rest: text.slice(whole.length) };
}

/** The factor of the unit that a text begins with; 1 where it begins with none. */
export function unitOf(rest: string): number {
  return FACTORS[rest.charAt(0).toUpperCase()] ?? 1;
}
