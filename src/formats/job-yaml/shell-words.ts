/**
 * Splits a line into words as a POSIX shell does, expanding nothing (rule FO-28).
 *
 * Source: POSIX.1-2017, Shell Command Language, 2.2 Quoting and 2.3 Token Recognition. Supported are single
 * quotes, double quotes, backslashes and line continuation; all other special characters of a shell
 * (variables, patterns, operators, comments) are literal.
 */
import { accepted, type Result, refused } from "../../base/index.ts";

/** The words of a line. */
export interface ShellWords {
  readonly words: readonly string[];
  /** The first character outside single quotes that a shell would act on and we do not: `$`, `|`, … */
  readonly unexpanded?: string;
}

/** Quote without its end, with the index at which it begins. */
export interface OpenQuote {
  readonly mark: "'" | '"' | "\\";
  readonly index: number;
}

const blanks = " \t\n";
const operators = "$`|&;<>";

/** Splits `line`; refused where a quote is not closed or a lone backslash ends it. */
export function splitShellWords(line: string): Result<ShellWords, OpenQuote> {
  const words: string[] = [];
  let word: string | undefined;
  let unexpanded: string | undefined;
  let index = 0;
  while (index < line.length) {
    const character = line[index];
    if (blanks.includes(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      index++;
    } else if (character === "'" || character === '"') {
      const quoted = character === "'" ? singleQuoted(line, index) : doubleQuoted(line, index);
      if (quoted === undefined) return refused({ mark: character, index });
      word = (word ?? "") + quoted.text;
      unexpanded ??= quoted.unexpanded;
      index = quoted.end;
    } else if (character === "\\") {
      if (index + 1 === line.length) return refused({ mark: "\\", index });
      if (line[index + 1] !== "\n") word = (word ?? "") + line[index + 1];
      index += 2;
    } else {
      if (operators.includes(character)) unexpanded ??= character;
      word = (word ?? "") + character;
      index++;
    }
  }
  if (word !== undefined) words.push(word);
  return accepted({ words, ...(unexpanded === undefined ? {} : { unexpanded }) });
}

interface Quoted {
  readonly text: string;
  /** The index after the closing quote. */
  readonly end: number;
  readonly unexpanded?: string;
}

function singleQuoted(line: string, begin: number): Quoted | undefined {
  const end = line.indexOf("'", begin + 1);
  return end === -1 ? undefined : { text: line.slice(begin + 1, end), end: end + 1 };
}

function doubleQuoted(line: string, begin: number): Quoted | undefined {
  let text = "";
  let unexpanded: string | undefined;
  for (let index = begin + 1; index < line.length; index++) {
    const character = line[index];
    if (character === '"') {
      return { text, end: index + 1, ...(unexpanded === undefined ? {} : { unexpanded }) };
    }
    const next = line[index + 1];
    if (character === "\\" && next !== undefined && '$`"\\\n'.includes(next)) {
      if (next !== "\n") text += next;
      index++;
    } else {
      if (character === "$" || character === "`") unexpanded ??= character;
      text += character;
    }
  }
  return undefined;
}
