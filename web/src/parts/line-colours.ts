/** Colours of lines that colour-blind people can tell apart (Okabe & Ito 2008), darker on light ground. */
const LIGHT = ["#0060a0", "#b34700", "#00795a", "#9b4684", "#6e5800", "#2b7fb0", "#7a2e2e", "#444b54"];
const DARK = ["#56b4e9", "#ff9d4d", "#35d0a0", "#e79ac8", "#e8d14c", "#9fd0f2", "#ff8f8f", "#c9d1d9"];

/** Dashes of lines, in pixels drawn and left out; none: a solid line. */
export const LINE_DASHES: readonly (readonly number[])[] = [
  [],
  [8, 4],
  [2, 3],
  [12, 4, 2, 4],
  [4, 4],
  [16, 4],
  [2, 6],
  [10, 2, 2, 2],
];

/** Colours in the order of lines. */
export function lineColours(scheme: "light" | "dark"): readonly string[] {
  return scheme === "dark" ? DARK : LIGHT;
}
