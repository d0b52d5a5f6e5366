import type { BarKind, GanttBar, GanttLimit, Rows } from "./bar.ts";
import { marks, type Window } from "./window.ts";

/** Heights in px of the strip of use above the rows, and of the marks of time. */
const USE_PX = 64;
const TIME_PX = 20;
export const HEAD_PX = USE_PX + TIME_PX;

/** Colours of a scheme. */
export interface Palette {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly ground: string;
  readonly now: string;
  readonly mine: string;
  readonly bars: Readonly<Record<BarKind, string>>;
}

/** Okabe and Ito's colours, which are told apart with any colour vision; lighter ones on dark. */
export const PALETTES: Readonly<Record<"light" | "dark", Palette>> = {
  light: {
    ...{ text: "#1b1f23", quiet: "#5c636b", line: "#dde1e6", ground: "#ffffff", now: "#b3261e" },
    mine: "#d55e00",
    bars: {
      past: "#8fb4d9",
      failed: "#c98a84",
      running: "#009e73",
      queued: "#e8b84a",
      reservation: "#cc79a7",
      offer: "#ecc9dc",
      setAside: "#8a9199",
      others: "#b9c0c7",
    },
  },
  dark: {
    ...{ text: "#e6e9ec", quiet: "#a3abb5", line: "#3a3f45", ground: "#242424", now: "#ff8a80" },
    mine: "#ff9d4d",
    bars: {
      past: "#4f7ba8",
      failed: "#a3554d",
      running: "#2fbf95",
      queued: "#c99a2e",
      reservation: "#c272a0",
      offer: "#7d4f69",
      setAside: "#6b737b",
      others: "#565e66",
    },
  },
};

/** Text within a bar: of a good contrast on all colours of bars. */
const IN_BAR = "#10171d";

/** What is drawn. */
export interface Scene {
  readonly rows: Rows;
  readonly window: Window;
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly now: number | undefined;
  readonly limits: readonly GanttLimit[];
  readonly processors: number;
  /** Processors in use over time: all, and mine. */
  readonly use: readonly { readonly at: number; readonly all: number; readonly mine: number }[];
  readonly focus: string | undefined;
  readonly different: ReadonlySet<string>;
  readonly timeText: (at: number) => string;
  readonly isVirtual: boolean;
}

/** Draws a chart on a cleared canvas. */
export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, height, palette } = scene;
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, width, height);
  drawGrid(context, scene);
  context.save();
  context.beginPath();
  context.rect(0, HEAD_PX, width, height - HEAD_PX);
  context.clip();
  drawBars(context, scene);
  context.restore();
  drawUse(context, scene);
  drawNow(context, scene);
}

/** Position in px of an instant. */
function xOf({ window: { from, until }, width }: Pick<Scene, "window" | "width">, at: number): number {
  return ((at - from) / (until - from)) * width;
}

function drawGrid(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, height, palette, window, rows } = scene;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const at of marks(window.from, window.until, Math.max(2, width / 90), scene.isVirtual)) {
    const x = Math.round(xOf(scene, at)) + 0.5;
    context.fillStyle = palette.line;
    context.fillRect(x, USE_PX, 1, height - USE_PX);
    context.fillStyle = palette.quiet;
    context.fillText(scene.timeText(at), x + 3, USE_PX + TIME_PX / 2);
  }
  for (const { first, name } of rows.groups) {
    const y = HEAD_PX + (first - window.top) * window.rowPx;
    if (y < HEAD_PX || y > height) continue;
    context.fillStyle = palette.line;
    context.fillRect(0, y, width, 1);
    context.fillStyle = palette.text;
    context.fillText(name, 4, y + 7);
  }
}

