/**
 * The bars of a chart on a layer that is wider and higher than what is seen of it.
 *
 * Equivalent to drawing the bars of each frame anew; differs for speed: while the chart is panned, the layer
 * is copied with an offset, and drawn again only when the window leaves it, zooms, or shows other bars.
 * Boxes smaller than `SPECK_PX` are set as pixels of an image: tens of thousands in one go. Names are
 * written on each frame, since those of bars that begin before the window stay in sight.
 */
import type { PlacedBar } from "./bar.ts";
import { type Columns, columnsOf, inSight, KINDS, MINE } from "./columns.ts";
import { IN_BAR, type Palette } from "./palette.ts";
import { type Box, drawDifferent, drawPattern, outline } from "./patterns.ts";
import type { Scene } from "./scene.ts";
import { fillPixels, markMine } from "./specks.ts";

/** Smaller boxes have no details. */
const SPECK_PX = 4;
/** With more boxes on the layer, details would hide each other. */
const MOST_DETAILED = 6000;
/** Smallest box that bears a name, and the width of most letters. */
const NAMED_PX = { w: 40, h: 11, letter: 6.2 } as const;

/** What a layer shows: as long as it is the same, only its place changes. */
type Shown = Pick<Scene, "rows" | "palette" | "different" | "width"> & {
  readonly body: number;
  readonly perMs: number;
  readonly rowPx: number;
  readonly scale: number;
};

interface Layer extends Shown {
  readonly canvas: OffscreenCanvas;
  readonly from: number;
  readonly top: number;
  readonly w: number;
  readonly h: number;
  readonly named: readonly { readonly place: PlacedBar; readonly box: Box }[];
}

/** Draws the bars below the head of a chart. */
export interface BarsLayer {
  draw(context: CanvasRenderingContext2D, scene: Scene): void;
}

/** A layer that is drawn when it is first needed. */
export function createBarsLayer(): BarsLayer {
  let layer: Layer | undefined;
  return {
    draw(context, scene) {
      const shown = shownIn(scene, context.getTransform().a);
      if (layer === undefined || !isSame(layer, shown) || !covers(layer, scene)) {
        layer = drawLayer(shown, scene, layer?.canvas);
      }
      const { window, head } = scene;
      const dx = roundedTo(layer.scale, (layer.from - window.from) * layer.perMs);
      const dy = roundedTo(layer.scale, (layer.top - window.top) * layer.rowPx) + head;
      context.drawImage(layer.canvas, dx, dy, layer.w, layer.h);
      writeNames(context, layer, [dx, dy], scene.width);
      if (scene.focus !== undefined) drawFocus(context, scene, scene.focus);
    },
  };
}

function shownIn({ rows, palette, different, width, height, head, window }: Scene, scale: number): Shown {
  const perMs = width / (window.until - window.from);
  return { rows, palette, different, width, body: height - head, perMs, rowPx: window.rowPx, scale };
}

function isSame(layer: Layer, shown: Shown): boolean {
  const isAsLong = Math.abs(layer.perMs / shown.perMs - 1) < 1e-9;
  const names = ["rows", "palette", "different", "width", "body", "rowPx", "scale"] as const;
  return isAsLong && names.every((name) => layer[name] === shown[name]);
}

function covers({ from, top, w, h, perMs, rowPx, body, rows }: Layer, { window }: Scene): boolean {
  const slackMs = 1 / perMs;
  const bottom = Math.min(rows.count, window.top + body / rowPx);
  return (
    from <= window.from + slackMs &&
    from + w / perMs >= window.until - slackMs &&
    top <= window.top + 1e-6 &&
    top + h / rowPx >= bottom - 1e-6
  );
}

function roundedTo(scale: number, px: number): number {
  return Math.round(px * scale) / scale;
}

/** The layer around a window: half of it more on each side, above and below if rows are out of sight. */
function drawLayer(shown: Shown, { window }: Scene, before: OffscreenCanvas | undefined): Layer {
  const { width, body, perMs, rowPx, scale, rows } = shown;
  const marginX = Math.round(width / 2);
  const marginY = rows.count * rowPx > body + 1 ? Math.round(body / 2) : 0;
  const place = {
    from: window.from - marginX / perMs,
    top: window.top - marginY / rowPx,
    w: width + 2 * marginX,
    h: Math.ceil(body + 2 * marginY),
  };
  const [wide, high] = [Math.ceil(place.w * scale), Math.ceil(place.h * scale)];
  const isFit = before?.width === wide && before.height === high;
  const canvas = before !== undefined && isFit ? before : new OffscreenCanvas(wide, high);
  const context = canvas.getContext("2d");
  const layer = { ...shown, ...place, canvas };
  return { ...layer, named: context === null ? [] : drawBoxes(context, layer) };
}

/** Draws all boxes; gives those that bear a name. */
function drawBoxes(context: OffscreenCanvasRenderingContext2D, layer: Omit<Layer, "named">): Layer["named"] {
  const { palette, scale, different } = layer;
  const columns = columnsOf(layer.rows);
  const pixels = new Uint32Array(context.canvas.width * context.canvas.height);
  const large = sortBoxes(columns, layer, pixels);
  const image = new ImageData(
    new Uint8ClampedArray(pixels.buffer),
    context.canvas.width,
    context.canvas.height,
  );
  context.putImageData(image, 0, 0);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  // Boxes of one colour after another: changing the style for each costs more than filling.
  for (const [kind, name] of KINDS.entries()) {
    context.fillStyle = palette.bars[name];
    for (const { at, box } of large) {
      if (columns.kind[at] === kind) context.fillRect(box.x, box.y, box.w, box.h);
    }
  }
  if (large.length > MOST_DETAILED) return [];
  const named: { place: PlacedBar; box: Box }[] = [];
  for (const { at, box } of large) {
    const place = columns.bars[columns.bar[at] ?? 0];
    if (place === undefined) continue;
    drawPattern(context, palette, place.bar, box);
    if (different.has(place.bar.key)) drawDifferent(context, palette, box);
    drawLikely(context, layer, place, box);
    if (box.h >= NAMED_PX.h && box.w >= NAMED_PX.w) named.push({ place, box });
  }
  return named;
}

