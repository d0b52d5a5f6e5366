/** Drawing a rectangle by keyboard: R begins, arrow keys move and size it, Enter ends with it. */
import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { lengthText } from "../parts/format.ts";
import type { PlacedBar, Rectangle } from "./bar.ts";
import { drawRectangle } from "./draw-rectangle.ts";
import {
  firstRectangle,
  type KeyRectangle,
  type RectangleFrame,
  rectangleAfter,
  windowAround,
} from "./key-rectangle.ts";
import type { Scene } from "./scene.ts";
import type { Window } from "./window.ts";

interface DrawingWorld {
  readonly scene: Scene;
  readonly setWindow: (window: Window) => void;
  /** Absent: none can be drawn. */
  readonly onRectangle: ((rectangle: Rectangle, isByKey: boolean) => void) | undefined;
}

/** State of a rectangle that is drawn by keyboard. */
export function useKeyDrawing({ scene, setWindow, onRectangle }: DrawingWorld) {
  const [drawn, setDrawn] = useState<KeyRectangle>();
  const latest = useRef<{ readonly frame: RectangleFrame; readonly focus: PlacedBar | undefined }>(undefined);
  const { window, processors, now, focus } = scene;
  latest.current = { frame: { window, processors, earliest: now }, focus };
  const begin = useCallback(() => {
    if (latest.current !== undefined) setDrawn(firstRectangle(latest.current.frame, latest.current.focus));
  }, []);
  return {
    begin,
    /** Announcement of the rectangle; undefined while none is drawn. */
    said: drawn === undefined ? undefined : saidOf(drawn, scene.timeText),
    /** Handles a key. @returns true if the key changed or ended the drawing */
    onKey(event: KeyboardEvent): boolean {
      if (onRectangle === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
      if (drawn === undefined) {
        if (event.key !== "r" && event.key !== "R") return false;
        begin();
        return true;
      }
      if (event.key === "Escape") setDrawn(undefined);
      else if (event.key === "Enter") {
        setDrawn(undefined);
        onRectangle({ from: drawn.from, until: drawn.until, procs: drawn.procs }, true);
      } else {
        const next = rectangleAfter(event, drawn, { window, processors, earliest: now });
        if (next === undefined) return false;
        setDrawn(next);
        setWindow(windowAround(next, window));
      }
      return true;
    },
    draw(context: CanvasRenderingContext2D): void {
      if (drawn === undefined) return;
      const perMs = scene.width / (window.until - window.from);
      const box = {
        x: (drawn.from - window.from) * perMs,
        y: scene.head + (drawn.top - window.top) * window.rowPx,
        w: (drawn.until - drawn.from) * perMs,
        h: drawn.procs * window.rowPx,
      };
      drawRectangle(context, scene, box, drawn.procs);
    },
  };
}

function saidOf({ from, until, procs }: KeyRectangle, timeText: (at: number) => string): string {
  const size = `${procs} processor${procs === 1 ? "" : "s"} for ${lengthText(until - from)}`;
  return `${size}, from ${timeText(from)} to ${timeText(until)}. Enter requests the price, Escape cancels.`;
}
