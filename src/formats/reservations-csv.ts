/**
 * Reads reservations beside a workload: id,start,duration,procs and optionally nodes.
 *
 * The format of `--reservations FILE.csv`; times in seconds from submit time 0 of the trace, with decimals
 * down to a millisecond. Small files only (16 MiB, 100,000 rows), held in memory.
 */
import { accepted, Fault, formatPosition, type Result, refused } from "../base/index.ts";
import { echoText } from "./echo-text.ts";
import { traceBytes } from "./trace-bytes.ts";

/** One row. */
export interface ReservationRow {
  /** Unique in the file, not empty. */
  readonly id: string;
  /** ≥ 0, integer milliseconds. */
  readonly startMs: number;
  /** ≥ 1, integer milliseconds. */
  readonly durationMs: number;
  /** ≥ 1, whole. */
  readonly procs: number;
  /** Equal parts on this many distinct nodes; undefined where the field is empty. */
  readonly nodes: number | undefined;
  /** Line in the file, from 1. */
  readonly line: number;
}

const maxFileBytes = 16 * 1024 * 1024;
const maxRows = 100_000;
const neededNames = ["id", "start", "duration", "procs"] as const;
const columnNames = [...neededNames, "nodes"] as const;
const example = "the file should look like: id,start,duration,procs / maintenance,3600,7200,64";

type ColumnName = (typeof columnNames)[number];
type Order = readonly ColumnName[];

/** Where in the file we are, for messages. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/**
 * The rows of `file` (plain or gzip), in its order.
 *
 * @throws Fault as `traceBytes` does, and `csvTooLarge`, `csvNotText`, and those of
 * {@link parseReservationsCsv}.
 */
export async function readReservationsCsv(file: string): Promise<readonly ReservationRow[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of traceBytes(file)) {
    bytes += chunk.length;
    if (bytes > maxFileBytes) throw tooLarge(file, `more than ${maxFileBytes} bytes`);
    chunks.push(chunk);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new Fault({
      kind: "badInput",
      code: "csvNotText",
      what: `${file}: this is not a text file`,
      why: "it has bytes that are not UTF-8",
      remedy: `save it as plain CSV text; ${example}`,
      cause,
    });
  }
  return parseReservationsCsv(text, file);
}

/**
 * The rows of a CSV text. The first line may name the columns in any order, nodes among them; without such a
 * line they are id,start,duration,procs. Blank lines are skipped.
 *
 * @throws Fault (`badInput`) with file, line and column: `csvColumns`, `csvFieldCount`, `csvQuote`,
 * `csvId`, `csvDuplicateId`, `csvNumber`, `csvTooLarge` (over 100,000 rows).
 */
export function parseReservationsCsv(text: string, file: string): readonly ReservationRow[] {
  const rows: ReservationRow[] = [];
  const lineOfId = new Map<string, number>();
  let order: Order | undefined;
  for (const [index, content] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const place = { file, line: index + 1 };
    const line = content.replace(/\r$/, "");
    if (/^[ \t]*$/.test(line)) continue;
    const cells = cellsOf(line, place);
    if (order === undefined) {
      const named = namedOrder(cells, place);
      order = named ?? neededNames;
      if (named !== undefined) continue;
    }
    if (rows.length === maxRows) throw tooLarge(file, `more than ${maxRows} reservations`);
    const row = rowOf(cells, order, place);
    const earlier = lineOfId.get(row.id);
    if (earlier !== undefined) {
      const column = (cells[order.indexOf("id")] as CsvCell).column;
      throw cellFault(place, column, {
        code: "csvDuplicateId",
        what: `the id ${echoText(row.id)} is used twice`,
        why: `line ${earlier} already has it, and reservations are identified by their ids`,
      });
    }
    lineOfId.set(row.id, row.line);
    rows.push(row);
  }
  return rows;
}

function cellsOf(line: string, place: Place): readonly CsvCell[] {
  const cells = splitCsvLine(line);
  if (cells.ok) return cells.value;
  throw cellFault(place, cells.refusal.column, {
    code: "csvQuote",
    what: "an unexpected double quote",
    why: 'a quoted field begins and ends with " on one line, and a " inside is doubled',
  });
}

/** The order of the columns if the line names them; undefined if it names none. */
function namedOrder(cells: readonly CsvCell[], place: Place): Order | undefined {
  const names = cells.map((cell) => cell.text.toLowerCase());
  if (!neededNames.some((name) => names.includes(name))) return undefined;
  for (const name of neededNames) {
    if (!names.includes(name)) {
      throw cellFault(place, 1, {
        code: "csvColumns",
        what: `missing column ${name}`,
        why: `the columns are ${neededNames.join(", ")}, in any order, and optionally nodes`,
      });
    }
  }
  return names.map((name, index) => {
    const known = columnNames.find((column) => column === name);
    if (known !== undefined && names.indexOf(name) === index) return known;
    const cell = cells[index] as CsvCell;
    throw cellFault(place, cell.column, {
      code: "csvColumns",
      what: `${known === undefined ? "unknown" : "repeated"} column ${echoText(cell.text)}`,
      why: `the columns are ${columnNames.join(", ")}, each once, in any order`,
    });
  });
}

