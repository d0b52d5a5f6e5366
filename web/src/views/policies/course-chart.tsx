import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

/** Use of a consumer step by step, in percent of the site; null where nothing is known. Unix seconds. */
export interface CourseLine {
  readonly atSec: readonly number[];
  readonly inUse: readonly (number | null)[];
  readonly used: readonly (number | null)[];
  readonly burst: readonly (number | null)[];
  readonly epoch: readonly (number | null)[];
  readonly actions: readonly { readonly atSec: number; readonly text: string }[];
}

/** True for a step above the burst or the epoch line. */
export function isOver({ inUse, used, burst, epoch }: CourseLine, step: number): boolean {
  const exceeds = (value: number | null, limit: number | null): boolean =>
    value !== null && limit !== null && value > limit + 0.01;
  return exceeds(inUse[step], burst[step]) || exceeds(used[step], epoch[step]);
}

const HEIGHT = 300;

/** The course as a picture; the table beside it says the same. */
export function CourseChart({ line, title }: { readonly line: CourseLine; readonly title: string }) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const element = place.current;
    // The colours are variables of the scheme.
    if (element === null || scheme === undefined) return;
    const plot = new uPlot(optionsFor(line, element), dataOf(line), element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [line, scheme]);
  return <div ref={place} role="img" aria-label={`${title}, against its burst and epoch lines`} />;
}

function dataOf({ atSec, inUse, used, burst, epoch }: CourseLine): uPlot.AlignedData {
  return [atSec, inUse, burst, used, epoch].map((values) => [...values]) as uPlot.AlignedData;
}

function optionsFor(line: CourseLine, element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--stint-${name}`).trim();
  const text = style.color;
  const grid = { stroke: `${colour("quiet")}40`, width: 1 };
  const percent = (_: uPlot, value: number | null) => (value === null ? "–" : `${value.toFixed(1)}%`);
  const axis = { stroke: text, grid, ticks: grid };
  return {
    ...{ width: element.clientWidth, height: HEIGHT },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(10, most * 1.1)] } },
    axes: [axis, { ...axis, values: (_, splits) => splits.map((value) => `${value}%`) }],
    series: [
      {},
      { label: "In use", stroke: colour("running"), width: 2, value: percent },
      { label: "Burst line", stroke: colour("running"), dash: [2, 4], value: percent },
      { label: "Used over the epoch", stroke: colour("mine"), width: 2, value: percent },
      { label: "Epoch line", stroke: colour("mine"), dash: [8, 4], value: percent },
    ],
    hooks: { draw: [(plot) => drawMarks(plot, line, { over: colour("failed"), action: colour("held") })] },
  };
}

function drawMarks(
  { ctx, bbox, valToPos }: uPlot,
  line: CourseLine,
  colours: { readonly over: string; readonly action: string },
): void {
  ctx.save();
  ctx.font = `${12 * devicePixelRatio}px sans-serif`;
  ctx.textAlign = "center";
  ctx.fillStyle = colours.over;
  let lastX = Number.NEGATIVE_INFINITY;
  for (const [step, atSec] of line.atSec.entries()) {
    const x = valToPos(atSec, "x", true);
    if (!isOver(line, step) || x - lastX < 8 * devicePixelRatio) continue;
    ctx.fillText("✕", x, bbox.top + bbox.height - 4 * devicePixelRatio);
    lastX = x;
  }
  ctx.fillStyle = colours.action;
  for (const { atSec } of line.actions) {
    ctx.fillText("▼", valToPos(atSec, "x", true), bbox.top + 12 * devicePixelRatio);
  }
  ctx.restore();
}