/** Sets small boxes as pixels; gives the others. */
function sortBoxes(
  columns: Columns,
  layer: Omit<Layer, "named">,
  pixels: Uint32Array,
): readonly { readonly at: number; readonly box: Box }[] {
  const { perMs, rowPx, scale, palette } = layer;
  const [wide, high] = [layer.canvas.width, layer.canvas.height];
  const inks = inksOf(palette);
  const large: { at: number; box: Box }[] = [];
  const bottom = layer.top + layer.h / rowPx;
  const [low, end] = inSight(columns, layer.from, layer.from + layer.w / perMs);
  const { from, until, first, count, kind, isMine } = columns;
  for (let at = low; at < end; at++) {
    const row = first[at] ?? 0;
    const rows = count[at] ?? 0;
    if (row + rows < layer.top || row > bottom || (until[at] ?? 0) < layer.from) continue;
    const x = ((from[at] ?? 0) - layer.from) * perMs;
    const w = withGap(((until[at] ?? 0) - (from[at] ?? 0)) * perMs);
    const y = (row - layer.top) * rowPx;
    const h = withGap(rows * rowPx);
    if (w >= SPECK_PX && h >= SPECK_PX) {
      large.push({ at, box: clipped({ x, y, w, h }, layer.w) });
      continue;
    }
    const left = Math.max(0, Math.floor(x * scale));
    const right = Math.min(wide, Math.max(left + 1, Math.round((x + w) * scale)));
    const above = Math.max(0, Math.floor(y * scale));
    const below = Math.min(high, Math.max(above + 1, Math.round((y + h) * scale)));
    const speck = { left, right, above, below };
    fillPixels(pixels, wide, speck, inks[kind[at] ?? 0] ?? 0);
    if (isMine[at] === 1) markMine(pixels, wide, speck, inks[MINE] ?? 0);
  }
  return large;
}

/** A box without what is far outside: canvases draw lines of millions of pixels slowly, and dash them too. */
function clipped({ x, y, w, h }: Box, width: number): Box {
  const left = Math.max(-20, x);
  return { x: left, y, w: Math.min(x + w, width + 20) - left, h };
}

/** A width or height with room for a gap to the next bar, where it is large enough. */
function withGap(px: number): number {
  return Math.max(1, px >= 6 ? px - 1 : px);
}

/** Colours of kinds, and of mine, as opaque pixels of an image: their bytes are red, green, blue, alpha. */
function inksOf({ bars, mine }: Palette): Uint32Array {
  return Uint32Array.from([...KINDS.map((kind) => bars[kind]), mine], (colour) => {
    const rgb = Number.parseInt(colour.slice(1), 16);
    return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
  });
}

/** The instants by which what waits starts with some probability. */
function drawLikely(
  context: OffscreenCanvasRenderingContext2D,
  { palette, from, perMs }: Pick<Layer, "palette" | "from" | "perMs">,
  { bar: { likely } }: PlacedBar,
  { y, h }: Box,
): void {
  if (likely === undefined) return;
  const left = (likely.from - from) * perMs;
  const right = (likely.until - from) * perMs;
  // Below the name, where there is room for both.
  const middle = h >= 2 * NAMED_PX.h ? y + h / 2 + NAMED_PX.h : y + h / 2;
  context.fillStyle = palette.text;
  context.fillRect(left, middle, Math.max(1, right - left), 1);
  context.fillRect(right, middle - 3, 1, 7);
}

/** Writes the names of the bars in sight, cut to their boxes without measuring them. */
function writeNames(
  context: CanvasRenderingContext2D,
  { named, palette }: Pick<Layer, "named" | "palette">,
  [dx, dy]: readonly [number, number],
  width: number,
): void {
  for (const { place, box } of named) {
    const left = Math.max(0, box.x + dx) + 4;
    const room = Math.min(width, box.x + dx + box.w) - left - 2;
    if (left > width || room < NAMED_PX.w - 8) continue;
    const { label, kind } = place.bar;
    context.fillStyle = kind === "free" ? palette.text : IN_BAR;
    const letters = Math.floor(room / NAMED_PX.letter);
    const text = label.length <= letters ? label : `${label.slice(0, Math.max(1, letters - 1))}…`;
    context.fillText(text, left, box.y + dy + box.h / 2);
  }
}

function drawFocus(
  context: CanvasRenderingContext2D,
  { window, width, palette, head }: Scene,
  { bar, rows: placed }: PlacedBar,
): void {
  const perMs = width / (window.until - window.from);
  for (const { from, until, rows } of bar.pieces ?? [{ from: bar.from, until: bar.until, rows: placed }]) {
    const x = (from - window.from) * perMs;
    const w = withGap((until - from) * perMs);
    for (const [first, count] of rows) {
      const y = head + (first - window.top) * window.rowPx;
      const box = { x, y, w, h: withGap(count * window.rowPx) };
      outline(context, clipped(box, width), palette.now, 3);
    }
  }
}
