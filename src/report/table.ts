/**
 * Tables, and text into HTML and SVG: everything that comes from outside goes through `escaped`.
 */

/** Text that is nothing but text in HTML and SVG, between tags and in quotes. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** A cell of a table: text on the left, or a number on the right. */
export interface Cell {
  readonly text: string;
  readonly isNumber?: boolean;
  /** Said below it, smaller. */
  readonly note?: string;
}

/** A table with a caption; the first cell of each row names it. */
export function htmlTable(
  caption: string,
  heads: readonly Cell[],
  rows: readonly (readonly Cell[])[],
): string {
  const side = ({ isNumber }: Cell): string => (isNumber ? ' class="number"' : "");
  const head = heads.map((cell) => `<th scope="col"${side(cell)}>${escaped(cell.text)}</th>`).join("");
  const body = rows.map((cells) => {
    const [first, ...others] = cells;
    const rest = others.map((cell) => `<td${side(cell)}>${escaped(cell.text)}${noteOf(cell)}</td>`).join("");
    return `<tr><th scope="row">${escaped(first.text)}</th>${rest}</tr>`;
  });
  return (
    `<div class="wide"><table><caption>${escaped(caption)}</caption>` +
    `<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join("\n")}\n</tbody></table></div>\n`
  );
}

function noteOf({ note }: Cell): string {
  return note === undefined ? "" : `<br><small>${escaped(note)}</small>`;
}

/** A table that belongs to a chart and is opened by whoever wants numbers. */
export function tableBehind(
  caption: string,
  heads: readonly Cell[],
  rows: readonly (readonly Cell[])[],
): string {
  return `<details><summary>The numbers</summary>\n${htmlTable(caption, heads, rows)}</details>\n`;
}

/** A cell with a number in it. */
export function numberCell(text: string, note?: string): Cell {
  return { text, isNumber: true, ...(note === undefined ? {} : { note }) };
}
