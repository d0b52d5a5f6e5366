/**
 * Charts as SVG text: panels one below the other on one axis, and bars.
 *
 * ECharts draws them; its colours are the variables of the page's style, so that one text serves a light
 * screen, a dark one and paper. The same values give the same text (rule RP-2).
 */
import type { EChartsCoreOption } from "echarts/core";
import type { Axis } from "./axis.ts";
import { init } from "./chart-library.ts";
import { DASHES } from "./style.ts";
import { escaped } from "./table.ts";

/** Title and text description of a chart, for readers who cannot see it. */
export interface ChartName {
  readonly title: string;
  readonly description: string;
}

/** A place along the axis and a value; null interrupts a line. */
export type Point = readonly [along: number, value: number | null];

/** A line that holds each value for a step of the axis, from 0 on. */
export function steps<Value extends number | null>(
  values: readonly Value[],
  length: number,
): readonly (readonly [along: number, value: Value])[] {
  return values.flatMap((value, at): (readonly [number, Value])[] => [
    [at * length, value],
    [(at + 1) * length, value],
  ]);
}

/** A stretch along the axis. */
export type Span = readonly [from: number, to: number];

/** One layer of a panel; layers are listed from the bottom up. */
export type Layer =
  | {
      readonly kind: "line";
      /** Number of the series; selects colour and dashes. */
      readonly series: number;
      readonly points: readonly Point[];
      readonly isFilled?: boolean;
    }
  | {
      readonly kind: "dots";
      readonly series: number;
      readonly points: readonly Point[];
      readonly isHollow?: boolean;
    }
  /** The whole height; hatched is what nothing is known of. */
  | { readonly kind: "band"; readonly how: "shaded" | "hatched"; readonly spans: readonly Span[] }
  /** Bars on the axis. */
  | { readonly kind: "marks"; readonly series: number; readonly spans: readonly Span[] };

/** Layers with an axis of values of their own. */
export interface Panel {
  /** Written above it; nothing where it is absent. */
  readonly title?: string;
  readonly up: Axis;
  readonly layers: readonly Layer[];
}

/** Of the whole chart. */
export interface ChartSize {
  readonly width: number;
  /** Of the values of one panel. */
  readonly panelHeight: number;
}

const LEFT = 56;
const RIGHT = 18;
/** Between a panel and the one above it: its title, and the marks and labels of that. */
const TITLE = 28;
const LOW = 100;
/** Below the values, for the marks and the name of the axis. */
const FOOT = 42;
const FAINT = "var(--faint)";
const INK = "var(--ink)";

/** The panels on the axis `along`, which is written below the last. */
export function panelChart(
  name: ChartName,
  along: Axis,
  panels: readonly Panel[],
  { width, panelHeight }: ChartSize = { width: 720, panelHeight: 260 },
): string {
  const tops: number[] = [];
  let bottom = 0;
  for (const { title } of panels) {
    const top = bottom + (title === undefined ? 10 : TITLE);
    tops.push(top);
    bottom = top + panelHeight;
  }
  // A low panel has room for the labels of its ends alone.
  const shown = (up: Axis): Axis =>
    panelHeight < LOW
      ? { ...up, ticks: up.ticks.filter((_, at) => at === 0 || at === up.ticks.length - 1) }
      : up;
  return draw(name, [width, bottom + FOOT], {
    grid: tops.map((top) => ({ left: LEFT, right: RIGHT, top, height: panelHeight })),
    xAxis: panels.map((_, at) => ({
      ...{ gridIndex: at, ...axisOption(along), ...(at < panels.length - 1 ? UNLABELLED : nameBelow(along)) },
    })),
    yAxis: panels.map(({ title, up }, at) => ({
      ...{ gridIndex: at, ...axisOption(shown(up)), axisLine: { show: false } },
      ...{ name: title, nameLocation: "end", nameGap: 8, nameTextStyle: { color: INK, align: "left" } },
    })),
    series: panels.flatMap(({ layers }, at) =>
      layers.map((layer, z) => ({ xAxisIndex: at, yAxisIndex: at, z: 2 + z, ...layerOption(layer, 2 + z) })),
    ),
  });
}

/** A bar from 0 on, with an interval about its end. */
export interface Bar {
  /** Written above it. */
  readonly text: string;
  readonly series: number;
  readonly value: number;
  readonly interval?: Span;
}

const BAR_ROW = 40;

