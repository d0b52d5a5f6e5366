import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { LINE_DASHES, lineColours } from "./line-colours.ts";

/** A line of a chart. */
export interface ChartLine {
  readonly label: string;
  /** One for each x. */
  readonly values: readonly number[];
}

/** What a chart shows. */
export interface LineChartProps {
  /** Says what the picture shows, for those who do not see it. */
  readonly label: string;
  readonly x: readonly number[];
  readonly xText: (value: number) => string;
  readonly yText: (value: number) => string;
  readonly lines: readonly ChartLine[];
  /** True: small values keep their room beside large ones, as on a logarithmic scale that has a zero. */
  readonly isWide?: boolean;
  /** True: a value holds until the next x. */
  readonly isStepped?: boolean;
  /** Charts of one group share their cursor. */
  readonly group?: string;
}

const HEIGHT_PX = 240;

/** Lines over a common x, told apart by colour and by dash; drawn by uPlot. */
export function LineChart(props: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light");
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const data = [props.x, ...props.lines.map(({ values }) => values)] as unknown as uPlot.AlignedData;
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
}

function optionsOf(
  { xText, yText, lines, isWide = false, isStepped = false, group }: LineChartProps,
  scheme: "light" | "dark",
  width: number,
): uPlot.Options {
  const ink = scheme === "dark" ? "#c9d1d9" : "#333a42";
  const grid = { stroke: scheme === "dark" ? "#3a4149" : "#e3e6ea", width: 1 };
  const axis = { stroke: ink, grid, ticks: grid };
  const colours = lineColours(scheme);
  const paths = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  return {
    ...{ width, height: HEIGHT_PX },
    scales: { x: { time: false }, y: isWide ? { distr: 4, asinh: 60 } : {} },
    axes: [
      { ...axis, values: (_, values) => values.map(xText) },
      {
        ...axis,
        size: 74,
        values: (_, values) => values.map((value) => (value === null ? "" : yText(value))),
      },
    ],
    series: [
      { value: (_, value) => (value === null ? "–" : xText(value)) },
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
    ...(group !== undefined && { cursor: { sync: { key: group } } }),
  };
}
