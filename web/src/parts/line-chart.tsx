import { useComputedColorScheme } from "@mantine/core";
import { memo, useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { LINE_DASHES, lineColours } from "./line-colours.ts";

/** A line of a chart. */
interface ChartLine {
  readonly label: string;
  /** One for each x; null: none, the line has a gap. */
  readonly values: readonly (number | null)[];
}

/** What a chart shows. */
export interface LineChartProps {
  /** Says what the picture shows, for those who do not see it. */
  readonly label: string;
  readonly x: readonly number[];
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
  readonly lines: readonly ChartLine[];
  /** Name of x in the legend. */
  readonly xLabel: string;
  /** Marks of a scale that leaves small values their room beside large ones; absent: an even scale. */
  readonly marks?: readonly number[];
  /** True: the scale begins at 0. */
  readonly isFromZero?: boolean;
  /** True: a value holds until the next x. */
  readonly isStepped?: boolean;
  /** Charts of one group share their cursor. */
  readonly group?: string;
}

const HEIGHT_PX = 240;
/** Least distance of two marks of x: room for a time of day. */
const MARK_PX = 100;
/** Room for the right half of the last mark. */
const HALF_MARK_PX = 40;
/** Borders of the markers in the legend, in the order of the dashes of lines. */
const BORDERS = ["solid", "dashed", "dotted", "double"];
/** Below this a compressed scale is about even. */
const EVEN_BELOW = 60;

const compressed = (value: number): number => Math.log1p(value / EVEN_BELOW);
const compressedOrNone = (value: number | null): number | null => (value === null ? null : compressed(value));
const expanded = (drawn: number): number => Math.round(EVEN_BELOW * Math.expm1(drawn));

/** The marks on a compressed scale that lie between two of its values. */
function within(marks: readonly number[], least: number, most: number): number[] {
  return marks.map(compressed).filter((mark) => mark >= least && mark <= most);
}

/** Lines over a common x, told apart by colour and by dash; drawn by uPlot. */
export const LineChart = memo(function DrawnLines(props: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light");
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const { x, lines, marks } = props;
    const drawn = lines.map(({ values }) => (marks === undefined ? values : values.map(compressedOrNone)));
    const data = [x, ...drawn] as unknown as uPlot.AlignedData;
    const chart = new uPlot(optionsOf(props, scheme, element.clientWidth), data, element);
    const watcher = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [props, scheme]);
  return <div ref={place} role="img" aria-label={props.label} className="line-chart" />;
});

function optionsOf(
  { xText, xLabel, yText: text, lines, marks, isFromZero = false, isStepped = false, group }: LineChartProps,
  scheme: "light" | "dark",
  width: number,
): uPlot.Options {
  const yText = (drawn: number): string => text(marks === undefined ? drawn : expanded(drawn));
  const ink = scheme === "dark" ? "#c9d1d9" : "#333a42";
  const grid = { stroke: scheme === "dark" ? "#3a4149" : "#e3e6ea", width: 1 };
  const axis = { stroke: ink, grid, ticks: grid };
  const colours = lineColours(scheme);
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    ...{ width, height: HEIGHT_PX, padding: [null, HALF_MARK_PX, null, null] },
    scales: {
      x: { time: false },
      ...(isFromZero && {
        y: { range: (_: uPlot, __: number | null, most: number | null) => [0, 1.1 * (most || 1)] },
      }),
    },
    axes: [
      { ...axis, space: MARK_PX, values: (_, values) => values.map(xText) },
      {
        ...{ ...axis, size: 74, values: (_: uPlot, values: number[]) => values.map(yText) },
        ...(marks && {
          splits: (_: uPlot, __: number, least: number, most: number) => within(marks, least, most),
        }),
      },
    ],
    series: [
      { label: xLabel, value: (_, value) => (value === null ? "–" : xText(value)) },
      ...lines.map(({ label }, at) => ({
        label,
        stroke: colours[at % colours.length] ?? ink,
        width: 2,
        dash: [...(LINE_DASHES[at % LINE_DASHES.length] ?? [])],
        points: { show: false },
        value: (_: uPlot, value: number | null) => (value === null ? "–" : yText(value)),
        ...(paths && { paths }),
      })),
    ],
    legend: { markers: { width: 3, dash: (_, at) => BORDERS[(at - 1) % BORDERS.length] ?? "solid" } },
    ...(group !== undefined && { cursor: { sync: { key: group } } }),
  };
}
