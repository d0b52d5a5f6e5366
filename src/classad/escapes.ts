/** Backslash sequences in strings and quoted names. */
import { UnreadableText } from "./problem.ts";

const letters = new Map([
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["f", "\f"],
  ["r", "\r"],
]);
const written = new Map([...letters].map(([letter, character]) => [character, `\\${letter}`]));

/**
 * Decodes the text between two quotation marks.
 *
 * @param offset of `raw` in the whole text, for problems
 * @throws UnreadableText `badEscape` at a code that is no character
 */
export function unescaped(raw: string, offset: number): string {
  if (!raw.includes("\\")) return raw;
  return raw.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, said: string, at: number) => {
    if (!/^[0-7]/.test(said)) return letters.get(said) ?? said;
    const code = Number.parseInt(said, 8);
    if (code > 0 && code < 256) return String.fromCharCode(code);
    throw new UnreadableText(offset + at, {
      code: "badEscape",
      what: `\\${said} is not a valid escape`,
      why: "a backslash and octal digits give the character with that code, from 1 to 377",
      remedy: "use a code in that range, or two backslashes for a backslash",
    });
  });
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
