/**
 * What all pictures share: the drawing with its accessible name, scales, axes.
 */
import { escaped, place } from "./markup.ts";
import type { Axis } from "./ticks.ts";

/** Where the values of a picture lie; the rest is for the axes. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** What a picture shows, for those who do not see it. */
export interface PictureName {
  readonly title: string;
  readonly description: string;
}

/** The drawing; `inside` is SVG. */
export function svgPicture(
  { title, description }: PictureName,
  [width, height]: readonly [number, number],
  inside: readonly string[],
): string {
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(`${title}. ${description}`)}">` +
    `<title>${escaped(title)}</title>\n${inside.join("\n")}\n</svg>`
  );
}

/** The measures of rows that lie one below the other on one axis. */
export interface StackShape {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  /** Above the first row. */
  readonly head: number;
  readonly row: number;
  /** Between the top of a row and its values: marks of the axis begin there in the first row. */
  readonly rowHead: number;
  /** Below the last row, for the axis. */
  readonly foot: number;
}

/** What draws a row, from its top on. */
export type DrawRow = (top: number, x: (value: number) => number) => readonly string[];

/** The drawing of rows one below the other on the axis `along`. */
export function stackedRows(
  name: PictureName,
  shape: StackShape,
  along: Axis,
  rows: readonly DrawRow[],
): string {
  const { width, left, right, head, row, rowHead, foot } = shape;
  const bottom = head + rows.length * row;
  const x = scaleOf(along, [left, right]);
  const inside = rows.flatMap((draw, at) => draw(head + at * row, x));
  const axis = axisBelow(along, { left, right, top: head + rowHead, bottom });
  return svgPicture(name, [width, bottom + foot], [...axis, ...inside]);
}

/** Where a value of the axis lies between two places. */
export function scaleOf(
  { from, to }: Axis,
  [begin, end]: readonly [number, number],
): (value: number) => number {
  return (value) => begin + ((value - from) / (to - from)) * (end - begin);
}

/** Marks, lines through the picture and the label of the axis below. */
export function axisBelow(axis: Axis, { left, right, top, bottom }: Area): string[] {
  const x = scaleOf(axis, [left, right]);
  const marks = axis.ticks.map(({ at, text }) => {
    const here = place(x(at));
    return (
      `<line class="grid" x1="${here}" x2="${here}" y1="${place(top)}" y2="${place(bottom)}"/>` +
      `<text class="tick" x="${here}" y="${place(bottom + 16)}" text-anchor="middle">${escaped(text)}</text>`
    );
  });
  const label = `<text class="tick" x="${place(right)}" y="${place(bottom + 31)}" text-anchor="end">`;
  return [...marks, `${label}${escaped(axis.label)}</text>`];
}

/** Marks and lines through the picture of the axis on the left. */
export function axisLeft(axis: Axis, { left, right, top, bottom }: Area): string[] {
  const y = scaleOf(axis, [bottom, top]);
  return axis.ticks.map(({ at, text }) => {
    const here = place(y(at));
    const words = `${text}${axis.label === "%" ? " %" : ""}`;
    return (
      `<line class="grid" x1="${place(left)}" x2="${place(right)}" y1="${here}" y2="${here}"/>` +
      `<text class="tick" x="${place(left - 6)}" y="${place(y(at) + 4)}" text-anchor="end">` +
      `${escaped(words)}</text>`
    );
  });
}
