/** Backslash sequences in strings and quoted names. */
import { UnreadableText } from "./problem.ts";

const letters = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["f", "\f"],
  ["r", "\r"],
  ["v", "\v"],
]);
const written = new Map([...letters].map(([letter, character]) => [character, `\\${letter}`]));

/**
 * Decodes the text between two quotation marks. Octal codes are bytes; several in a row are UTF-8 where they
 * can be, else a character each.
 *
 * @param offset of `raw` in the whole text, for problems
 * @throws UnreadableText `badEscape` at the code 0
 */
export function unescaped(raw: string, offset: number): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/(?:\\(?:[0-3][0-7]{2}|[0-7]{1,2}))+|\\([\s\S])/g, (said, letter, at: number) => {
    if (letter !== undefined) return letters.get(letter) ?? letter;
    const codes = said.split("\\").slice(1);
    const zero = codes.findIndex((code: string) => Number.parseInt(code, 8) === 0);
    if (zero === -1) return decoded(codes.map((code: string) => Number.parseInt(code, 8)));
    const place = codes.slice(0, zero).reduce((sum: number, code: string) => sum + 1 + code.length, 0);
    throw new UnreadableText(offset + at + place, {
      code: "badEscape",
      what: `\\${codes[zero]} is not a valid escape`,
      why: "a backslash and octal digits give the byte with that code, from 1 to 377",
      remedy: "use a code in that range, or two backslashes for a backslash",
    });
  });
}

/** Bytes as UTF-8; one that is not the beginning of a character is a character by itself. */
function decoded(bytes: readonly number[]): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOf(bytes[at]);
    const sequence = bytes.slice(at, at + length).map((byte) => `%${byte.toString(16).padStart(2, "0")}`);
    const character = length > 1 && sequence.length === length ? fromUri(sequence.join("")) : undefined;
    text += character ?? String.fromCharCode(bytes[at]);
    at += character === undefined ? 1 : length;
  }
  return text;
}

/** Bytes of the UTF-8 character that begins with a byte. */
function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function fromUri(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}

/** A text in quotation marks, escaped so that it reads back the same. */
export function quoted(text: string, mark: '"' | "'"): string {
  const inside = text.replace(/\p{Cc}|["'\\]/gu, (character) => {
    if (character === "\\" || character === mark) return `\\${character}`;
    // No sequence denotes the character with code 0; it is left as it is.
    if (!/[\p{Cc}]/u.test(character) || character === "\0") return character;
    return written.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `${mark}${inside}${mark}`;
}