function drawBars(context: CanvasRenderingContext2D, scene: Scene): void {
  const { rows, window, width, height, palette } = scene;
  const perMs = width / (window.until - window.from);
  const lastRow = window.top + (height - HEAD_PX) / window.rowPx;
  const specks = createSpecks(scene);
  const boxes: { readonly bar: GanttBar; readonly box: Box }[] = [];
  for (const { bar, rows: spans } of rows.bars) {
    if (bar.until < window.from || bar.from > window.until) continue;
    const x = (bar.from - window.from) * perMs;
    const w = withGap((bar.until - bar.from) * perMs);
    for (const [first, count] of spans) {
      if (first + count < window.top || first > lastRow) continue;
      const y = HEAD_PX + (first - window.top) * window.rowPx;
      const h = withGap(count * window.rowPx);
      if (w < SPECK_PX || h < SPECK_PX) specks.add(bar, { x, y, w, h });
      else boxes.push({ bar, box: { x, y, w, h } });
    }
  }
  specks.paint(context);
  // Boxes of one colour after another: changing the style for each costs more than filling.
  for (const [kind, colour] of Object.entries(palette.bars)) {
    context.fillStyle = colour;
    for (const { bar, box } of boxes) if (bar.kind === kind) context.fillRect(box.x, box.y, box.w, box.h);
  }
  if (boxes.length > MOST_DETAILED) return;
  for (const { bar, box } of boxes) drawDetails(context, scene, bar, box);
}

/** A width or height with room for a gap to the next bar, where it is large enough. */
function withGap(px: number): number {
  return Math.max(1, px >= 6 ? px - 1 : px);
}

/** Smaller bars have no details, and are painted as pixels: tens of thousands of them in one go. */
const SPECK_PX = 4;
/** With more boxes in sight, details would hide each other. */
const MOST_DETAILED = 3000;

/** Collects bars too small for details in the pixels of an image. */
function createSpecks({ width, height, palette }: Scene) {
  const body = Math.ceil(height - HEAD_PX);
  const pixels = new Uint32Array(width * body);
  const colours = new Map(Object.entries(palette.bars).map(([kind, colour]) => [kind, pixelOf(colour)]));
  const mine = pixelOf(palette.mine);
  let isEmpty = true;
  return {
    add({ kind, isMine }: Pick<GanttBar, "kind" | "isMine">, { x, y, w, h }: Box): void {
      isEmpty = false;
      // An outline has no room: what is mine stands out by its colour.
      const colour = isMine ? mine : (colours.get(kind) ?? 0);
      const left = Math.max(0, Math.floor(x));
      const right = Math.min(width, Math.max(left + 1, Math.round(x + w)));
      const top = Math.max(0, Math.floor(y - HEAD_PX));
      const bottom = Math.min(body, Math.max(top + 1, Math.round(y - HEAD_PX + h)));
      for (let row = top; row < bottom; row++) {
        // Most are a pixel or two wide, for which `fill` takes longer than a loop.
        for (let at = row * width + left; at < row * width + right; at++) pixels[at] = colour;
      }
    },
    paint(context: CanvasRenderingContext2D): void {
      if (isEmpty) return;
      const layer = new OffscreenCanvas(width, body);
      const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, body);
      layer.getContext("2d")?.putImageData(image, 0, 0);
      context.drawImage(layer, 0, HEAD_PX);
    },
  };
}

