import { Button, Group, SegmentedControl, Text, useComputedColorScheme } from "@mantine/core";
import { useResizeObserver } from "@mantine/hooks";
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { lengthText } from "../parts/format.ts";
import type { GanttBar, GanttLimit, PlacedBar, Rectangle, RowsBy } from "./bar.ts";
import { type BarsLayer, createBarsLayer } from "./bars-layer.ts";
import { draw, headPx } from "./draw.ts";
import classes from "./gantt.module.css";
import { KeyHelp } from "./key-help.tsx";
import { onKeyOf } from "./keys.ts";
import { Legend, legendOf } from "./legend.tsx";
import { occupancyOf, usesOf } from "./occupancy.ts";
import { PALETTES } from "./palette.ts";
import { rowsOf } from "./rows.ts";
import type { Scene } from "./scene.ts";
import { TimeHandle } from "./time-handle.tsx";
import { useKeyDrawing } from "./use-key-drawing.ts";
import { usePointer } from "./use-pointer.ts";
import { BODY_PX, WIDEST_ROW_PX, type Window, whole } from "./window.ts";

/** What a chart shows, and what it calls. */
export interface GanttProps {
  /** Says what the picture shows. */
  readonly label: string;
  readonly bars: readonly GanttBar[];
  readonly processors: number;
  /** Names of the nodes in order; absent or empty: rows by node are not offered. */
  readonly nodes?: readonly string[];
  /** What that number is; absent: the capacity. */
  readonly processorsAre?: string;
  /** Until then it is fact; absent: nothing is planned. */
  readonly now?: number;
  readonly limits?: readonly GanttLimit[];
  /** Instant of the past that is looked back at. */
  readonly then?: number | undefined;
  /** Called while the line of now is moved, with undefined once it is back; absent: it stays. */
  readonly onThen?: (at: number | undefined) => void;
  /** Keys of bars that differ from those of a chart beside it. */
  readonly different?: ReadonlySet<string>;
  /** Window of several charts that move together, of what it says; absent: a window of its own. */
  readonly shared?: readonly [Partial<Window> | undefined, (window: Window) => void];
  /** Instant at which the whole of the chart begins at the latest, as that of a chart beside it. */
  readonly begins?: number;
  /** Instant that the whole of the chart reaches at least, such as the end of a chart beside it. */
  readonly reaches?: number;
  /** True where instants are ms of virtual time and not of a calendar. */
  readonly isVirtual?: boolean;
  readonly timeText: (at: number) => string;
  readonly onOpen?: (bar: GanttBar) => void;
  /** Called for a rectangle; absent: none can be drawn. */
  readonly onRectangle?: (rectangle: Rectangle, isByKey: boolean) => void;
}

/** Least height in px of all rows. */
const LEAST_BODY_PX = 160;
const KEYS =
  "Arrow keys move, + and - zoom, Page Down and Page Up select the next or previous job, Enter opens it.";
const NONE: ReadonlySet<string> = new Set();
const NO_LIMITS: readonly GanttLimit[] = [];
const NO_NODES: readonly string[] = [];

