/** A small Gantt chart of a plan in text: a row per task, or for large plans the load of each site. */
import { lengthText } from "../base/index.ts";
import type { PlanAnswer } from "./plan-tools.ts";
import { sparkline } from "./sparkline.ts";
import { printable } from "./text-table.ts";

const MOST_BARS = 30;
const LABEL = 16;
const USUAL_COLUMNS = 80;

/** The chart; empty where nothing takes time. */
export function ganttLines(answer: PlanAnswer, columns: number | undefined): string {
  const { tasks, makespanSec } = answer;
  if (makespanSec <= 0) return "";
  const width = Math.max(20, Math.min(columns ?? USUAL_COLUMNS, 120) - LABEL - 3);
  const rows = tasks.length <= MOST_BARS ? bars(tasks, makespanSec, width) : loads(answer, width);
  const axis = `0${lengthText(makespanSec).padStart(width - 1)}`;
  return `${[...rows, `${" ".repeat(LABEL)}  ${axis}`].join("\n")}\n`;
}

function bars(tasks: PlanAnswer["tasks"], makespanSec: number, width: number): readonly string[] {
  const byStart = [...tasks].sort((one, other) => one.startSec - other.startSec);
  return byStart.map(({ id, site, startSec, endSec }) => {
    const from = Math.floor((startSec / makespanSec) * width);
    const to = Math.max(from + 1, Math.ceil((endSec / makespanSec) * width));
    const bar = `${" ".repeat(from)}${"█".repeat(Math.min(width, to) - from)}`.padEnd(width);
    return `${label(`${id} ${site}`)}  ${bar}`.trimEnd();
  });
}

/** Processors in use at each site over time, relative to its size. */
function loads({ tasks, sites, makespanSec }: PlanAnswer, width: number): readonly string[] {
  return sites.map(({ name, procs }) => {
    const used = new Float64Array(width);
    for (const { site, procs: own, startSec, endSec } of tasks) {
      if (site !== name) continue;
      const [from, to] = [(startSec / makespanSec) * width, (endSec / makespanSec) * width];
      for (let at = Math.floor(from); at < Math.min(width, to); at++) {
        used[at] += own * (Math.min(to, at + 1) - Math.max(from, at));
      }
    }
    return `${label(name)}  ${sparkline([...used], procs, width)}`.trimEnd();
  });
}

function label(text: string): string {
  const shown = printable(text);
  return (shown.length > LABEL ? `${shown.slice(0, LABEL - 1)}…` : shown).padEnd(LABEL);
}
