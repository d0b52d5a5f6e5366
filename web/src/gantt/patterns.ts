/** What says more of a bar than its colour: dashes, hatching, crosses and outlines. */
import type { BarKind, GanttBar } from "./bar.ts";
import type { Palette } from "./palette.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** A bar as the legend shows it, over all of a small canvas. */
export function drawSample(
  context: CanvasRenderingContext2D,
  palette: Palette,
  kind: BarKind,
  is?: "mine" | "different",
): void {
  const box = { x: 0, y: 0, w: context.canvas.width, h: context.canvas.height };
  context.fillStyle = palette.bars[kind];
  context.fillRect(box.x, box.y, box.w, box.h);
  drawPattern(context, palette, { kind, isMine: is === "mine" }, box);
  if (is === "different") drawDifferent(context, palette, box);
}

/** Dashes or wide lines around smaller boxes would hide their colour. */
const SMALL_PX = 10;

/** The mark of a bar that differs from one in a chart beside it: dashes, at a narrow one along its top. */
export function drawDifferent(context: Context, palette: Palette, box: Box): void {
  if (Math.min(box.w, box.h) < SMALL_PX) {
    context.fillStyle = palette.text;
    context.fillRect(box.x, box.y, box.w, 2);
    return;
  }
  context.setLineDash([2, 2]);
  outline(context, box, palette.text, 2);
  context.setLineDash([]);
}

/** Dots of what is free, dashes of what is planned, hatching of what is reserved, a cross, and mine. */
export function drawPattern(
  context: Context,
  palette: Palette,
  { kind, isMine }: Pick<GanttBar, "kind" | "isMine">,
  box: Box,
): void {
  if (kind === "free") {
    context.setLineDash([1, 3]);
    outline(context, box, palette.quiet, 1);
    context.setLineDash([]);
  }
  if (kind === "queued" || kind === "offer") {
    context.setLineDash([4, 3]);
    outline(context, box, palette.text, 1);
    context.setLineDash([]);
  }
  if (kind === "reservation" || kind === "setAside") hatch(context, box, palette.ground);
  if (kind === "failed") cross(context, box, palette.text);
  if (isMine) outline(context, box, palette.mine, Math.min(box.w, box.h) < SMALL_PX ? 1 : 2);
}

/** Lines along the edges of a box, within it. */
export function outline(context: Context, { x, y, w, h }: Box, colour: string, px: number): void {
  context.strokeStyle = colour;
  context.lineWidth = px;
  context.strokeRect(x + px / 2, y + px / 2, Math.max(0, w - px), Math.max(0, h - px));
}

/** Slanted lines over a box. */
export function hatch(context: Context, { x, y, w, h }: Box, colour: string): void {
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

function cross(context: Context, { x, y, w, h }: Box, colour: string): void {
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