/** A Gantt chart on a canvas, for tens of thousands of bars; by mouse, touch and keyboard. */
export function Gantt(props: GanttProps) {
  const { bars, processors, nodes = NO_NODES, now, onOpen, onRectangle, then, onThen } = props;
  const [place, { width: measured }] = useResizeObserver<HTMLDivElement>();
  const width = Math.max(200, Math.floor(measured));
  const [by, setBy] = useState<RowsBy>("processor");
  const [mode, setMode] = useState<"look" | "price">("look");
  const [focus, setFocus] = useState<PlacedBar>();
  const own = useState<Partial<Window>>();
  const [given, setWindow] = props.shared ?? own;
  const rows = useMemo(() => rowsOf(bars, by, processors, nodes), [bars, by, processors, nodes]);
  const all = useMemo(
    () => extent(bars, rows.count, [props.begins ?? now, props.reaches ?? now]),
    [bars, rows.count, now, props.begins, props.reaches],
  );
  const window = { ...all, ...given };
  const scene = useScene(props, { rows, window, width, focus });
  const pointer = usePointer({ scene, setWindow, setFocus, mode, onOpen, onRectangle });
  const drawing = useKeyDrawing({ scene, setWindow, onRectangle });
  const canvas = usePainting(scene, measured > 0, [pointer.drawRectangle, drawing.draw]);
  const onKey = onKeyOf({
    bars: rows.bars,
    window,
    all,
    focus,
    setWindow,
    setFocus,
    pointer,
    drawing,
    onOpen,
  });
  const inLegend = useMemo(() => legendOf(bars), [bars]);
  const { onBy, onWhole } = useWholes({ bars, processors, nodes, all, setBy, setWindow });
  const onPrice = usePriceButton(canvas, drawing.begin, setMode);
  return (
    <div>
      <Toolbar
        {...{ by, onBy, onWhole }}
        hasNodes={nodes.length > 0}
        isPricing={mode === "price"}
        {...(onRectangle ? { onPrice } : {})}
      />
      <div ref={place} className={classes.place}>
        <canvas
          ref={canvas}
          className={classes.canvas}
          style={{ width, height: scene.height, cursor: mode === "price" ? "crosshair" : "grab" }}
          role="application"
          aria-label={`${props.label}. ${KEYS}`}
          tabIndex={0}
          onKeyDown={onKey}
          {...pointer.handlers}
        />
        {onThen && now !== undefined && (
          <TimeHandle
            {...{ window, width, now, then, timeText: props.timeText }}
            onThen={(at) => {
              // The chart that appears beside it shows the same time.
              if (given?.from === undefined) setWindow(window);
              onThen(at);
            }}
          />
        )}
        {focus && <Note bar={focus.bar} at={pointer.at} width={width} />}
      </div>
      <Said text={drawing.said ?? (focus ? [focus.bar.label, ...focus.bar.note()].join(", ") : "")} />
      <Legend palette={scene.palette} {...inLegend} hasDifferent={scene.different.size > 0} />
      <KeyHelp hasRectangles={onRectangle !== undefined} />
    </div>
  );
}

/** What is selected or drawn, for screen readers too. */
function Said({ text }: { readonly text: string }) {
  return (
    <Text size="xs" c="dimmed" aria-live="polite" className={classes.said}>
      {text}
    </Text>
  );
}

/** Handler of the button that prices a slot: by mouse the next drag draws it, by keyboard the arrow keys. */
function usePriceButton(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  begin: () => void,
  setMode: React.Dispatch<React.SetStateAction<"look" | "price">>,
) {
  return useCallback(
    ({ detail }: React.MouseEvent) => {
      // A click by keyboard has no count.
      if (detail > 0) return setMode((was) => (was === "price" ? "look" : "price"));
      begin();
      canvas.current?.focus();
    },
    [canvas, begin, setMode],
  );
}

/** Callbacks for other rows and for the whole chart; they stay the same functions while it is panned. */
function useWholes({
  bars,
  processors,
  nodes,
  all,
  setBy,
  setWindow,
}: Pick<GanttProps, "bars" | "processors"> & {
  readonly nodes: readonly string[];
  readonly all: Window;
  readonly setBy: (by: RowsBy) => void;
  readonly setWindow: (window: Window) => void;
}) {
  const onBy = useCallback(
    (next: RowsBy) => {
      setBy(next);
      setWindow(whole(all.from, all.until, rowsOf(bars, next, processors, nodes).count, BODY_PX));
    },
    [setBy, setWindow, all, bars, processors, nodes],
  );
  const onWhole = useCallback(() => setWindow(all), [setWindow, all]);
  return { onBy, onWhole };
}

