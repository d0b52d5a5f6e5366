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
