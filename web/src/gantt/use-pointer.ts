import { type PointerEvent, useRef, useState, type WheelEvent } from "react";
import type { GanttBar, PlacedBar, Rectangle } from "./bar.ts";
import { barAt, columnsOf } from "./columns.ts";
import { drawRectangle } from "./draw-rectangle.ts";
import type { Scene } from "./scene.ts";
import { heightened, panned, type Window, zoomed } from "./window.ts";

interface PointerWorld {
  readonly scene: Scene;
  readonly setWindow: (window: Window) => void;
  readonly setFocus: (bar: PlacedBar | undefined) => void;
  readonly mode: "look" | "price";
  readonly onOpen: ((bar: GanttBar) => void) | undefined;
  readonly onRectangle: ((rectangle: Rectangle, isByKey: boolean) => void) | undefined;
}

type Point = readonly [x: number, y: number];

/** A note begins no nearer than this to the lower edge. */
const NOTE_SLACK_PX = 24;
/** Less than this between press and release is a click. */
const CLICK_PX = 4;

/** Moving, zooming and drawing rectangles by mouse, pen and fingers. */
export function usePointer({ scene, setWindow, setFocus, mode, onOpen, onRectangle }: PointerWorld) {
  const pressed = useRef(new Map<number, Point>());
  const began = useRef<Point>([0, 0]);
  const [drawn, setDrawn] = useState<readonly [Point, Point]>();
  const [at, setAt] = useState<Point>([0, 0]);
  const { width } = scene;
  const { latest, move } = useLatest(scene.window, setWindow);
  const handlers = {
    onPointerDown(event: PointerEvent) {
      const point = pointOf(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      pressed.current.set(event.pointerId, point);
      began.current = point;
      if (mode === "price") setDrawn([point, point]);
    },
    onPointerMove(event: PointerEvent) {
      const point = pointOf(event);
      const before = pressed.current.get(event.pointerId);
      if (before === undefined) {
        setAt(point);
        setFocus(barUnder(scene, point));
        return;
      }
      const [other] = [...pressed.current].filter(([id]) => id !== event.pointerId);
      pressed.current.set(event.pointerId, point);
      if (other !== undefined) move(pinched(latest.current, width, [before, point, other[1]]));
      else if (mode === "price") setDrawn([began.current, point]);
      else {
        const { rowPx } = latest.current;
        move(panned(latest.current, (before[0] - point[0]) / width, (before[1] - point[1]) / rowPx));
      }
    },
    onPointerUp(event: PointerEvent) {
      const point = pointOf(event);
      pressed.current.delete(event.pointerId);
      const [x, y] = began.current;
      const isClick = Math.hypot(point[0] - x, point[1] - y) < CLICK_PX;
      if (mode === "price") {
        setDrawn(undefined);
        if (!isClick) onRectangle?.(rectangleOf(scene, began.current, point), false);
        return;
      }
      const found = isClick ? barUnder(scene, point) : undefined;
      if (found) onOpen?.(found.bar);
    },
    onPointerCancel: (event: PointerEvent) => void pressed.current.delete(event.pointerId),
    onPointerLeave: () => setFocus(undefined),
    onWheel(event: WheelEvent) {
      const [x, y] = pointOf(event);
      const factor = Math.exp(event.deltaY / 400);
      if (event.shiftKey) move(heightened(latest.current, 1 / factor, y - scene.head));
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        move(panned(latest.current, event.deltaX / width, 0));
      } else move(zoomed(latest.current, factor, x / width));
    },
  };
  return {
    handlers,
    at,
    /** Puts the note of a bar that was chosen by keyboard below it. */
    pointTo: (bar: PlacedBar, window: Window) => setAt(pointBelow(scene, bar, window)),
    /** Draws the rectangle that is being drawn. */
    drawRectangle(context: CanvasRenderingContext2D) {
      if (drawn !== undefined) drawOutline(context, scene, drawn);
    },
  };
}

/** Latest window: events between two renderings, as those of two fingers, each continue from the last one. */
function useLatest(window: Window, setWindow: (window: Window) => void) {
  const latest = useRef(window);
  latest.current = window;
  const move = (next: Window): void => {
    latest.current = next;
    setWindow(next);
  };
  return { latest, move };
}

function pointBelow({ width, head, height }: Scene, { bar, rows: [span] }: PlacedBar, window: Window): Point {
  const { from, until, top, rowPx } = window;
  const x = ((bar.from - from) / (until - from)) * width;
  const y = head + ((span?.[0] ?? 0) + (span?.[1] ?? 0) - top) * rowPx;
  return [Math.max(0, x), Math.max(head, Math.min(height - NOTE_SLACK_PX, y))];
}

function drawOutline(context: CanvasRenderingContext2D, scene: Scene, [from, to]: readonly [Point, Point]) {
  const box = { x: from[0], y: from[1], w: to[0] - from[0], h: to[1] - from[1] };
  drawRectangle(context, scene, box, rectangleOf(scene, from, to).procs);
}

function pointOf({ clientX, clientY, currentTarget }: PointerEvent | WheelEvent): Point {
  const box = currentTarget.getBoundingClientRect();
  return [clientX - box.left, clientY - box.top];
}

function instantAt({ window, width }: Scene, x: number): number {
  return window.from + (x / width) * (window.until - window.from);
}

function barUnder(scene: Scene, [x, y]: Point): PlacedBar | undefined {
  const { window, width, head, rows } = scene;
  if (y < head) return undefined;
  return barAt(columnsOf(rows), {
    at: instantAt(scene, x),
    slack: (window.until - window.from) / width,
    row: window.top + (y - head) / window.rowPx,
    least: 1 / window.rowPx,
  });
}

function rectangleOf(scene: Scene, a: Point, b: Point): Rectangle {
  const from = instantAt(scene, Math.min(a[0], b[0]));
  const until = instantAt(scene, Math.max(a[0], b[0]));
  const rows = Math.abs(a[1] - b[1]) / scene.window.rowPx;
  return { from, until, procs: Math.min(scene.processors, Math.max(1, Math.round(rows))) };
}

/** Two fingers: their distance zooms, their middle moves. */
function pinched(
  window: Window,
  width: number,
  [before, after, other]: readonly [Point, Point, Point],
): Window {
  const gap = Math.max(10, Math.abs(before[0] - other[0]));
  const next = Math.max(10, Math.abs(after[0] - other[0]));
  const middle = (after[0] + other[0]) / 2;
  return panned(zoomed(window, gap / next, middle / width), (before[0] - after[0]) / 2 / width, 0);
}
