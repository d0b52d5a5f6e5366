/**
 * Splits one line of comma-separated values into cells.
 *
 * Source: RFC 4180 [CSV], within one line: a cell in double quotes may hold commas and, doubled, quotes.
 * Blanks around a cell are not part of it.
 */
import { accepted, type Result, refused } from "../base/index.ts";

/** A cell's content, and the column (from 1) at which it begins. */
export interface CsvCell {
  readonly text: string;
  readonly column: number;
}

/** The column at which a quoted cell is not closed, or something follows its closing quote. */
export interface BadQuote {
  readonly column: number;
}

/** The cells of `line`, which has no line end; at least one. */
export function splitCsvLine(line: string): Result<readonly CsvCell[], BadQuote> {
  const cells: CsvCell[] = [];
  // One cell, quoted or plain, with its comma or the end of the line.
  const cell = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*(?=,|$)|([^",]*)(?=,|$))(,?)/y;
  for (;;) {
    const begin = cell.lastIndex;
    const match = cell.exec(line);
    if (match === null) return refused({ column: firstContent(line, begin) });
    const [, quoted, plain = "", comma] = match;
    const text = quoted === undefined ? plain.trimEnd() : quoted.replaceAll('""', '"');
    cells.push({ text, column: firstContent(line, begin) });
    if (comma === "") return accepted(cells);
  }
}

function firstContent(line: string, from: number): number {
  let index = from;
  while (line[index] === " " || line[index] === "\t") index++;
  return index + 1;
}
