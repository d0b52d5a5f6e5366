/** Gantt chart of a plan as SVG: rows for each site, so many that the tasks in a row never overlap. */
import { lengthText } from "../base/index.ts";
import { escaped, timeAxisUntil } from "../report/index.ts";
import type { PlanAnswer } from "./plan-tools.ts";

type PlannedTask = PlanAnswer["tasks"][number];

const WIDTH = 720;
const LEFT = 110;
const ROW = 16;
const HEAD = 20;
const FOOT = 30;
/** Pixels of a letter of a bar's label, at most. */
const LETTER = 6.5;

/** The chart. */
export function ganttSvg({ tasks, sites, makespanSec }: PlanAnswer, title: string): string {
  const across = (sec: number): number => LEFT + ((WIDTH - LEFT - 10) * sec) / makespanSec;
  let top = 0;
  const parts: string[] = [];
  for (const [series, { name }] of sites.entries()) {
    const rows = rowsOf(tasks.filter(({ site }) => site === name));
    if (rows.length === 0) continue;
    parts.push(text(0, top + HEAD - 6, `${name}`));
    for (const [row, own] of rows.entries()) {
      const y = top + HEAD + row * ROW;
      for (const task of own) parts.push(bar(task, { across, y, series: series % 6 }));
    }
    top += HEAD + rows.length * ROW;
  }
  const axis = timeAxisUntil(makespanSec, 6);
  const ticks = axis.ticks.map(({ at, text: label }) => {
    const x = across(at).toFixed(1);
    const line = `<line x1="${x}" y1="0" x2="${x}" y2="${top + 4}" stroke="var(--rule)"/>`;
    return line + text(across(at), top + 18, label, "middle");
  });
  const unit = text(WIDTH - 10, top + FOOT, axis.label, "end");
  return (
    `<svg viewBox="0 0 ${WIDTH} ${top + FOOT + 4}" role="img" aria-label="${escaped(title)}">` +
    `<title>${escaped(title)}</title>\n${[...ticks, unit, ...parts].join("\n")}\n</svg>`
  );
}

/** Tasks by start, each in the first row that is free by then. */
function rowsOf(tasks: readonly PlannedTask[]): readonly (readonly PlannedTask[])[] {
  const rows: PlannedTask[][] = [];
  const ends: number[] = [];
  for (const task of [...tasks].sort((one, other) => one.startSec - other.startSec)) {
    const free = ends.findIndex((end) => end <= task.startSec);
    const row = free < 0 ? rows.length : free;
    rows[row] = [...(rows[row] ?? []), task];
    ends[row] = task.endSec;
  }
  return rows;
}

interface BarPlace {
  readonly across: (sec: number) => number;
  readonly y: number;
  readonly series: number;
}

function bar({ id, procs, startSec, endSec }: PlannedTask, { across, y, series }: BarPlace): string {
  const [from, to] = [across(startSec), across(endSec)];
  const width = Math.max(1, to - from - 1);
  const about = `${id}: ${procs} procs, ${lengthText(startSec)} to ${lengthText(endSec)}`;
  const label = id.length * LETTER < width ? text(from + 3, y + ROW - 5, id) : "";
  return (
    `<g><title>${escaped(about)}</title><rect x="${from.toFixed(1)}" y="${y + 1}" ` +
    `width="${width.toFixed(1)}" height="${ROW - 2}" rx="2" fill="var(--s${series})" opacity="0.45"/>` +
    `${label}</g>`
  );
}

function text(x: number, y: number, said: string, anchor = "start"): string {
  const place = `x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}"`;
  return `<text ${place} font-size="11" fill="var(--ink)">${escaped(said)}</text>`;
}
