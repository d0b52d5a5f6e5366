/**
 * Quotes input in messages: short, and without characters that a terminal interprets.
 *
 * Letters, digits, punctuation and symbols of any script are unchanged; everything else (control bytes,
 * escape sequences, direction marks, undecodable bytes) is written as \xNN or \u{NNNN}.
 */
const maxEchoedCharacters = 40;

/** `text` in double quotes, at most 40 characters of it; a cut is marked by "…". */
export function echoText(text: string): string {
  // At most two UTF-16 units per character: a longer head is never needed, whatever the length of the text.
  const characters = Array.from(text.slice(0, 2 * maxEchoedCharacters + 2));
  const shown = characters.slice(0, maxEchoedCharacters).map(harmless).join("");
  return `"${shown}${characters.length > maxEchoedCharacters ? "…" : ""}"`;
}

function harmless(character: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
}
