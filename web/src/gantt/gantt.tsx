import { Button, Group, SegmentedControl, Text, useComputedColorScheme } from "@mantine/core";
import { useResizeObserver } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import { lengthText } from "../parts/format.ts";
import type { GanttBar, GanttLimit, PlacedBar, Rectangle, RowsBy } from "./bar.ts";
import { draw, HEAD_PX, PALETTES, type Scene } from "./draw.ts";
import classes from "./gantt.module.css";
import { Legend } from "./legend.tsx";
import { occupancyOf } from "./occupancy.ts";
import { rowsOf } from "./rows.ts";
import { usePointer } from "./use-pointer.ts";
import { heightened, panned, type Window, whole, zoomed } from "./window.ts";

/** What a chart shows, and what it calls. */
export interface GanttProps {
  /** Says what the picture shows. */
  readonly label: string;
  readonly bars: readonly GanttBar[];
  readonly processors: number;
  /** Until then it is fact; absent: nothing is planned. */
  readonly now?: number;
  readonly limits?: readonly GanttLimit[];
  /** Keys of bars that differ from those of a chart beside it. */
  readonly different?: ReadonlySet<string>;
  /** Window of several charts that move together, of what it says; absent: a window of its own. */
  readonly shared?: readonly [Partial<Window> | undefined, (window: Window) => void];
  /** Instant that the whole of the chart reaches at least, such as the end of a chart beside it. */
  readonly reaches?: number;
  /** True where instants are ms of virtual time and not of a calendar. */
  readonly isVirtual?: boolean;
  readonly timeText: (at: number) => string;
  readonly onOpen?: (bar: GanttBar) => void;
  /** Called for a rectangle; absent: none can be drawn. */
  readonly onRectangle?: (rectangle: Rectangle) => void;
}

const HEIGHT_PX = 420;
const KEYS = "Arrow keys move, + and - zoom, Page Down and Page Up go from job to job, Enter opens one.";
const NONE: ReadonlySet<string> = new Set();

/** A Gantt chart on a canvas, for tens of thousands of bars; by mouse, touch and keyboard. */
export function Gantt(props: GanttProps) {
  const { bars, processors, now, reaches, limits = [], different = NONE, isVirtual = false } = props;
  const { timeText, onOpen, onRectangle } = props;
  const [place, { width: measured }] = useResizeObserver<HTMLDivElement>();
  const width = Math.max(200, Math.floor(measured));
  const canvas = useRef<HTMLCanvasElement>(null);
  const [by, setBy] = useState<RowsBy>("processor");
  const [mode, setMode] = useState<"look" | "price">("look");
  const [focus, setFocus] = useState<GanttBar>();
  const own = useState<Partial<Window>>();
  const [given, setWindow] = props.shared ?? own;
  const palette = PALETTES[useComputedColorScheme("light")];
  const rows = useMemo(() => rowsOf(bars, by, processors), [bars, by, processors]);
  const use = useMemo(() => occupancyOf(bars), [bars]);
  const all = useMemo(() => extent(bars, rows.count, now, reaches), [bars, rows.count, now, reaches]);
  const window = { ...all, ...given };
  const scene: Scene = {
    ...{ rows, window, width, height: HEIGHT_PX, palette, now, limits, processors, use, different, timeText },
    ...{ isVirtual, focus: focus?.key },
  };
  const pointer = usePointer({ scene, setWindow, setFocus, mode, onOpen, onRectangle });
  usePainting(canvas, width, (context) => {
    draw(context, scene);
    pointer.drawRectangle(context);
  });
  const onKey = (event: React.KeyboardEvent): void => {
    const next = windowAfter(event.key, window, all);
    if (next !== undefined) setWindow(next);
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    if (step !== undefined) setFocus(neighbour(rows.bars, focus, step));
    if (event.key === "Enter" && focus) onOpen?.(focus);
    if (next !== undefined || step !== undefined) event.preventDefault();
  };
  return (
    <div>
      <Toolbar
        by={by}
        onBy={(next) => {
          setBy(next);
          setWindow(whole(all.from, all.until, rowsOf(bars, next, processors).count, BODY_PX));
        }}
        isPricing={mode === "price"}
        onWhole={() => setWindow(all)}
        {...(onRectangle ? { onPrice: () => setMode(mode === "price" ? "look" : "price") } : {})}
      />
      <div ref={place} className={classes.place}>
        <canvas
          ref={canvas}
          className={classes.canvas}
          style={{ width, height: HEIGHT_PX, cursor: mode === "price" ? "crosshair" : "grab" }}
          role="application"
          aria-label={`${props.label}. ${KEYS}`}
          tabIndex={0}
          onKeyDown={onKey}
          onWheel={pointer.onWheel}
          {...pointer.handlers}
        />
        {focus && <Note bar={focus} at={pointer.at} width={width} />}
      </div>
      <Text size="xs" c="dimmed" aria-live="polite" className={classes.said}>
        {focus ? [focus.label, ...focus.note].join(", ") : ""}
      </Text>
      <Legend
        palette={palette}
        kinds={new Set(bars.map(({ kind }) => kind))}
        hasDifferent={different.size > 0}
      />
    </div>
  );
}