function useScene(
  {
    bars,
    processors,
    processorsAre = "capacity",
    now,
    then,
    timeText,
    limits = NO_LIMITS,
    different = NONE,
    isVirtual = false,
  }: GanttProps,
  seen: Pick<Scene, "rows" | "window" | "width" | "focus">,
): Scene {
  const palette = PALETTES[useComputedColorScheme("light")];
  const use = usesOf(bars);
  const limitUses = useMemo(
    () => limits.map(({ label, steps, counts }) => ({ label, steps, use: occupancyOf(bars, counts) })),
    [bars, limits],
  );
  const head = headPx(limits.length);
  return {
    ...{ ...seen, palette, now, then, processors, processorsAre, use, different, timeText, isVirtual },
    ...{ limits: limitUses, head, height: head + bodyPx(seen.rows.count) },
  };
}

/** Height of the body before any zoom: that of its rows, between the least and the greatest height. */
function bodyPx(rows: number): number {
  return Math.min(BODY_PX, Math.max(LEAST_BODY_PX, Math.ceil(rows * WIDEST_ROW_PX) + 8));
}

/** A canvas that is painted after each rendering once its width is known, in the pixels of the screen. */
function usePainting(
  scene: Scene,
  isMeasured: boolean,
  paintMore: readonly ((context: CanvasRenderingContext2D) => void)[],
): React.RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<BarsLayer>(undefined);
  // With the document, which would else show the picture before at another size.
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d", { alpha: false });
    if (!element || !context || !isMeasured) return;
    layer.current ??= createBarsLayer();
    const scale = globalThis.devicePixelRatio;
    const [wide, high] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
    // A canvas is made anew, and cleared, whenever its size is set.
    if (element.width !== wide) element.width = wide;
    if (element.height !== high) element.height = high;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    draw(context, scene, layer.current);
    for (const paint of paintMore) paint(context);
  });
  useEffect(() => {
    // React listens passively, and the document would scroll while the chart zooms.
    const stay = (event: WheelEvent) => event.preventDefault();
    const element = canvas.current;
    element?.addEventListener("wheel", stay, { passive: false });
    return () => element?.removeEventListener("wheel", stay);
  }, []);
  return canvas;
}

/** Part of the chart that is rendered only when it changes, not with each frame of panning. */
const Toolbar = memo(function ToolbarOfChart({
  by,
  onBy,
  hasNodes,
  isPricing,
  onPrice,
  onWhole,
}: {
  readonly by: RowsBy;
  readonly onBy: (by: RowsBy) => void;
  readonly hasNodes: boolean;
  readonly isPricing: boolean;
  /** Absent: no rectangle can be drawn. */
  readonly onPrice?: (event: React.MouseEvent) => void;
  readonly onWhole: () => void;
}) {
  return (
    <Group justify="space-between" gap="xs" mb={4}>
      <SegmentedControl
        size="xs"
        aria-label="Rows"
        data={["processor", ...(hasNodes ? ["node"] : []), "job", "consumer", "partition"]}
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
          Show all
        </Button>
      </Group>
    </Group>
  );
});

/** The window of all bars, and of these instants at least. */
function extent(
  bars: readonly GanttBar[],
  rows: number,
  [begins, reaches]: readonly [number | undefined, number | undefined],
): Window {
  let from = begins ?? Number.POSITIVE_INFINITY;
  let until = reaches ?? Number.NEGATIVE_INFINITY;
  // Free slots may last for days: they count only where there is nothing else.
  const others = bars.filter(({ kind }) => kind !== "free");
  for (const bar of others.length === 0 ? bars : others) {
    from = Math.min(from, bar.from);
    until = Math.max(until, bar.until);
  }
  if (!Number.isFinite(from)) return whole(0, 3_600_000, rows, BODY_PX);
  return whole(from, Math.max(until, from + 60_000), rows, BODY_PX);
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
      {bar.note().map((line) => (
        <div key={line}>{line}</div>
      ))}
      <div>{lengthText(bar.until - bar.from)}</div>
    </div>
  );
}
