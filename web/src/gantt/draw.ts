import type { BarsLayer } from "./bars-layer.ts";
import type { Scene } from "./scene.ts";
import { drawLimit, drawUse, STRIP_PX, USE_PX } from "./use-strips.ts";
import { marks } from "./window.ts";

/** Height in px of the marks of time. */
const TIME_PX = 20;

/** Height in px of what is above the rows of a chart: use, a strip a limit, and the marks of time. */
export function headPx(limits: number): number {
  return USE_PX + limits * STRIP_PX + TIME_PX;
}

/** Draws a chart. */
export function draw(context: CanvasRenderingContext2D, scene: Scene, bars: BarsLayer): void {
  const { width, height, palette, head } = scene;
  context.fillStyle = palette.ground;
  context.fillRect(0, 0, width, height);
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  drawGrid(context, scene);
  context.save();
  context.beginPath();
  context.rect(0, head, width, height - head);
  context.clip();
  bars.draw(context, scene);
  drawNames(context, scene);
  context.restore();
  drawUse(context, scene);
  for (const [index, limit] of scene.limits.entries()) {
    drawLimit(context, scene, limit, USE_PX + index * STRIP_PX);
  }
  drawLine(context, scene, scene.now, "now");
  drawLine(context, scene, scene.then, "then");
}

/** Position in px of an instant. */
function xOf({ window: { from, until }, width }: Pick<Scene, "window" | "width">, at: number): number {
  return ((at - from) / (until - from)) * width;
}

function drawGrid(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, height, palette, window, rows, head } = scene;
  for (const at of marks(window.from, window.until, Math.max(2, width / 90), scene.isVirtual)) {
    const x = Math.round(xOf(scene, at)) + 0.5;
    context.fillStyle = palette.line;
    context.fillRect(x, head - TIME_PX, 1, height - head + TIME_PX);
    context.fillStyle = palette.quiet;
    const text = scene.timeText(at);
    if (x + 3 + context.measureText(text).width > width) continue;
    context.fillText(text, x + 3, head - TIME_PX / 2);
  }
  for (const { first } of rows.groups) {
    const y = head + (first - window.top) * window.rowPx;
    if (y < head || y > height) continue;
    context.fillStyle = palette.line;
    context.fillRect(0, y, width, 1);
  }
}

/** Names of groups of rows, each on a ground of its own, since bars may be below. */
function drawNames(context: CanvasRenderingContext2D, { height, palette, window, rows, head }: Scene): void {
  for (const { first, name } of rows.groups) {
    const y = head + (first - window.top) * window.rowPx;
    if (y < head || y > height) continue;
    context.fillStyle = palette.ground;
    context.fillRect(1, y + 1, context.measureText(name).width + 6, 13);
    context.fillStyle = palette.text;
    context.fillText(name, 4, y + 7.5);
  }
}

function drawLine(
  context: CanvasRenderingContext2D,
  scene: Scene,
  at: number | undefined,
  name: "now" | "then",
): void {
  if (at === undefined) return;
  const { palette, height, head } = scene;
  const x = Math.round(xOf(scene, at));
  context.strokeStyle = palette.now;
  context.lineWidth = 2;
  context.setLineDash(name === "now" ? [] : [6, 4]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
  context.setLineDash([]);
  // On a ground of its own, since it may be on top of the use.
  const [left, middle] = [x + 3, head - TIME_PX - 9];
  context.fillStyle = palette.ground;
  context.fillRect(left, middle - 7, context.measureText(name).width + 6, 14);
  context.fillStyle = palette.now;
  context.fillText(name, left + 3, middle);
}
