/** Keys of a chart: they move and zoom it, select bars in the order of their begins, and open one. */
import type { KeyboardEvent } from "react";
import type { GanttBar, PlacedBar } from "./bar.ts";
import { BODY_PX, heightened, panned, type Window, zoomed } from "./window.ts";

interface KeyWorld {
  readonly bars: readonly PlacedBar[];
  readonly window: Window;
  /** The window of the whole chart. */
  readonly all: Window;
  readonly focus: PlacedBar | undefined;
  readonly setWindow: (window: Window) => void;
  readonly setFocus: (bar: PlacedBar | undefined) => void;
  readonly pointer: { readonly pointTo: (bar: PlacedBar, window: Window) => void };
  readonly drawing: { readonly onKey: (event: KeyboardEvent) => boolean };
  readonly onOpen: ((bar: GanttBar) => void) | undefined;
}

/** The handler of keys; a bar that is selected comes into sight. */
export function onKeyOf({
  bars,
  window,
  all,
  focus,
  setWindow,
  setFocus,
  pointer,
  drawing,
  onOpen,
}: KeyWorld) {
  return (event: KeyboardEvent): void => {
    if (drawing.onKey(event)) {
      event.preventDefault();
      return;
    }
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const chosen = step === undefined ? undefined : neighbour(bars, focus, step);
    const next = chosen === undefined ? windowAfter(event.key, window, all) : windowWith(chosen, window);
    if (next !== undefined && next !== window) setWindow(next);
    if (chosen !== undefined) {
      setFocus(chosen);
      pointer.pointTo(chosen, next ?? window);
    }
    if (event.key === "Enter" && focus) onOpen?.(focus.bar);
    if (next !== undefined || step !== undefined) event.preventDefault();
  };
}

/** Window after a key. */
function windowAfter(key: string, window: Window, all: Window): Window | undefined {
  switch (key) {
    case "ArrowLeft":
      return panned(window, -0.1, 0);
    case "ArrowRight":
      return panned(window, 0.1, 0);
    case "ArrowUp":
      return panned(window, 0, -20 / window.rowPx);
    case "ArrowDown":
      return panned(window, 0, 20 / window.rowPx);
    case "+":
    case "=":
      return zoomed(window, 0.7, 0.5);
    case "-":
      return zoomed(window, 1 / 0.7, 0.5);
    case "[":
      return heightened(window, 0.8, BODY_PX / 2);
    case "]":
      return heightened(window, 1.25, BODY_PX / 2);
    case "Home":
      return all;
    default:
      return undefined;
  }
}

/** The window, moved if the begin of a bar or its first row is out of sight. */
function windowWith({ bar, rows: [span] }: PlacedBar, window: Window): Window {
  const row = span?.[0] ?? 0;
  const widths = (bar.from - window.from) / (window.until - window.from);
  const below = row - window.top - (BODY_PX / window.rowPx - 1);
  const isWithin = widths >= 0 && widths < 1;
  const byRows = row < window.top ? row - window.top : Math.max(0, below);
  if (isWithin && byRows === 0) return window;
  return panned(window, isWithin ? 0 : widths - 0.1, byRows);
}

function neighbour(bars: readonly PlacedBar[], focus: PlacedBar | undefined, step: number) {
  const sorted = bars
    .filter(({ bar, piece }) => piece === bar.pieces?.[0])
    .sort((a, b) => a.bar.from - b.bar.from);
  const at = sorted.findIndex(({ bar: { key } }) => key === focus?.bar.key);
  return sorted[Math.max(0, Math.min(sorted.length - 1, at + step))];
}