/** A colour #rrggbb as a pixel of an image, opaque; its bytes are red, green, blue, alpha. */
function pixelOf(colour: string): number {
  const rgb = Number.parseInt(colour.slice(1), 16);
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A bar as the legend shows it, over all of a small canvas. */
export function drawSample(
  context: CanvasRenderingContext2D,
  palette: Palette,
  kind: BarKind,
  isMine: boolean,
): void {
  const box = { x: 0, y: 0, w: context.canvas.width, h: context.canvas.height };
  context.fillStyle = palette.bars[kind];
  context.fillRect(box.x, box.y, box.w, box.h);
  drawPattern(context, palette, { kind, isMine }, box);
}

/** A bar that differs, as the legend shows it, over all of a small canvas. */
export function drawDifferentSample(
  context: CanvasRenderingContext2D,
  palette: Palette,
  kind: BarKind,
): void {
  drawSample(context, palette, kind, false);
  drawDifferent(context, palette, { x: 0, y: 0, w: context.canvas.width, h: context.canvas.height });
}

function drawDifferent(context: CanvasRenderingContext2D, palette: Palette, box: Box): void {
  context.setLineDash([2, 2]);
  outline(context, box, palette.text, 2);
  context.setLineDash([]);
}

/** What says more than the colour: dashes of what is planned, hatching of what is reserved, and mine. */
function drawPattern(
  context: CanvasRenderingContext2D,
  palette: Palette,
  { kind, isMine }: Pick<GanttBar, "kind" | "isMine">,
  box: Box,
): void {
  if (kind === "queued" || kind === "offer") {
    context.setLineDash([4, 3]);
    outline(context, box, palette.text, 1);
    context.setLineDash([]);
  }
  if (kind === "reservation" || kind === "setAside") hatch(context, box, palette.ground);
  if (kind === "failed") cross(context, box, palette.text);
  if (isMine) outline(context, box, palette.mine, 2);
}

function drawDetails(context: CanvasRenderingContext2D, scene: Scene, bar: GanttBar, box: Box): void {
  const { palette, focus } = scene;
  const { x, y, w, h } = box;
  drawPattern(context, palette, bar, box);
  if (scene.different.has(bar.key)) drawDifferent(context, palette, box);
  if (focus === bar.key) outline(context, box, palette.now, 3);
  if (bar.likely) {
    const from = xOf(scene, bar.likely.from);
    const until = xOf(scene, bar.likely.until);
    context.fillStyle = palette.text;
    context.fillRect(from, y + h / 2, Math.max(1, until - from), 1);
    context.fillRect(until, y + h / 2 - 3, 1, 7);
  }
  if (h >= 11 && w >= 40) {
    context.save();
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
    context.fillStyle = IN_BAR;
    context.fillText(bar.label, Math.max(x, 0) + 4, y + h / 2);
    context.restore();
  }
}

function outline(context: CanvasRenderingContext2D, { x, y, w, h }: Box, colour: string, px: number): void {
  context.strokeStyle = colour;
  context.lineWidth = px;
  context.strokeRect(x + px / 2, y + px / 2, Math.max(0, w - px), Math.max(0, h - px));
}

function hatch(context: CanvasRenderingContext2D, { x, y, w, h }: Box, colour: string): void {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = x - h; at < x + w; at += 7) {
    context.moveTo(at, y + h);
    context.lineTo(at + h, y);
  }
  context.stroke();
  context.restore();
}

function cross(context: CanvasRenderingContext2D, { x, y, w, h }: Box, colour: string): void {
  const size = Math.min(8, h - 2, w - 2);
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x + w - size - 1, y + 1);
  context.lineTo(x + w - 1, y + 1 + size);
  context.moveTo(x + w - 1, y + 1);
  context.lineTo(x + w - size - 1, y + 1 + size);
  context.stroke();
}

/** Most processors in use within each pixel. */
function highestByPixel(scene: Scene, name: "all" | "mine"): Float64Array {
  const { use, width, window } = scene;
  const highest = new Float64Array(width);
  for (const [index, step] of use.entries()) {
    const until = use[index + 1]?.at ?? step.at;
    if (step[name] === 0 || until < window.from || step.at > window.until) continue;
    const left = Math.max(0, Math.floor(xOf(scene, step.at)));
    const right = Math.min(width, Math.max(left + 1, Math.round(xOf(scene, until))));
    for (let x = left; x < right; x++) highest[x] = Math.max(highest[x] ?? 0, step[name]);
  }
  return highest;
}

/** The strip above: processors in use, mine among them, the capacity and limits as lines. */
function drawUse(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, palette, processors, limits } = scene;
  const top = 6;
  const yOf = (procs: number) => USE_PX - 2 - ((USE_PX - top - 2) * procs) / Math.max(1, processors);
  context.save();
  context.beginPath();
  context.rect(0, 0, width, USE_PX);
  context.clip();
  for (const [name, colour] of [
    ["all", palette.bars.others],
    ["mine", palette.mine],
  ] as const) {
    context.fillStyle = colour;
    for (const [x, procs] of highestByPixel(scene, name).entries()) {
      if (procs > 0) context.fillRect(x, yOf(procs), 1, USE_PX - yOf(procs));
    }
  }
  for (const [index, { label, procs }] of [{ label: "capacity", procs: processors }, ...limits].entries()) {
    const y = Math.round(yOf(procs)) + 0.5;
    context.strokeStyle = palette.text;
    context.lineWidth = 1;
    context.setLineDash(index === 0 ? [] : [6, 3 + index]);
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = palette.text;
    context.fillText(`${label}: ${procs}`, 4 + index * 150, y + 7);
  }
  context.restore();
}

function drawNow(context: CanvasRenderingContext2D, scene: Scene): void {
  const { now, palette, height } = scene;
  if (now === undefined) return;
  const x = Math.round(xOf(scene, now));
  context.fillStyle = palette.now;
  context.fillRect(x, 0, 2, height);
  context.fillText("now", x + 4, USE_PX - 6);
}
