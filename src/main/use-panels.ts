/**
 * Use against a limit over time, in panels one below the other: gaps hatched, marks below.
 *
 * Hatches and marks differ in their form too, so that a black-and-white print can be read.
 */
import { lengthMs, type Stretch } from "../policy/index.ts";
import {
  type Area,
  type Axis,
  axisBelow,
  axisLeft,
  escaped,
  type PictureName,
  place,
  scaleOf,
  shareAxis,
  svgPicture,
  timeAxisUntil,
} from "../sim/index.ts";

/** Use and its limit over a period; both in parts of the capacity. */
export interface UsePanel {
  readonly name: string;
  readonly lineName: string;
  /** One for each part of the period. */
  readonly values: readonly number[];
  /** One that holds always, or one for each part; null where none stood. */
  readonly limit: number | readonly (number | null)[];
  readonly marks: readonly Stretch[];
}

/** What panels are drawn over. */
export interface UseCanvas {
  readonly period: Stretch;
  /** The length of a part. */
  readonly partMs: number;
  /** Nothing is known of these, or they are left out. */
  readonly gaps: readonly Stretch[];
}

const WIDTH = 720;
const PANEL = 170;
const [LEFT, RIGHT] = [56, 706];
/** Stretches that are closer are one mark. */
const MOST_MARKS = 400;

/** The style that these pictures need beside the common one. */
export const PICTURE_STYLE = `
svg .limit{stroke:var(--s1);stroke-width:1.6;stroke-dasharray:7 3}
svg .use{fill:var(--s0);opacity:.55}
svg .outline{fill:none;stroke:var(--s0);stroke-width:1.4}
svg .mark{fill:var(--s1)}
svg .blank{fill:var(--paper)}
svg .hatched{fill:url(#hatch);stroke:var(--faint);stroke-width:.6}
svg .hatch{stroke:var(--faint);stroke-width:1.2}
`;

/** The panels, one below the other, as one picture. */
export function usePicture(name: PictureName, panels: readonly UsePanel[], canvas: UseCanvas): string {
  const { period } = canvas;
  const along = timeAxisUntil((period.toMs - period.fromMs) / 1000, 8);
  const drawn = panels.flatMap((panel, at) => drawPanel(panel, { ...canvas, top: at * PANEL, along }));
  return svgPicture(name, [WIDTH, panels.length * PANEL], [HATCH, ...drawn]);
}

const HATCH =
  '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" ' +
  'patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/></pattern></defs>';

interface Canvas extends UseCanvas {
  readonly top: number;
  readonly along: Axis;
}

function drawPanel(panel: UsePanel, { top, along, period, gaps, partMs }: Canvas): readonly string[] {
  const area: Area = { left: LEFT, right: RIGHT, top: top + 24, bottom: top + PANEL - 44 };
  const limits = typeof panel.limit === "number" ? [panel.limit] : panel.limit.map((limit) => limit ?? 0);
  const up = shareAxis(Math.max(...limits, ...panel.values), 3);
  const x = scaleOf(along, [LEFT, RIGHT]);
  const y = scaleOf(up, [area.bottom, area.top]);
  const atMs = (ms: number) => x((ms - period.fromMs) / 1000);
  const points = panel.values.flatMap((value, step) => {
    const high = place(y(value));
    const [from, to] = [step, step + 1].map((edge) => place(x((edge * partMs) / 1000)));
    return [`${from},${high}`, `${to},${high}`];
  });
  const base = place(area.bottom);
  return [
    ...axisBelow(along, area),
    ...axisLeft(up, area),
    `<polygon class="use" points="${place(LEFT)},${base} ${points.join(" ")} ${place(RIGHT)},${base}"/>`,
    `<polyline class="outline" points="${points.join(" ")}"/>`,
    ...limitLines(panel.limit, x, y, partMs),
    ...gaps.flatMap(({ fromMs, toMs }) =>
      ["blank", "hatched"].map((name) => box(name, [atMs(fromMs), atMs(toMs)], [area.top, area.bottom])),
    ),
    ...thinned(panel.marks, period).map(({ fromMs, toMs }) =>
      box("mark", [atMs(fromMs), Math.max(atMs(toMs), atMs(fromMs) + 1)], [area.bottom + 1, area.bottom + 5]),
    ),
    `<text x="${place(LEFT)}" y="${place(area.top - 7)}">${escaped(panel.name)}; dashed: the ` +
      `${panel.lineName} line</text>`,
  ];
}

/** One line where the limit never changed, else one for each stretch in which it stood at a value. */
function limitLines(
  limit: UsePanel["limit"],
  x: (sec: number) => number,
  y: (share: number) => number,
  partMs: number,
): readonly string[] {
  const line = (share: number, [from, to]: readonly [number, number]): string => {
    const high = place(y(share));
    return `<line class="limit" x1="${place(from)}" x2="${place(to)}" y1="${high}" y2="${high}"/>`;
  };
  if (typeof limit === "number") return [line(limit, [LEFT, RIGHT])];
  const ends = limit.flatMap((share, at) => (share === limit[at + 1] ? [] : [at + 1]));
  return ends.flatMap((end, at) => {
    const share = limit[end - 1] ?? null;
    const edges = [ends[at - 1] ?? 0, end].map((edge) => x((edge * partMs) / 1000));
    return share === null ? [] : [line(share, [edges[0] ?? LEFT, edges[1] ?? RIGHT])];
  });
}

function box(name: string, [left, right]: readonly number[], [top, bottom]: readonly number[]): string {
  const [width, height] = [right - left, bottom - top].map(place);
  return `<rect class="${name}" x="${place(left)}" y="${place(top)}" width="${width}" height="${height}"/>`;
}

/** Marks that could not be told apart are drawn as one. */
function thinned(marks: readonly Stretch[], period: Stretch): readonly Stretch[] {
  const nearMs = lengthMs([period]) / MOST_MARKS;
  const all: Stretch[] = [];
  for (const next of marks) {
    const last = all.at(-1);
    if (last === undefined || next.fromMs - last.toMs > nearMs) all.push(next);
    else all[all.length - 1] = { fromMs: last.fromMs, toMs: next.toMs };
  }
  return all;
}
