/**
 * Bars from 0 with the confidence interval of each as a whisker, one below the other.
 */
import type { Interval } from "../../model/index.ts";
import { type DrawRow, type PictureName, type StackShape, stackedRows } from "./frame.ts";
import { escaped, place } from "./markup.ts";
import type { Axis } from "./ticks.ts";

/** A bar. */
export interface Bar {
  readonly name: string;
  /** Its colour. */
  readonly series: number;
  readonly interval: Interval;
  /** The value in words, written behind it. */
  readonly text: string;
}

const SHAPE: StackShape = { width: 460, left: 8, right: 436, head: 4, row: 34, rowHead: 0, foot: 38 };

/** The picture; `along` reaches from 0 beyond all values. */
export function intervalBars(name: PictureName, bars: readonly Bar[], along: Axis): string {
  const rows = bars.map(
    (bar): DrawRow =>
      (top, x) => [oneBar(bar, top, x)],
  );
  return stackedRows(name, SHAPE, along, rows);
}

/** The furthest that bars reach, their whiskers included. */
export function furthest(intervals: readonly Interval[]): number {
  return Math.max(0, ...intervals.map(({ mean, high }) => high ?? mean));
}

function oneBar({ name, series, interval, text }: Bar, top: number, x: (value: number) => number): string {
  const { mean, low, high } = interval;
  const middle = place(top + 24);
  const bar =
    `<text x="${place(x(0))}" y="${place(top + 13)}">${escaped(name)}: ${escaped(text)}</text>` +
    `<rect class="f${series}" x="${place(x(0))}" y="${place(top + 18)}" ` +
    `width="${place(Math.max(0, x(mean) - x(0)))}" height="12" opacity="0.75"/>`;
  if (low === null || high === null) return bar;
  const [from, to] = [place(x(Math.max(0, low))), place(x(high))];
  const ends = [from, to].map(
    (at) => `<line class="whisker" x1="${at}" x2="${at}" y1="${place(top + 19)}" y2="${place(top + 29)}"/>`,
  );
  const line = `<line class="whisker" x1="${from}" x2="${to}" y1="${middle}" y2="${middle}"/>`;
  return [bar, line, ...ends].join("");
}
