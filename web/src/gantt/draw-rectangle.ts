import type { Scene } from "./scene.ts";

/** Draws a rectangle on top of a chart, with its number of processors; its sides may be negative. */
export function drawRectangle(
  context: CanvasRenderingContext2D,
  { palette }: Pick<Scene, "palette">,
  { x, y, w, h }: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  procs: number,
): void {
  context.fillStyle = `${palette.now}40`;
  context.fillRect(x, y, w, h);
  context.strokeStyle = palette.now;
  context.lineWidth = 1;
  context.strokeRect(x, y, w, h);
  context.fillStyle = palette.text;
  context.fillText(`${procs} processors`, Math.min(x, x + w) + 4, Math.min(y, y + h) + 9);
}
