/**
 * Charts of use against a limit over time, in panels one below the other: gaps hatched, marks below.
 * Hatches and marks differ in form too, so that a black-and-white print is readable.
 */
import { lengthMs, type Stretch } from "../policy/index.ts";
import {
  type ChartName,
  type Panel,
  panelChart,
  type Span,
  shareAxis,
  steps,
  timeAxisUntil,
} from "../report/index.ts";

/** Use and its limit over a period, both as parts of the capacity. */
export interface UsePanel {
  readonly name: string;
  readonly lineName: string;
  /** One value for each part of the period. */
  readonly values: readonly number[];
  /** Constant limit, or one for each part; null: none in force. */
  readonly limit: number | readonly (number | null)[];
  readonly marks: readonly Stretch[];
}

/** Period and gaps of the panels. */
export interface UseCanvas {
  readonly period: Stretch;
  /** Length of a part, in ms. */
  readonly partMs: number;
  /** Intervals without data, or left out. */
  readonly gaps: readonly Stretch[];
}

/** Stretches that are closer are one mark, and none is shorter. */
const MOST_MARKS = 400;

/** The panels, one below the other, as one chart. */
export function useChart(name: ChartName, panels: readonly UsePanel[], canvas: UseCanvas): string {
  const { period, gaps, partMs } = canvas;
  const along = timeAxisUntil(lengthMs([period]) / 1000, 8);
  const unknown = gaps.map((gap) => spanOf(gap, period));
  const drawn = panels.map(({ name: what, lineName, values, limit, marks }): Panel => {
    const limits = typeof limit === "number" ? values.map(() => limit) : limit;
    const marked = thinned(marks, period).map((mark) => spanOf(mark, period));
    return {
      title: `${what}; dashed: the ${lineName} line`,
      up: shareAxis(Math.max(...limits.map((one) => one ?? 0), ...values), 3),
      layers: [
        { kind: "line", series: 0, points: steps(values, partMs / 1000), isFilled: true },
        { kind: "line", series: 1, points: steps(limits, partMs / 1000) },
        { kind: "band", how: "hatched", spans: unknown },
        { kind: "marks", series: 1, spans: marked },
      ],
    };
  });
  return panelChart(name, along, drawn, { width: 720, panelHeight: 104 });
}

/** In seconds from the beginning of the period. */
function spanOf({ fromMs, toMs }: Stretch, period: Stretch): Span {
  return [(fromMs - period.fromMs) / 1000, (toMs - period.fromMs) / 1000];
}

/** Marks that could not be told apart are drawn as one, and short ones as long as can be seen. */
function thinned(marks: readonly Stretch[], period: Stretch): readonly Stretch[] {
  const nearMs = lengthMs([period]) / MOST_MARKS;
  const all: Stretch[] = [];
  for (const next of marks) {
    const last = all.at(-1);
    if (last === undefined || next.fromMs - last.toMs > nearMs) all.push(next);
    else all[all.length - 1] = { fromMs: last.fromMs, toMs: next.toMs };
  }
  return all.map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.max(toMs, fromMs + nearMs) }));
}
