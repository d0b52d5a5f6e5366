/** Arguments and environments of submit files, in the old and the new syntax. */

/** Text within the double quotes of the new syntax, in which `""` is a quote; undefined in the old one. */
function newSyntax(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length < 2 || !trimmed.startsWith('"') || !trimmed.endsWith('"')) return undefined;
  return trimmed.slice(1, -1).replaceAll('""', '"');
}

/** Words of arguments. */
export function argumentWords(text: string): readonly string[] {
  const inner = newSyntax(text);
  if (inner !== undefined) return quotedWords(inner);
  return text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => word.replaceAll('\\"', '"'));
}

/** `NAME=value` of an environment: between blanks in the new syntax, between `;` in the old one. */
export function environmentPairs(text: string): readonly string[] {
  const inner = newSyntax(text);
  const parts = inner === undefined ? text.split(";").map((part) => part.trim()) : quotedWords(inner);
  return parts.filter((part) => part !== "");
}

/** Words between blanks; single quotes group, and two of them within are one. */
function quotedWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === "'") {
      if (isQuoted && text[index + 1] === "'") {
        word = `${word ?? ""}'`;
        index++;
      } else {
        isQuoted = !isQuoted;
        word ??= "";
      }
    } else if (/\s/.test(character) && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  return word === undefined ? words : [...words, word];
}

/** Names of files between commas or blanks. */
export function fileNames(text: string): readonly string[] {
  const plain = newSyntax(text) ?? text;
  return plain.split(/\s*,\s*|\s+/).filter((name) => name !== "");
}

/** True, false, or neither. */
export function truthOf(text: string): boolean | undefined {
  if (/^(true|t|yes|y|1)$/i.test(text.trim())) return true;
  return /^(false|f|no|n|0)$/i.test(text.trim()) ? false : undefined;
}