const BODY_PX = HEIGHT_PX - HEAD_PX;

/** Paints a canvas after each rendering, in the pixels of the screen. */
function usePainting(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  width: number,
  paint: (context: CanvasRenderingContext2D) => void,
): void {
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d", { alpha: false });
    if (!element || !context) return;
    const scale = globalThis.devicePixelRatio;
    element.width = width * scale;
    element.height = HEIGHT_PX * scale;
    context.scale(scale, scale);
    paint(context);
  });
  useEffect(() => {
    // React listens passively, and the document would scroll while the chart zooms.
    const stay = (event: WheelEvent) => event.preventDefault();
    const element = canvas.current;
    element?.addEventListener("wheel", stay, { passive: false });
    return () => element?.removeEventListener("wheel", stay);
  }, [canvas]);
}

function Toolbar({
  by,
  onBy,
  isPricing,
  onPrice,
  onWhole,
}: {
  readonly by: RowsBy;
  readonly onBy: (by: RowsBy) => void;
  readonly isPricing: boolean;
  /** Absent: no rectangle can be drawn. */
  readonly onPrice?: () => void;
  readonly onWhole: () => void;
}) {
  return (
    <Group justify="space-between" gap="xs" mb={4}>
      <SegmentedControl
        size="xs"
        aria-label="Rows"
        data={["processor", "job", "consumer", "partition"]}
        value={by}
        onChange={(value) => onBy(value as RowsBy)}
      />
      <Group gap="xs">
        {onPrice && (
          <Button variant={isPricing ? "filled" : "default"} aria-pressed={isPricing} onClick={onPrice}>
            Price a slot
          </Button>
        )}
        <Button variant="default" onClick={onWhole}>
          Whole
        </Button>
      </Group>
    </Group>
  );
}

function extent(bars: readonly GanttBar[], rows: number, now?: number, reaches?: number): Window {
  let from = now ?? Number.POSITIVE_INFINITY;
  let until = Math.max(now ?? Number.NEGATIVE_INFINITY, reaches ?? Number.NEGATIVE_INFINITY);
  for (const bar of bars) {
    from = Math.min(from, bar.from);
    until = Math.max(until, bar.until);
  }
  if (!Number.isFinite(from)) return whole(0, 3_600_000, rows, BODY_PX);
  return whole(from, Math.max(until, from + 60_000), rows, BODY_PX);
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

function neighbour(bars: readonly PlacedBar[], focus: GanttBar | undefined, step: number) {
  const sorted = bars.map(({ bar }) => bar).sort((a, b) => a.from - b.from);
  const at = sorted.findIndex(({ key }) => key === focus?.key);
  return sorted[Math.max(0, Math.min(sorted.length - 1, at + step))];
}

function Note({
  bar,
  at,
  width,
}: {
  readonly bar: GanttBar;
  readonly at: readonly [number, number];
  readonly width: number;
}) {
  const [x, y] = at;
  return (
    <div className={classes.note} style={{ left: Math.min(x + 12, Math.max(0, width - 260)), top: y + 12 }}>
      <strong>{bar.label}</strong>
      {bar.note.map((line) => (
        <div key={line}>{line}</div>
      ))}
      <div>{lengthText(bar.until - bar.from)}</div>
    </div>
  );
}
