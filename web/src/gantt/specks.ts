/** Bars too small for details, as pixels of an image that is `wide` pixels wide. */

/** Pixels of a small bar, without `right` and `below`. */
export interface Speck {
  readonly left: number;
  readonly right: number;
  readonly above: number;
  readonly below: number;
}

/** Pixels of each colour in turn along a bar one pixel thick. */
const DASH_PX = 2;

/** Sets all its pixels. */
export function fillPixels(pixels: Uint32Array, wide: number, speck: Speck, ink: number): void {
  const { left, right, above, below } = speck;
  for (let line = above * wide; line < below * wide; line += wide) {
    // Most are a pixel or two wide, for which `fill` takes longer than a loop.
    for (let pixel = line + left; pixel < line + right; pixel++) pixels[pixel] = ink;
  }
}

/**
 * Marks a bar of the reader, where an outline has no room, so that the colour of its kind stays visible: a
 * line along its upper or left edge, on a bar one pixel thick dashes, and all of it where it is too short.
 */
export function markMine(pixels: Uint32Array, wide: number, speck: Speck, ink: number): void {
  const { left, right, above, below } = speck;
  const isFlat = right - left >= below - above;
  const thickness = isFlat ? below - above : right - left;
  if (thickness > 1) {
    const edge = isFlat ? { ...speck, below: above + 1 } : { ...speck, right: left + 1 };
    fillPixels(pixels, wide, edge, ink);
    return;
  }
  const [from, until] = isFlat ? [left, right] : [above, below];
  for (let at = from; at < until; at += 2 * DASH_PX) {
    const end = Math.min(until, at + DASH_PX);
    const dash = isFlat ? { ...speck, left: at, right: end } : { ...speck, above: at, below: end };
    fillPixels(pixels, wide, dash, ink);
  }
}
