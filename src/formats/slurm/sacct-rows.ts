/**
 * The rows of `sacct -P`: fields by the names in the first line, each with its column, for what is wrong.
 */
import { Fault, formatPosition } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import { OPTIONAL_FIELDS, SACCT_FIELDS, type SacctField, sacctCommandLine } from "./sacct-command.ts";

/** A row; a field that the file has not is undefined. */
export interface SacctRow {
  readonly file: string;
  readonly line: number;
  readonly value: (field: SacctField) => string | undefined;
  /** From 1; of the row where the file has no such field. */
  readonly column: (field: SacctField) => number;
}

/** Parses a line into a row. */
export type ReadRow = (text: string, line: number) => SacctRow;

/**
 * Understands the first line.
 *
 * @throws Fault `accountingFields` where a field is missing that an import cannot do without
 */
export function readHead(file: string, text: string): ReadRow {
  const names = text.split("|").map((name) => name.trim().toLowerCase());
  const places = new Map(SACCT_FIELDS.map((field) => [field, names.indexOf(field.toLowerCase())]));
  const isThere = (field: SacctField) => (places.get(field) ?? -1) >= 0;
  const missing = SACCT_FIELDS.filter((field) => !isThere(field) && !OPTIONAL_FIELDS.includes(field));
  if (missing.length > 0) throw badHead(file, missing);
  return (row, line) => {
    const values = row.split("|");
    if (values.length !== names.length) throw badWidth({ file, line, row }, values.length, names.length);
    const column = (field: SacctField): number =>
      values.slice(0, Math.max(0, places.get(field) ?? 0)).reduce((sum, { length }) => sum + length + 1, 1);
    return { file, line, column, value: (field) => values[places.get(field) ?? -1] };
  };
}

/** Fault of a field with an impossible value. */
export function badField(row: SacctRow, field: SacctField, why: string): Fault {
  const position = formatPosition({ file: row.file, line: row.line, column: row.column(field) });
  return new Fault({
    kind: "badInput",
    code: "accountingField",
    what: `${position}: ${field} ${echoText(row.value(field) ?? "")} cannot be read`,
    why,
    remedy:
      "see stint import accounting --print-command for the sacct command; --lenient skips and counts such " +
      "rows",
  });
}

function badHead(file: string, missing: readonly SacctField[]): Fault {
  return new Fault({
    kind: "badInput",
    code: "accountingFields",
    what: `${formatPosition({ file, line: 1, column: 1 })}: no field ${missing.join(", ")}`,
    why: "the first line names the fields, separated by |, as sacct -P prints them",
    remedy: `print it with ${sacctCommandLine("FROM", "UNTIL")}`,
  });
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly row: string;
}

function badWidth({ file, line, row }: Place, found: number, wanted: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "accountingRow",
    what: `${formatPosition({ file, line, column: row.length + 1 })}: ${found} fields instead of ${wanted}`,
    why: "each line has the fields that the first line names",
    remedy: "check whether the file is complete; --lenient skips and counts such rows",
  });
}
