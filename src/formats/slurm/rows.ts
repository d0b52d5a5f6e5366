/**
 * The two forms of text that Slurm's commands are asked for: rows of fields, and lines of Key=Value.
 */
import { FIELD_END, ROW_END } from "./words.ts";

/** The fields of a row by name. A field that the text has not is undefined. */
export type Row = Readonly<Record<string, string | undefined>>;

/** Rows that end with ROW_END and have these fields, in order; what has another number is `unreadable`. */
export function markedRows(
  text: string,
  fields: readonly string[],
): { readonly rows: readonly Row[]; readonly unreadable: number } {
  const pieces = text.split(`${ROW_END}\n`);
  const last = pieces.pop() ?? "";
  const rows: Row[] = [];
  let unreadable = last.trim() === "" ? 0 : 1;
  for (const piece of pieces) {
    const values = piece.split(FIELD_END);
    if (values.length === fields.length) rows.push(rowOf(fields, values));
    else unreadable++;
  }
  return { rows, unreadable };
}

/** Lines whose fields are separated by `|` and named by the first line (`--parsable2`). */
export function namedRows(text: string): readonly Row[] {
  const [head, ...lines] = text.split("\n");
  const fields = head.split("|");
  return lines.filter((line) => line.trim() !== "").map((line) => rowOf(fields, line.split("|")));
}

/** `Key=Value Key=Value`, where values may have blanks; of a key that comes twice the first counts. */
export function keyValues(line: string): Row {
  const found: Record<string, string> = {};
  const starts = [...line.matchAll(/(?:^|\s)([A-Z][A-Za-z0-9_:/]*)=/g)];
  for (const [at, start] of starts.entries()) {
    const key = start[1];
    const from = start.index + start[0].length;
    if (!Object.hasOwn(found, key)) found[key] = line.slice(from, starts[at + 1]?.index).trim();
  }
  return found;
}

/** The lines of `scontrol -o show` that begin with `Key=`. */
export function keyValueLines(text: string, key: string): readonly Row[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${key}=`))
    .map(keyValues);
}

function rowOf(fields: readonly string[], values: readonly string[]): Row {
  // One by one: ten thousand rows of 35 fields are read for one look.
  const row: Record<string, string> = {};
  for (let at = 0; at < fields.length; at++) row[fields[at]] = values[at];
  return row;
}