function rowOf(cells: readonly CsvCell[], order: Order, place: Place): ReservationRow {
  const excess = cells[order.length] ?? cells[cells.length - 1];
  if (cells.length !== order.length) {
    throw cellFault(place, excess?.column ?? 1, {
      code: "csvFieldCount",
      what: `found ${cells.length} of ${order.length} fields`,
      why: `every line has ${order.join(",")}`,
    });
  }
  const cell = (name: ColumnName) => cells[order.indexOf(name)] as CsvCell;
  const id = cell("id");
  if (id.text === "" || /\p{Cc}/u.test(id.text) || id.text.length > 200) {
    throw cellFault(place, id.column, {
      code: "csvId",
      what: `${echoText(id.text)} is not an id`,
      why: "an id has 1 to 200 characters and no control characters",
    });
  }
  const startMs = milliseconds(cell("start"), "start", place);
  const durationMs = milliseconds(cell("duration"), "duration", place);
  if (durationMs === 0) throw numberFault(cell("duration"), "duration", place, "must be more than 0");
  if (!Number.isSafeInteger(startMs + durationMs)) {
    throw numberFault(cell("duration"), "duration", place, "ends too late to be counted in milliseconds");
  }
  const procs = whole(cell("procs"), "procs", place);
  return {
    id: id.text,
    startMs,
    durationMs,
    procs,
    nodes: nodesIn(cells, order, procs, place),
    line: place.line,
  };
}

function nodesIn(cells: readonly CsvCell[], order: Order, procs: number, place: Place): number | undefined {
  const cell = cells[order.indexOf("nodes")] as CsvCell | undefined;
  if (cell === undefined || cell.text === "") return undefined;
  const nodes = whole(cell, "nodes", place);
  if (procs % nodes === 0) return nodes;
  throw numberFault(cell, "nodes", place, `must part the ${procs} procs equally`);
}

function whole(cell: CsvCell, name: ColumnName, place: Place): number {
  const count = /^\d+$/.test(cell.text) ? Number(cell.text) : 0;
  if (count >= 1 && Number.isSafeInteger(count)) return count;
  throw numberFault(cell, name, place, "must be a whole number, 1 or more");
}

/** Seconds with up to three decimals → exact milliseconds. */
function milliseconds(cell: CsvCell, name: ColumnName, place: Place): number {
  const [, whole, decimals = ""] = /^(\d+)(?:\.(\d+))?$/.exec(cell.text) ?? [];
  if (whole === undefined) {
    const isNegative = /^-\d/.test(cell.text);
    throw numberFault(cell, name, place, isNegative ? "must not be negative" : "must be a number of seconds");
  }
  if (/[1-9]/.test(decimals.slice(3))) {
    throw numberFault(cell, name, place, "must not be finer than a millisecond");
  }
  const ms = Number(whole) * 1000 + Number(decimals.slice(0, 3).padEnd(3, "0"));
  if (!Number.isSafeInteger(ms)) throw numberFault(cell, name, place, "is too large to be exact");
  return ms;
}

function numberFault(cell: CsvCell, name: ColumnName, place: Place, rule: string): Fault {
  const facts = { code: "csvNumber", what: `bad ${name} ${echoText(cell.text)}`, why: `the ${name} ${rule}` };
  return cellFault(place, cell.column, facts);
}

function cellFault(
  place: Place,
  column: number,
  facts: { readonly code: string; readonly what: string; readonly why: string },
): Fault {
  const position = formatPosition({ ...place, column });
  return new Fault({
    kind: "badInput",
    code: facts.code,
    what: `${position}: ${facts.what}`,
    why: facts.why,
    remedy: `correct the line; ${example}`,
  });
}

function tooLarge(file: string, size: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "csvTooLarge",
    what: `${file}: too large for a reservations file`,
    why: `it has ${size}`,
    remedy: "check that this is a reservations file and not a workload, or split it",
  });
}

// Splits one line of comma-separated values into cells.
//
// Source: RFC 4180 [CSV], within one line: a cell in double quotes may hold commas and, doubled, quotes.
// Blanks around a cell are not part of it.

/** A cell's content, and the column (from 1) at which it begins. */
interface CsvCell {
  readonly text: string;
  readonly column: number;
}

/** The column at which a quoted cell is not closed, or something follows its closing quote. */
interface BadQuote {
  readonly column: number;
}

/** The cells of `line`, which has no line end; at least one. */
function splitCsvLine(line: string): Result<readonly CsvCell[], BadQuote> {
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
