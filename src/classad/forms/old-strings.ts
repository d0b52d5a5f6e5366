/**
 * Strings of the old syntax of ads, as `condor_q -long` writes them.
 *
 * The one escape is `\"` for a quotation mark, and not even that at the end of a line, where the mark closes
 * the string; any other backslash is itself: `"C:\temp\"`.
 */
import { quoted, unescaped } from "../escapes.ts";

/** A text in old syntax, with the strings of the new one. */
export function withNewStrings(old: string): string {
  let text = "";
  let begin = 0;
  for (const at of plainBackslashes(old)) {
    text += `${old.slice(begin, at)}\\`;
    begin = at;
  }
  return text + old.slice(begin);
}

/** The column in a text of old syntax of a column in the same with new strings, both from 1. */
export function oldColumn(old: string, column: number): number {
  const before = plainBackslashes(old).filter((at, doubled) => at + doubled < column - 1);
  return Math.max(1, column - before.length);
}

const MARK = { text: '"', name: "'", escape: "\\" } as const;

/** Offsets of the backslashes in strings that are no part of an escape. */
function plainBackslashes(old: string): readonly number[] {
  const found: number[] = [];
  let within: string | undefined;
  for (let at = 0; at < old.length; at++) {
    const character = old[at];
    if (within === undefined) {
      if (character === MARK.text || character === MARK.name) within = character;
    } else if (character === within) within = undefined;
    else if (character === MARK.escape) {
      const isEscape = within === MARK.name || (old[at + 1] === MARK.text && at + 2 < old.length);
      if (isEscape) at++;
      else found.push(at);
    }
  }
  return found;
}

/** The canonical text of an expression, with the strings of the old syntax. */
export function withOldStrings(canonical: string): string {
  if (!canonical.includes("\\")) return canonical;
  return canonical.replace(/'(?:[^'\\]|\\.)*'|"((?:[^"\\]|\\.)*)"/gs, (found, inside, at: number) => {
    if (inside === undefined) return found;
    const value = unescaped(inside, 0);
    const isLast = at + found.length === canonical.length;
    const isWritable = !/[\n\r]/.test(value) && (isLast || !value.endsWith("\\"));
    // What the old syntax cannot write is the value of an expression in the new one.
    return isWritable ? oldQuoted(value) : `eval(${oldQuoted(quoted(value, '"'))})`;
  });
}

function oldQuoted(value: string): string {
  return `"${value.replaceAll('"', '\\"')}"`;
}
