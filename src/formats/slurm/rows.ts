/**
 * The two forms of text that Slurm's commands are asked for: rows of fields, and lines of Key=Value.
 */
import { FIELD_END, ROW_END } from "./words.ts";

/** The fields of a row by name. A field that the text has not is undefined. */
export type Row = Readonly<Record<string, string | undefined>>;

/**
 * Calls `tell` with each row that ends with ROW_END and has this number of fields.
 *
 * @returns how many pieces are no such row
 */
export function eachMarkedRow(text: string, fields: number, tell: (row: readonly string[]) => void): number {
  let unreadable = 0;
  let from = 0;
  for (;;) {
    const end = text.indexOf(`${ROW_END}\n`, from);
    if (end < 0) break;
    const row = text.slice(from, end).split(FIELD_END);
    if (row.length === fields) tell(row);
    else unreadable++;
    from = end + ROW_END.length + 1;
  }
  return text.slice(from).trim() === "" ? unreadable : unreadable + 1;
}

/** Lines whose fields are separated by `|` and named by the first line (`--parsable2`). */
export function namedRows(text: string): readonly Row[] {
  const [head, ...lines] = text.split("\n");
  const fields = head.split("|");
  return lines.filter((line) => line.trim() !== "").map((line) => rowOf(fields, line.split("|")));
}

/** `Key=Value Key=Value`, where values may have blanks; of a key that comes twice the first counts. */
function keyValues(line: string): Row {
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
  return Object.fromEntries(fields.map((field, at) => [field, values[at]]));
}
