/**
 * A rectangle drawn by keyboard: a length of time and processors that change by steps.
 *
 * A step of time is a round fraction of the window, so that the rectangle moves visibly at any zoom.
 */
import type { GanttBar, PlacedBar, Rectangle } from "./bar.ts";
import { roundStep, type Window } from "./window.ts";

/** A rectangle, and the row at its upper edge. */
export interface KeyRectangle extends Rectangle {
  readonly top: number;
}

/** Limits and steps of a rectangle. */
export interface RectangleFrame {
  readonly window: Window;
  readonly processors: number;
  /** No rectangle begins earlier; absent: at any time. */
  readonly earliest: number | undefined;
}

/** Steps in a window. */
const STEPS = 40;
/** Length of the first rectangle, in steps. */
const FIRST_STEPS = 4;
const HOUR_MS = 3_600_000;
/** Processors by which Shift with an arrow key changes a rectangle. */
const MANY = 10;

/** Length of a step of time for a window, in ms. */
export function stepMs({ from, until }: Pick<Window, "from" | "until">): number {
  return roundStep(until - from, STEPS);
}

/** Where drawing begins: at the selected free slot, or with one processor at the earliest time in sight. */
export function firstRectangle(frame: RectangleFrame, selected: PlacedBar | undefined): KeyRectangle {
  const { window, earliest } = frame;
  const ofSlot = selected?.bar.kind === "free" ? rectangleOfSlot(selected, frame) : undefined;
  if (ofSlot !== undefined) return ofSlot;
  const step = stepMs(window);
  const from = Math.ceil(Math.max(window.from, earliest ?? window.from) / step) * step;
  return { from, until: from + FIRST_STEPS * step, procs: 1, top: Math.floor(window.top) };
}

function rectangleOfSlot(
  { bar, rows }: { readonly bar: GanttBar; readonly rows: PlacedBar["rows"] },
  { processors, earliest }: RectangleFrame,
): KeyRectangle | undefined {
  const from = Math.max(bar.from, earliest ?? bar.from);
  const until = Math.min(bar.until, from + HOUR_MS);
  if (until <= from) return undefined;
  return { from, until, procs: Math.min(bar.procs, processors), top: rows[0]?.[0] ?? 0 };
}

/** The rectangle after a key; undefined for keys that do not change it. */
export function rectangleAfter(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  rectangle: KeyRectangle,
  frame: RectangleFrame,
): KeyRectangle | undefined {
  const step = stepMs(frame.window);
  switch (key) {
    case "ArrowLeft":
      return shiftKey ? resized(rectangle, -step, step) : moved(rectangle, -step, frame.earliest);
    case "ArrowRight":
      return shiftKey ? resized(rectangle, step, step) : moved(rectangle, step, frame.earliest);
    case "ArrowUp":
      return widened(rectangle, shiftKey ? -MANY : -1, frame.processors);
    case "ArrowDown":
      return widened(rectangle, shiftKey ? MANY : 1, frame.processors);
    default:
      return undefined;
  }
}

function moved(rectangle: KeyRectangle, byMs: number, earliest = Number.NEGATIVE_INFINITY): KeyRectangle {
  const from = Math.max(earliest, rectangle.from + byMs);
  return { ...rectangle, from, until: from + rectangle.until - rectangle.from };
}

function resized(rectangle: KeyRectangle, byMs: number, leastMs: number): KeyRectangle {
  return { ...rectangle, until: Math.max(rectangle.from + leastMs, rectangle.until + byMs) };
}

/** Rows are added below, and above where there are none left. */
function widened(rectangle: KeyRectangle, by: number, processors: number): KeyRectangle {
  const procs = Math.max(1, Math.min(processors, rectangle.procs + by));
  return { ...rectangle, procs, top: Math.max(0, Math.min(rectangle.top, processors - procs)) };
}

/** The window, moved so far that both ends of the rectangle are in sight, or its begin where it is longer. */
export function windowAround({ from, until }: Rectangle, window: Window): Window {
  const span = window.until - window.from;
  const after = Math.max(0, until - window.until);
  const shift = from < window.from + after ? from - window.from : after;
  return shift === 0 ? window : { ...window, from: window.from + shift, until: window.from + shift + span };
}
