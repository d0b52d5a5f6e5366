/**
 * Output formats of listings: a table that fits the terminal, a wide one with all columns, JSON and YAML of
 * the same value, CSV, and names alone.
 */
import { Option } from "commander";
import { counted, Fault } from "../base/index.ts";
import { outColours } from "./colours.ts";
import { jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import type { Terminal } from "./terminal.ts";
import { type Column, fittedTable, UNPRINTABLE } from "./text-table.ts";

export const OUTPUT_FORMS = ["table", "wide", "json", "yaml", "csv", "name"] as const;

/** Format of a listing, for `-o`. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** A column of a listing with its cells. */
export interface ListingColumn<Item> extends Column {
  /** Shown only in the wide format. */
  readonly isWide?: boolean;
  /** Left out where every cell of it is `-`. */
  readonly isSparse?: boolean;
  readonly cell: (item: Item, nowMs: number) => string;
}

/** Formats of items of one kind. */
export interface Listing<Item> {
  readonly columns: readonly ListingColumn<Item>[];
  /** Fields of the CSV in order, with their values; lists and records are written as JSON. */
  readonly fields: readonly string[];
  readonly record: (item: Item) => Readonly<Record<string, unknown>>;
  readonly name: (item: Item) => string;
}

/** Items to write, and their format. */
export interface Writing<Item> {
  readonly items: readonly Item[];
  readonly form: OutputForm;
  /** Value of JSON and YAML; absent: the items as a complete list. */
  readonly value?: unknown;
  /** Remark for people where there are no items, without its full stop; absent: none. */
  readonly none?: string;
}

/** The option `-o` with every format; a table by default. */
export function outputOption(): Option {
  return new Option("-o, --output <form>", "output format")
    .choices(OUTPUT_FORMS)
    .argParser(oneOf("-o", OUTPUT_FORMS))
    .default("table");
}

/** Writes items in the requested format; a table without items is empty, and people get the remark. */
export async function writeItems<Item>(
  { items, form, value = listValue(items), none }: Writing<Item>,
  listing: Listing<Item>,
  terminal: Terminal,
): Promise<void> {
  if (form === "json") terminal.writeResult(jsonText(value));
  else if (form === "yaml") terminal.writeResult(await yamlText(value));
  else if (form === "csv") terminal.writeResult(csvText(listing.fields, items.map(listing.record)));
  else if (form === "name") terminal.writeResult(items.map((item) => `${listing.name(item)}\n`).join(""));
  else if (items.length > 0) terminal.writeResult(tableText(items, listing, form, terminal));
  else if (none !== undefined) terminal.writeError(`stint: ${none}\n`);
}

/** JSON of a complete list, in the shape of one page of many. */
export function listValue<Item>(items: readonly Item[]): {
  readonly items: readonly Item[];
  readonly next: null;
} {
  return { items, next: null };
}

/** True for formats for people, which get remarks on empty and truncated lists. */
export function isForPeople(form: OutputForm): form is "table" | "wide" {
  return form === "table" || form === "wide";
}

/**
 * Items in a table; a wide one has all columns and is not cut. A line below the table names the columns that
 * a narrow terminal has no room for.
 */
export function tableText<Item>(
  items: readonly Item[],
  { columns }: Pick<Listing<Item>, "columns">,
  form: "table" | "wide",
  terminal: Pick<Terminal, "columns" | "nowMs">,
): string {
  const nowMs = terminal.nowMs();
  const shown = columns.filter(
    ({ isWide, isSparse, cell }) =>
      (form === "wide" || isWide !== true) &&
      (isSparse !== true || items.some((item) => cell(item, nowMs) !== "-")),
  );
  const rows = items.map((item) => shown.map(({ cell }) => cell(item, nowMs)));
  const { text, omitted } = fittedTable(shown, rows, form === "wide" ? undefined : terminal.columns);
  return omitted.length === 0 ? text : text + outColours.dim(omittedText(omitted, terminal.columns));
}

/** Omitted columns, in lines of this width: `2 columns omitted: SITE, TIME; -o wide shows them`. */
function omittedText(omitted: readonly string[], width = Number.POSITIVE_INFINITY): string {
  const them = omitted.length === 1 ? "it" : "them";
  const words = `${counted(omitted.length, "column")} omitted: ${omitted.join(", ")}; -o wide shows ${them}`;
  let lines = "";
  let line = "";
  for (const word of words.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines += `${line}\n`;
      line = word;
    } else line += line === "" ? word : ` ${word}`;
  }
  return `${lines}${line}\n`;
}

/** A value as YAML; the library is loaded on first use. */
async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import("yaml");
  const text = stringify(value, YAML_STYLE);
  if (text.search(UNPRINTABLE) < 0) return text;
  // Only text in double quotes can have escapes.
  const quoted = {
    ...YAML_STYLE,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "QUOTE_DOUBLE",
  } as const;
  return stringify(value, quoted).replace(UNPRINTABLE, escapeOf);
}

const YAML_STYLE = { aliasDuplicateObjects: false, lineWidth: 0 } as const;

/** A header line, then a line per record (RFC 4180 [CSV]); absent values are empty cells. */
export function csvText(
  fields: readonly string[],
  records: readonly Readonly<Record<string, unknown>>[],
): string {
  const lines = records.map((record) => fields.map((field) => csvCell(record[field])).join(","));
  return `${[fields.join(","), ...lines].join("\r\n")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const written = typeof value === "object" ? JSON.stringify(value) : String(value);
  // CSV has no escapes: this one is for people, and keeps what a terminal would obey from it.
  const text = written.replace(UNPRINTABLE, escapeOf);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16);
  return hex.length <= 2 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
}

/** @throws Fault if columns are chosen for a format that has none */
export function demandColumnsShown(chosen: {
  readonly columns?: readonly string[] | undefined;
  readonly output: OutputForm;
}): void {
  const { columns, output } = chosen;
  if (columns === undefined || isForPeople(output) || output === "csv") return;
  throw new Fault({
    kind: "badInput",
    code: "columnsNotShown",
    what: `--columns has no effect on -o ${output}`,
    why: "it selects table columns; JSON and YAML always have every field, and -o name only names",
    remedy: "use it with -o table, wide or csv, or leave it out",
  });
}

/** Fault for a format that cannot be written change by change. */
export function watchFormUnfit(form: OutputForm, option = "--watch"): Fault {
  return new Fault({
    kind: "badInput",
    code: "watchFormUnfit",
    what: `${option} does not write ${form}`,
    why: "each change is printed as it happens, so there is never a complete list",
    remedy: "use it with -o table, wide or json",
  });
}