/** The bars one below the other; one that is longer than the axis ends there, with an arrow. */
export function barChart(name: ChartName, along: Axis, bars: readonly Bar[]): string {
  const rows = { type: "category", inverse: true, show: false, data: bars.map((_, at) => String(at)) };
  const whiskers = bars.flatMap(({ interval }, at) => {
    if (interval === undefined) return [];
    const data = interval.map((end) => [Math.min(Math.max(0, end), along.to), at]);
    const whisker = { type: "line", data, lineStyle: { color: INK, width: 1.4 }, color: INK };
    return [{ ...whisker, symbol: "rect", symbolSize: [1.4, 10], clip: false, symbolOffset: [0, 0] }];
  });
  return draw(name, [460, bars.length * BAR_ROW + FOOT + 4], {
    grid: [{ left: 8, right: 24, top: 10, height: bars.length * BAR_ROW }],
    xAxis: {
      ...axisOption(along),
      ...nameBelow(along),
    },
    yAxis: rows,
    series: [
      {
        ...{ type: "bar", barWidth: 12, clip: false },
        data: bars.map(({ value, text, series }) => ({
          value: Math.min(value, along.to),
          itemStyle: { color: `var(--s${series})`, opacity: 0.75 },
          label: {
            ...{ show: true, position: [0, -15], align: "left", verticalAlign: "middle" },
            ...{ color: INK, opacity: 1, formatter: () => text },
          },
        })),
      },
      ...whiskers,
    ],
  });
}

/** Percent stand at each number, other units at the end of an axis. */
function axisOption({ from, to, ticks, label }: Axis): object {
  const unit = label === "%" ? " %" : "";
  const customValues = ticks.map(({ at }) => at);
  const texts = new Map(ticks.map(({ at, text }) => [at, text + unit]));
  return {
    ...{ type: "value", min: from, max: to },
    axisLine: { lineStyle: { color: FAINT }, onZero: false },
    axisTick: { show: false, customValues },
    axisLabel: { customValues, color: FAINT, formatter: (value: number) => texts.get(value) ?? "" },
    splitLine: { lineStyle: { color: "var(--rule)" } },
  };
}

const UNLABELLED = { axisLabel: { show: false } };

/** The name of an axis, at its end below the labels. */
function nameBelow({ label }: Axis): object {
  const nameTextStyle = { color: FAINT, align: "right", verticalAlign: "top", padding: [24, 0, 0, 0] };
  return { name: label === "%" ? "" : label, nameLocation: "end", nameGap: 0, nameTextStyle };
}

function layerOption(layer: Layer, z: number): object {
  switch (layer.kind) {
    case "line": {
      const color = `var(--s${layer.series})`;
      // A filled one has an edge, not dashes: its colour is seen.
      const dashes = layer.isFilled ? [] : (DASHES[layer.series] ?? []);
      return {
        ...{ type: "line", data: layer.points, showSymbol: false, clip: false, color },
        lineStyle: { color, width: 1.8, type: dashes.length === 0 ? "solid" : dashes },
        ...(layer.isFilled ? { areaStyle: { color, opacity: 0.55 } } : {}),
      };
    }
    case "dots": {
      const color = `var(--s${layer.series})`;
      const itemStyle = layer.isHollow
        ? { color: "none", borderColor: color, borderWidth: 1.5 }
        : { color, opacity: 0.8 };
      return { type: "scatter", data: layer.points, symbolSize: 5, clip: false, itemStyle };
    }
    case "band":
      return {
        ...{ type: "line", data: [] },
        markArea: {
          z,
          itemStyle:
            layer.how === "hatched"
              ? { color: "url(#hatch)", borderColor: FAINT, borderWidth: 0.6 }
              : { color: FAINT, opacity: 0.16, borderColor: "none" },
          data: layer.spans.map(([from, to]) => [{ xAxis: from }, { xAxis: to }]),
        },
      };
    case "marks":
      return {
        ...{ type: "line", showSymbol: false, clip: false, color: `var(--s${layer.series})` },
        lineStyle: { color: `var(--s${layer.series})`, width: 5, cap: "butt" },
        data: layer.spans.flatMap(([from, to]) => [
          [from, 0],
          [to, 0],
          [to, null],
        ]),
      };
  }
}

function draw(
  { title, description }: ChartName,
  [width, height]: readonly [number, number],
  option: EChartsCoreOption,
): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({ animation: false, ...option });
    const inside = NOT_WANTED.reduce((svg, part) => svg.replaceAll(part, ""), chart.renderToSVGString());
    const about = escaped(`${title}. ${description}`);
    return (
      `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${about}">` +
      `<title>${escaped(title)}</title>\n${inside.trim()}\n</svg>`
    );
  } finally {
    chart.dispose();
  }
}

/**
 * Markup that a page with scripts does not need: the frame with the library's own names, pointers, fonts that
 * the page's style sets, and clips, which are named by a counter of all charts. Nothing here is clipped. Text
 * from input never matches: its quotes and angle brackets are escaped.
 */
const NOT_WANTED: readonly RegExp[] = [
  /<svg [^>]*>\n<rect [^>]*><\/rect>\n/g,
  /<defs >.*<\/defs>\n/gs,
  /<style >.*<\/style>\n/gs,
  /<\/svg>/g,
  /<\/?g( [^>]*)?>\n/g,
  /<path d="" [^>]*><\/path>\n/g,
  / (class|style|pointer-events|ecmeta_\w+|xml:space)="[^"]*"/g,
];
