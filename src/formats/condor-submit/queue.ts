/**
 * `queue` statements: `queue`, `queue N`, `queue [N] VARS in [slice] (…)`, `… from (…)`, `… from FILE`,
 * `… matching [files|dirs] PATTERNS`.
 *
 * Source: the manual of HTCondor 23, Submitting many similar jobs with one queue command.
 */
import type { JobSurroundings } from "../job-reading/index.ts";
import type { SubmitLine } from "./lines.ts";

/** A queue statement: rows of values, each queued so many times. */
export interface Queue {
  readonly count: number;
  readonly variables: readonly string[];
  /** Undefined where there are no rows: the statement is of a count alone. */
  readonly rows: readonly (readonly string[])[] | undefined;
  /** Number of lines that it takes. */
  readonly lines: number;
}

/** Files that a queue statement reads. */
export interface QueueFiles {
  /** Lines of a file; a text says why there are none. */
  readonly linesOf: (path: string) => readonly string[] | string;
  readonly surroundings: JobSurroundings;
}

const FORM = new RegExp(
  [
    "^queue(?:\\s+(\\d{1,9}))?(?:\\s+([A-Za-z_][\\w\\s,]*?))?\\s+(in|from|matching)\\b\\s*",
    "(files|dirs|any)?\\s*(\\[[^\\]]*\\])?\\s*(.*)$",
  ].join(""),
  "is",
);

/** Reads the statement that begins at `lines[index]`; a text says what is wrong with it. */
export function readQueue(lines: readonly SubmitLine[], index: number, files: QueueFiles): Queue | string {
  const { text } = lines[index];
  const plain = /^queue(?:\s+(\d{1,9}))?$/i.exec(text);
  if (plain !== null) return { count: Number(plain[1] ?? 1), variables: [], rows: undefined, lines: 1 };
  const match = FORM.exec(text.slice(0, 10_000));
  if (match === null) return "it is not one of the forms of queue";
  const [, count = "1", names = "item", way = "", kind = "", slice = "", rest = ""] = match;
  const variables = names.split(/[\s,]+/).filter((name) => name !== "");
  const listed = itemsOf(lines, index, rest);
  if (typeof listed === "string") return listed;
  const items = chosen(way.toLowerCase(), listed, kind.toLowerCase(), files);
  if (typeof items === "string") return items;
  const kept = sliced(items, slice);
  if (kept === undefined) return "its slice is not understood";
  const rows = kept.map((item) => valuesOf(item, variables.length));
  return { count: Number(count), variables, rows, lines: listed.lines };
}

interface Listed {
  /** Text of a list in parentheses, by lines; undefined where a file is named. */
  readonly items: readonly string[] | undefined;
  readonly text: string;
  readonly lines: number;
}

/** The list behind the keyword, which may go over several lines. */
function itemsOf(lines: readonly SubmitLine[], index: number, rest: string): Listed | string {
  if (!rest.startsWith("(")) return { items: undefined, text: rest.trim(), lines: 1 };
  if (rest.endsWith(")")) return { items: [rest.slice(1, -1).trim()], text: "", lines: 1 };
  const items = [rest.slice(1).trim()].filter((item) => item !== "");
  for (let next = index + 1; next < lines.length; next++) {
    const { text } = lines[next];
    if (text.startsWith(")")) return { items, text: "", lines: next - index + 1 };
    if (text.endsWith(")") && !text.includes("(")) {
      return { items: [...items, text.slice(0, -1).trim()], text: "", lines: next - index + 1 };
    }
    items.push(text);
  }
  return "its list is not closed by )";
}

function chosen(
  way: string,
  { items, text }: Listed,
  kind: string,
  { linesOf, surroundings }: QueueFiles,
): readonly string[] | string {
  if (way === "from") return items ?? linesOf(text);
  const words = (items ?? [text]).flatMap((item) => item.split(/[\s,]+/)).filter((word) => word !== "");
  if (way === "in") return words;
  const found = words.flatMap((word): readonly string[] => {
    const { folder, fileState, expandInput } = surroundings;
    const path = word.startsWith("/") ? word : `${folder}/${word}`;
    const state = fileState(path);
    if (state === "readable") return kind === "dirs" ? [] : [word];
    if (state === "directory") return kind === "files" ? [] : [word];
    const files = kind === "dirs" ? undefined : expandInput?.(word, folder);
    return files?.ok ? files.value.map((one) => relative(one, folder)) : [];
  });
  return [...new Set(found)].sort();
}

function relative(path: string, folder: string): string {
  const plain = path.replaceAll("/./", "/");
  return plain.startsWith(`${folder}/`) ? plain.slice(folder.length + 1) : plain;
}

/** Items of a slice in the manner of Python: `[1:10:2]`. */
function sliced(items: readonly string[], slice: string): readonly string[] | undefined {
  if (slice === "") return items;
  const match = /^\[\s*(-?\d{1,9})?\s*(:\s*(-?\d{1,9})?\s*(?::\s*(\d{1,9})?\s*)?)?\]$/.exec(slice);
  if (match === null) return undefined;
  const [, first, range, last, step] = match;
  if (range === undefined) return first === undefined ? undefined : items.slice(Number(first)).slice(0, 1);
  const from = items.slice(
    first === undefined ? 0 : Number(first),
    last === undefined ? undefined : Number(last),
  );
  const every = Number(step ?? 1);
  return every === 0 ? undefined : from.filter((_, at) => at % every === 0);
}

/** Values of an item for so many variables; the last takes the rest. */
function valuesOf(item: string, count: number): readonly string[] {
  if (count === 1) return [item.trim()];
  const separator = item.includes(",") ? /\s*,\s*/ : /\s+/;
  const parts = item.trim().split(separator);
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(item.includes(",") ? "," : " ")];
}
