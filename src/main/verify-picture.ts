/**
 * The source's usage-versus-policy charts: use now against the burst line, use over the epoch against the
 * epoch line; gaps hatched, violations marked below.
 *
 * Hatches and marks differ in their form too, so that a black-and-white print can be read.
 */
import { type LevelFindings, lengthMs, type Stretch, type UseCourse } from "../policy/index.ts";
import {
  type Area,
  type Axis,
  axisBelow,
  axisLeft,
  escaped,
  place,
  scaleOf,
  shareAxis,
  svgPicture,
  timeAxisUntil,
} from "../sim/index.ts";

/** What is drawn of a level. */
export interface LevelPicture {
  readonly level: LevelFindings;
  readonly course: UseCourse;
  readonly period: Stretch;
  /** Nothing is known of these, or they are left out. */
  readonly gaps: readonly Stretch[];
}

interface Panel {
  readonly name: string;
  readonly lineName: string;
  readonly values: readonly number[];
  readonly limit: number;
  readonly marks: readonly Stretch[];
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

/** The two panels of a level, one below the other. */
export function levelPicture({ level, course, period, gaps }: LevelPicture): string {
  const panels: readonly Panel[] = [
    {
      ...{ name: "in use now", lineName: "burst", values: course.inUse },
      ...{ limit: level.burstShare, marks: level.stretches.aboveBurst },
    },
    {
      ...{ name: "used over the epoch", lineName: "epoch", values: course.overEpoch },
      ...{ limit: level.epochShare, marks: level.stretches.aboveEpoch },
    },
  ];
  const along = timeAxisUntil((period.toMs - period.fromMs) / 1000, 8);
  const drawn = panels.flatMap((panel, at) =>
    drawPanel(panel, { top: at * PANEL, along, period, gaps, course }),
  );
  const title = `Use of ${level.resource} by ${level.consumer} against its policy`;
  const description = "Above: in use now and the burst line; below: used over the epoch and the epoch line.";
  return svgPicture({ title, description }, [WIDTH, panels.length * PANEL], [HATCH, ...drawn]);
}

const HATCH =
  '<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" ' +
  'patternTransform="rotate(45)"><line class="hatch" x1="0" y1="0" x2="0" y2="7"/></pattern></defs>';

interface Canvas extends Omit<LevelPicture, "level"> {
  readonly top: number;
  readonly along: Axis;
}

function drawPanel(panel: Panel, { top, along, period, gaps, course }: Canvas): readonly string[] {
  const area: Area = { left: LEFT, right: RIGHT, top: top + 24, bottom: top + PANEL - 44 };
  const up = shareAxis(Math.max(panel.limit, ...panel.values), 3);
  const x = scaleOf(along, [LEFT, RIGHT]);
  const y = scaleOf(up, [area.bottom, area.top]);
  const atMs = (ms: number) => x((ms - period.fromMs) / 1000);
  const points = panel.values.flatMap((value, step) => {
    const high = place(y(value));
    const [from, to] = [step, step + 1].map((edge) => place(x((edge * course.partMs) / 1000)));
    return [`${from},${high}`, `${to},${high}`];
  });
  const base = place(area.bottom);
  const limitAt = place(y(panel.limit));
  return [
    ...axisBelow(along, area),
    ...axisLeft(up, area),
    `<polygon class="use" points="${place(LEFT)},${base} ${points.join(" ")} ${place(RIGHT)},${base}"/>`,
    `<polyline class="outline" points="${points.join(" ")}"/>`,
    `<line class="limit" x1="${place(LEFT)}" x2="${place(RIGHT)}" y1="${limitAt}" y2="${limitAt}"/>`,
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
