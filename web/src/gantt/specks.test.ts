import { describe, expect, it } from "vitest";
import { fillPixels, markMine } from "./specks.ts";

const [KIND, MINE] = [1, 2];
const WIDE = 8;

/** A marked bar at the second pixel of the second line, as lines of text: `k` its kind, `m` mine. */
function drawn(width: number, height: number): readonly string[] {
  const pixels = new Uint32Array(WIDE * (height + 2));
  const speck = { left: 1, right: 1 + width, above: 1, below: 1 + height };
  fillPixels(pixels, WIDE, speck, KIND);
  markMine(pixels, WIDE, speck, MINE);
  const text = Array.from(pixels, (ink) => " km"[ink]).join("");
  return Array.from({ length: height + 2 }, (_, line) =>
    text.slice(WIDE * line, WIDE * (line + 1)).trimEnd(),
  );
}

describe("the mark of a small bar of the reader", () => {
  it.each([
    ["a line along its upper edge", 4, 2, ["", " mmmm", " kkkk", ""]],
    ["a line along its left edge", 2, 3, ["", " mk", " mk", " mk", ""]],
    ["dashes where it is one pixel high", 6, 1, ["", " mmkkmm", ""]],
    ["dashes where it is one pixel wide", 1, 5, ["", " m", " m", " k", " k", " m", ""]],
    ["all of it where it is too short for dashes", 2, 1, ["", " mm", ""]],
  ])("is %s", (_, width, height, expected) => {
    expect(drawn(width, height)).toEqual(expected);
  });
});
