/**
 * Words of a directive: quotes and backslashes group, `#` at the beginning of a word begins a comment.
 *
 * Source: sbatch(1); checked with sbatch 22.05. PBS, Grid Engine and LSF group by quotes alike.
 */

/** A word, with its offset in the text and its length as written. */
export interface Word {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/** Words of `line`, which begins at `offset`; an open quote, as its offset. */
export function wordsOf(line: string, offset: number): readonly Word[] | { readonly openQuote: number } {
  const words: Word[] = [];
  let index = 0;
  while (index < line.length) {
    if (/\s/.test(line[index])) {
      index++;
      continue;
    }
    if (line[index] === "#") break;
    const word = wordAt(line, index);
    if (word === undefined) return { openQuote: offset + index };
    words.push({ text: word.text, at: offset + index, end: offset + word.end });
    index = word.end;
  }
  return words;
}

/** The word at an index; undefined where its quote is not closed. */
function wordAt(line: string, begin: number): { readonly text: string; readonly end: number } | undefined {
  let text = "";
  let quote = "";
  let index = begin;
  for (; index < line.length && (quote !== "" || !/\s/.test(line[index])); index++) {
    const character = line[index];
    if (character === "\\" && quote !== "'" && index + 1 < line.length) {
      index++;
      text += line[index];
    } else if (character === quote) quote = "";
    else if (quote === "" && (character === "'" || character === '"')) quote = character;
    else text += character;
  }
  return quote === "" ? { text, end: index } : undefined;
}
