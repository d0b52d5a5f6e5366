/**
 * Plain columns of text that fit the terminal. Off a terminal nothing is cut or omitted, so that other
 * programs see everything. On a narrow terminal, optional columns are omitted, the rightmost first, and then
 * the flexible column is cut.
 */

/** A column, with its treatment on a narrow terminal. */
export interface Column {
  readonly head: string;
  readonly align?: "right";
  /** Cut if needed, down to its head and no less than 8 characters. */
  readonly isFlexible?: boolean;
  /** Omitted if needed. */
  readonly isOptional?: boolean;
  /** Colours a padded cell; its text stays the same. */
  readonly paint?: (cell: string) => string;
}

/** A table, and the heads of the columns that its terminal has no room for. */
export interface FittedTable {
  readonly text: string;
  readonly omitted: readonly string[];
}

const GAP = 2;
const LEAST_FLEXIBLE = 8;

/** The table with its heads; `terminalColumns` is the width of the terminal, undefined off one. */
export function textTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminalColumns: number | undefined,
): string {
  return fittedTable(columns, rows, terminalColumns).text;
}

/** {@link textTable}, with what it omits. */
export function fittedTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminalColumns: number | undefined,
): FittedTable {
  const cells = rows.map((row) => row.map(printable));
  const widths = columns.map(({ head }, at) =>
    cells.reduce((widest, row) => Math.max(widest, lengthOf(row[at] ?? "")), head.length),
  );
  const kept = new Set(columns.keys());
  if (terminalColumns !== undefined) narrow(columns, { widths, kept, terminalColumns });
  const last = Math.max(...kept);
  const lines = [columns.map(({ head }) => head), ...cells].map((row, line) => {
    const shown = columns.flatMap(({ align, paint }, at) => {
      if (!kept.has(at)) return [];
      const whole = padded(row[at] ?? "", widths[at], align);
      const cell = at === last ? whole.trimEnd() : whole;
      return line > 0 && paint !== undefined ? paint(cell) : cell;
    });
    return shown.join(" ".repeat(GAP)).trimEnd();
  });
  const omitted = columns.flatMap(({ head }, at) => (kept.has(at) ? [] : head));
  return { text: `${lines.join("\n")}\n`, omitted };
}

/** Text without terminal control: every character but letters, digits, marks and blanks is shown as `?`. */
export function printable(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "?");
}

/**
 * Characters that no output format passes on: control characters but tab and line ends, and marks of text
 * direction.
 */
export const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

interface Narrowing {
  /** Column widths, reduced to what fits. */
  readonly widths: number[];
  /** Indices of the columns that are shown; shrinks. */
  readonly kept: Set<number>;
  readonly terminalColumns: number;
}

function narrow(columns: readonly Column[], { widths, kept, terminalColumns }: Narrowing): void {
  const flexible = columns.findIndex(({ isFlexible }) => isFlexible);
  const least = Math.max(LEAST_FLEXIBLE, columns[flexible]?.head.length ?? 0);
  const tooWideBy = (flexibleWidth: number): number =>
    [...kept].reduce((sum, at) => sum + (at === flexible ? flexibleWidth : widths[at]) + GAP, -GAP) -
    terminalColumns;
  for (let at = columns.length - 1; at >= 0; at--) {
    const natural = Math.min(widths[flexible] ?? 0, least);
    if (columns[at].isOptional && tooWideBy(natural) > 0) kept.delete(at);
  }
  const excess = tooWideBy(widths[flexible] ?? 0);
  if (flexible !== -1 && excess > 0) widths[flexible] = Math.max(least, widths[flexible] - excess);
}

function padded(text: string, width: number, align: "right" | undefined): string {
  const length = lengthOf(text);
  if (length > width) return `${[...text].slice(0, width - 1).join("")}…`;
  const blanks = " ".repeat(width - length);
  return align === "right" ? blanks + text : text + blanks;
}

function lengthOf(text: string): number {
  return [...text].length;
}
