/** Above the rows of a chart: processors in use, and the use of consumers against their limits. */
import { firstWhere } from "./columns.ts";
import type { Use } from "./occupancy.ts";
import { hatch, outline } from "./patterns.ts";
import type { LimitUse, Scene } from "./scene.ts";

/** Heights in px of the strip of all use, and of a limit's. */
export const USE_PX = 64;
export const STRIP_PX = 38;
const TOP_PX = 6;

type View = Pick<Scene, "window" | "width" | "palette">;

/** Most processors in use within each pixel. */
export function highestByPixel({ window, width }: Pick<Scene, "window" | "width">, use: Use): Float64Array {
  const highest = new Float64Array(width);
  const { at, procs } = use;
  const perMs = width / (window.until - window.from);
  const first = Math.max(0, firstWhere(at.length, (step) => (at[step] ?? 0) > window.from) - 1);
  for (let step = first; step < at.length; step++) {
    const from = at[step] ?? 0;
    if (from > window.until) break;
    const used = procs[step] ?? 0;
    if (used === 0) continue;
    const left = Math.max(0, Math.floor((from - window.from) * perMs));
    const end = ((at[step + 1] ?? from) - window.from) * perMs;
    const right = Math.min(width, Math.max(left + 1, Math.round(end)));
    for (let x = left; x < right; x++) if (used > (highest[x] ?? 0)) highest[x] = used;
  }
  return highest;
}

/** Cache of the highest use by pixel, for a period wider than the window; valid while the scale stays. */
const kept = new WeakMap<
  Use,
  { readonly from: number; readonly perMs: number; readonly highest: Float64Array }
>();

/**
 * Equivalent to {@link highestByPixel}, but for a shift of less than a pixel; differs for speed: it is
 * computed for half a window more on each side, and taken from there while the chart is panned.
 */
export function highestInWindow({ window, width }: Pick<Scene, "window" | "width">, use: Use): Float64Array {
  const perMs = width / (window.until - window.from);
  const known = kept.get(use);
  if (known !== undefined && Math.abs(known.perMs / perMs - 1) < 1e-9) {
    const first = Math.round((window.from - known.from) * perMs);
    if (first >= 0 && first + width <= known.highest.length)
      return known.highest.subarray(first, first + width);
  }
  const margin = Math.ceil(width / 2);
  const wide = { ...window, from: window.from - margin / perMs, until: window.until + margin / perMs };
  const highest = highestByPixel({ window: wide, width: width + 2 * margin }, use);
  kept.set(use, { from: wide.from, perMs, highest });
  return highest.subarray(margin, margin + width);
}

/** The strip of all use: mine within it, and the capacity as a line. */
export function drawUse(context: CanvasRenderingContext2D, scene: Scene): void {
  const { width, palette, processors, processorsAre, use } = scene;
  const yOf = (procs: number) => USE_PX - 2 - ((USE_PX - TOP_PX - 2) * procs) / Math.max(1, processors);
  fillUse(context, highestInWindow(scene, use.all), palette.bars.others, [yOf, USE_PX]);
  fillUse(context, highestInWindow(scene, use.mine), palette.mine, [yOf, USE_PX]);
  const y = Math.round(yOf(processors)) + 0.5;
  context.fillStyle = palette.text;
  context.fillRect(0, y, width, 1);
  // At the right: at the left the handle of the current time would be on top of it.
  context.textAlign = "right";
  context.fillText(`${processorsAre}: ${processors}`, width - 4, y + 8);
  context.textAlign = "left";
}

type Scale = readonly [yOf: (procs: number) => number, bottom: number];

function fillUse(
  context: CanvasRenderingContext2D,
  highest: Float64Array,
  colour: string,
  [yOf, bottom]: Scale,
): void {
  context.fillStyle = colour;
  context.beginPath();
  for (let x = 0; x < highest.length; ) {
    const procs = highest[x] ?? 0;
    const from = x;
    while (x < highest.length && highest[x] === procs) x++;
    if (procs > 0) context.rect(from, yOf(procs), x - from, bottom - yOf(procs));
  }
  context.fill();
}

/** A limit as a line over time, the use that counts against it below; what exceeds it is hatched. */
export function drawLimit(context: CanvasRenderingContext2D, view: View, limit: LimitUse, top: number): void {
  const { width, palette } = view;
  const bottom = top + STRIP_PX - 2;
  const highest = highestInWindow(view, limit.use);
  const lines = linesOf(view, limit);
  const most = lines.reduce(
    (sum, { procs }) => Math.max(sum, procs),
    highest.reduce((a, b) => Math.max(a, b), 1),
  );
  const yOf = (procs: number) => bottom - ((STRIP_PX - TOP_PX - 12) * procs) / most;
  context.fillStyle = palette.line;
  context.fillRect(0, bottom, width, 1);
  fillUse(context, highest, palette.bars.past, [yOf, bottom]);
  for (const { from, until, procs } of lines) {
    const over = spansAbove(highest, procs, [from, until]);
    for (const [x, end, peak] of over) {
      const box = { x, y: yOf(peak), w: end - x, h: yOf(procs) - yOf(peak) };
      hatch(context, box, palette.text);
      outline(context, box, palette.now, 1);
    }
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.setLineDash([6, 3]);
    context.beginPath();
    context.moveTo(from, yOf(procs));
    context.lineTo(until, yOf(procs));
    context.stroke();
    context.setLineDash([]);
  }
  context.fillStyle = palette.text;
  context.fillText(limit.label, 4, top + 7);
}

/** The stretches of a limit in sight, in px. */
function linesOf({ window, width }: View, { steps }: Pick<LimitUse, "steps">) {
  const perMs = width / (window.until - window.from);
  return steps.flatMap(({ at, procs }, index) => {
    const from = Math.max(0, (at - window.from) * perMs);
    const next = steps[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const until = Math.min(width, (next - window.from) * perMs);
    return procs === null || until <= from ? [] : [{ from, until, procs }];
  });
}

/** Where use exceeds a limit: from a pixel to another, and its peak there. */
function spansAbove(
  highest: Float64Array,
  procs: number,
  [from, until]: readonly [number, number],
): readonly (readonly [x: number, end: number, peak: number])[] {
  const spans: (readonly [number, number, number])[] = [];
  for (let x = Math.floor(from); x < until; x++) {
    const start = x;
    let peak = 0;
    while (x < until && (highest[x] ?? 0) > procs) peak = Math.max(peak, highest[x++] ?? 0);
    if (x > start) spans.push([start, x, peak]);
  }
  return spans;
}
