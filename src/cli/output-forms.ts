/**
 * The forms in which commands write what they list (rule CL-16): a table that fits the terminal, a wide
 * one with everything, JSON and YAML of the same value, CSV, and names alone.
 */
import { Option } from "commander";
import { Fault } from "../base/index.ts";
import { jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import type { Terminal } from "./terminal.ts";
import { type Column, textTable, UNPRINTABLE } from "./text-table.ts";

/** Every form. */
export const OUTPUT_FORMS = ["table", "wide", "json", "yaml", "csv", "name"] as const;

/** A form in which a list is written. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** A column of a listing, with its cell. */
interface ListingColumn<Item> extends Column {
  /** Only in the wide form. */
  readonly isWide?: boolean;
  readonly cell: (item: Item) => string;
}

/** How items of one kind are written. */
export interface Listing<Item> {
  readonly columns: readonly ListingColumn<Item>[];
  /** The fields of the CSV, in order, and their values; lists and records are written as JSON. */
  readonly fields: readonly string[];
  readonly record: (item: Item) => Readonly<Record<string, unknown>>;
  readonly name: (item: Item) => string;
}

/** What is written, and as what. */
export interface Writing<Item> {
  readonly items: readonly Item[];
  readonly form: OutputForm;
  /** What JSON and YAML say. */
  readonly value: unknown;
}

/** `-o`, with every form; a table unless said otherwise. */
export function outputOption(): Option {
  return new Option("-o, --output <form>", "how to write it")
    .choices(OUTPUT_FORMS)
    .argParser(oneOf("-o", OUTPUT_FORMS))
    .default("table");
}

/** Writes items in the form that was asked for; a table of none is nothing. */
export async function writeItems<Item>(
  { items, form, value }: Writing<Item>,
  listing: Listing<Item>,
  terminal: Terminal,
): Promise<void> {
  if (form === "json") terminal.writeResult(jsonText(value));
  else if (form === "yaml") terminal.writeResult(await yamlText(value));
  else if (form === "csv") terminal.writeResult(csvText(listing.fields, items.map(listing.record)));
  else if (form === "name") terminal.writeResult(items.map((item) => `${listing.name(item)}\n`).join(""));
  else if (items.length > 0) terminal.writeResult(tableText(items, listing, form, terminal.columns));
}

/** Whether a form is for people: they are told where there is nothing or more, programs see it. */
export function isForPeople(form: OutputForm): form is "table" | "wide" {
  return form === "table" || form === "wide";
}

/** Items in a table; a wide one has all columns and is not cut. */
export function tableText<Item>(
  items: readonly Item[],
  { columns }: Pick<Listing<Item>, "columns">,
  form: "table" | "wide",
  terminalColumns: number | undefined,
): string {
  const shown = columns.filter(({ isWide }) => form === "wide" || isWide !== true);
  const rows = items.map((item) => shown.map(({ cell }) => cell(item)));
  return textTable(shown, rows, form === "wide" ? undefined : terminalColumns);
}

/** A value as YAML; the library is loaded when it is asked for. */
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

/** A line of names, then a line a record (RFC 4180 [CSV]); an empty cell where there is nothing. */
function csvText(fields: readonly string[], records: readonly Readonly<Record<string, unknown>>[]): string {
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

/** A form in which what is watched cannot be written as it comes. */
export function watchFormUnfit(form: OutputForm): Fault {
  return new Fault({
    kind: "badInput",
    code: "watchFormUnfit",
    what: `--watch does not write ${form}`,
    why: "it writes each change as it comes, and that is no whole list",
    remedy: "use it with -o table, wide or json",
  });
}
